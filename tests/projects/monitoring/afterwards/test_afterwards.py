"""After a release has ended: copies that are out are assessed until none is, measured as long as that is possible."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.demo.story import run_jobs
from projects.core.deadlines import months_later
from projects.core.models import Notification
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.datasets.models import StoredFile
from projects.disposal.enums import DESTROY_JOB
from projects.disposal.services import disposal_carry_out, disposal_propose
from projects.incidents.models import Incident
from projects.jobs.enums import JobStatus
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run
from projects.monitoring.afterwards.enums import LATER_MEASURE_JOB, LaterOutcome, Question
from projects.monitoring.afterwards.selectors import DAYS_BEFORE_DUE, can_be_measured, interval_of, out_of
from projects.monitoring.afterwards.services import (
    later_measure_again,
    later_open,
    later_open_due,
)
from projects.monitoring.amendments.yardstick import yardstick_of
from projects.monitoring.models import LaterReassessment
from projects.monitoring.tasks import open_due
from projects.objective.selectors import risk_targets
from projects.objective.services import risk_save
from projects.processing.models import RunTable
from projects.releases.deliveries.copies.selectors import with_copies_out
from projects.releases.deliveries.copies.services import copy_state
from projects.releases.models import Release
from projects.workflow import Move, State
from tests.projects.monitoring.afterwards.steps import NO, concluded, first_due
from tests.projects.releases import stories
from tests.projects.rows import change, delete, put, refused

pytestmark = pytest.mark.django_db


def START(people):
    """Released, fetched by its recipient, and closed."""
    story = stories.released(people)
    story.fetch()
    story.close()
    run_jobs(documents=False)
    story.project.refresh_from_db()
    return story


@pytest.fixture
def closed(story_at):
    return story_at(State.CLOSED, START)


@pytest.fixture
def release(closed):
    return Release.objects.select_related("project", "released_by").get(project=closed.project)


@pytest.fixture
def opened(release, people):
    later = later_open(release, by=people.supervisor)
    run_jobs(documents=False)
    later.refresh_from_db()
    return later


def destroyed(closed, people):
    disposal = disposal_propose(closed.project, reason="over", by=people.planner)
    disposal_carry_out(disposal, reason="over", by=people.supervisor)
    job_run(latest_job(closed.project, DESTROY_JOB).pk)


def todo(person):
    return [one for one in tasks_of(person) if one.url.endswith("/afterwards/")]


def url(name, project, **more):
    return reverse(f"monitoring:{name}", kwargs={"project_id": project.pk, **more})


def test_the_clock_opens_the_first_an_interval_after_the_end(closed, people, release):
    due = first_due(release)
    early = due - timedelta(days=DAYS_BEFORE_DUE + 1)
    with time_machine.travel(early, tick=False):
        assert open_due() == 0
    assert not LaterReassessment.objects.exists()
    assert todo(people.supervisor) == []
    with time_machine.travel(early + timedelta(days=1), tick=False):
        assert open_due() == 1
        assert open_due() == 0
    later = LaterReassessment.objects.get()
    assert later.due_on == due
    assert closed.project.state == State.CLOSED
    (task,) = todo(people.supervisor)
    assert task.deadline.due == due
    assert todo(people.planner) == []
    run_jobs(documents=False)
    later.refresh_from_db()
    assert later.met is True
    assert later.remeasured.k >= later.remeasured.target_k


def test_it_goes_on_while_a_copy_is_out_and_ends_when_its_destruction_is_stated(closed, people, release):
    months, now = interval_of(release.project), first_due(release)
    for _round in range(3):
        with time_machine.travel(now, tick=False):
            assert later_open_due() == 1
            run_jobs(documents=False)
            later = LaterReassessment.objects.get(concluded_at=None)
            concluded(later, people)
            assert later_open_due() == 0
        now = months_later(now, months)
    assert LaterReassessment.objects.count() == 3
    copy_state(release, how="Disk wiped", by=people.recipient)
    with time_machine.travel(months_later(now, 10 * months), tick=False):
        assert later_open_due() == 0
    assert not out_of(release)
    with pytest.raises(Refused) as error:
        later_open(release, by=people.supervisor)
    assert error.value.verdict.code == "nothing_out"


@pytest.mark.parametrize("stated", [True, False])
def test_what_the_clock_searches_for_is_what_the_page_says(release, people, stated):
    if stated:
        copy_state(release, how="Disk wiped", by=people.recipient)
    assert with_copies_out(Release.objects.all()).exists() is bool(out_of(release)) is not stated


def test_where_the_bytes_are_destroyed_the_questions_are_left(closed, people, release, client):
    destroyed(closed, people)
    later = later_open(release, by=people.supervisor)
    assert latest_job(closed.project, "monitoring.measure_later") is None
    client.force_login(people.supervisor)
    page = client.get(url("later", closed.project, later_id=later.pk), headers={"accept-language": "en"})
    assert "Nothing can be measured any more" in page.content.decode()
    with pytest.raises(Refused) as error:
        later_measure_again(later, by=people.supervisor)
    assert error.value.verdict.code == "bytes_gone"
    concluded(later, people)
    later.refresh_from_db()
    assert (later.measured_at, later.met) == (None, None)
    assert later.found["copies"][0]["recipient"] == str(people.recipient)


def test_nothing_is_concluded_before_what_can_be_measured_is(release, people):
    later = later_open(release, by=people.supervisor)
    with pytest.raises(Refused) as error:
        concluded(later, people)
    assert error.value.verdict.code == "not_measured"
    # Who has a copy is asked for it without waiting.
    assert concluded(later, people, outcome=LaterOutcome.RECALL).met is None


def test_what_cannot_be_measured_for_a_fault_is_no_dead_end(release, people):
    later = later_open(release, by=people.supervisor)
    change(
        latest_job(release.project, LATER_MEASURE_JOB, later.pk),
        status=JobStatus.FAILED,
        error_code="internal",
        finished_at=timezone.now(),
    )
    assert concluded(later, people).met is None


def test_whose_rows_were_is_needed_to_measure(release):
    assert can_be_measured(release)
    written = RunTable.objects.get(run=release.run_id)
    gone = put(StoredFile, destroyed_at=timezone.now(), wrapped_key=b"")
    change(written, subjects=gone)
    assert not can_be_measured(release)


def test_a_target_that_is_written_anew_judges_nothing_that_was_released_before(db, people):
    story = stories.released(people)
    story.fetch()
    project = story.project
    project.refresh_from_db()
    before = yardstick_of(project)
    project_move(project, move=Move.REOPEN_PROCESSING, by=people.supervisor, reason="again")
    project.refresh_from_db()
    project_move(project, move=Move.REVISE_OBJECTIVE, by=people.planner, reason="another target")
    project.refresh_from_db()
    drafted = risk_targets(project).model_copy(update={"reassess_months": 36, "k": 50})
    risk_save(project, risk=drafted, by=people.planner)
    project.refresh_from_db()
    assert risk_targets(project).reassess_months == 36
    now = yardstick_of(project)
    assert now.signed == before.signed
    assert now.risk == before.risk
    assert interval_of(project) == before.risk.reassess_months != 36


def test_what_befalls_one_release_keeps_no_other_waiting(release, monkeypatch):
    """Two are due, and the first cannot be opened."""
    from projects.monitoring.afterwards import services

    opened = []

    def open_one(one):
        if not opened:
            opened.append(None)
            raise RuntimeError("a row that the log does not explain")
        opened.append(one)
        return one

    monkeypatch.setattr(services, "releases_to_assess", lambda: [release, release])
    monkeypatch.setattr(services, "later_open", open_one)
    assert later_open_due() == 1
    assert opened[-1] == release


@pytest.mark.parametrize(
    ("outcome", "answers", "more", "code"),
    [
        (LaterOutcome.NOTHING, {}, {}, "answer_needed"),
        (LaterOutcome.NOTHING, NO | {"data": {"yes": True, "words": " "}}, {}, "words_needed"),
        (LaterOutcome.NOTHING, NO | {"misuse": {"yes": True, "words": "sold"}}, {}, "misuse_seen"),
        (LaterOutcome.INCIDENT, NO, {"kind": "misuse"}, "incident_needed"),
        (LaterOutcome.NOTHING, NO, {"reason": " "}, "reason_needed"),
    ],
)
def test_a_conclusion_follows_from_what_was_answered(opened, people, outcome, answers, more, code):
    with pytest.raises(Refused) as error:
        concluded(opened, people, outcome, answers=answers, **more)
    assert error.value.verdict.code == code
    opened.refresh_from_db()
    assert opened.concluded_at is None


@pytest.mark.parametrize("who", ["planner", "executor", "management", "recipient", "auditor", "outsider"])
def test_only_the_supervisor_assesses(opened, release, people, who):
    by = getattr(people, who)
    with pytest.raises(Refused):
        concluded(opened, people, by=by)
    concluded(opened, people)
    with pytest.raises(Refused):
        later_open(release, by=by)


def test_a_recall_reaches_who_has_a_copy(opened, people, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        concluded(opened, people, LaterOutcome.RECALL, reason="A register was published.")
    found = Notification.objects.filter(action="copies.recalled")
    assert {one.user for one in found} == {people.recipient, people.planner}
    assert AuditEvent.objects.get(action="copies.recalled").facts["copies"] == 1


def test_an_incident_is_reported_with_the_conclusion(opened, people, client):
    misuse = NO | {"misuse": {"yes": True, "words": "It is offered for sale."}}
    concluded(
        opened, people, LaterOutcome.INCIDENT, answers=misuse, reason="Somebody sells it.", kind="misuse", severity="major"
    )  # fmt: skip
    incident = Incident.objects.get()
    assert (incident.later, incident.description, incident.raised_by) == (
        opened,
        "Somebody sells it.",
        people.supervisor,
    )
    client.force_login(people.supervisor)
    page = client.get(url("later", opened.project, later_id=opened.pk)).content.decode()
    there = reverse("incidents:incident", args=[opened.project_id, incident.pk])
    assert there in page
    assert url("later", opened.project, later_id=opened.pk) in client.get(there).content.decode()


def test_the_supervisor_concludes_on_the_page(opened, people, client):
    client.force_login(people.supervisor)
    at = url("later", opened.project, later_id=opened.pk)
    sent = {one.value: "no" for one in Question} | {"reason": "Nothing has changed.", "outcome": "nothing"}
    assert client.post(at, {**sent, "data": ""}).status_code == 422
    assert client.post(at, {**sent, "misuse": "yes"}).status_code == 422
    assert client.post(at, {**sent, "misuse": "yes", "misuse_words": "sold"}).status_code == 422
    assert client.post(at, {**sent, "outcome": "incident"}).status_code == 422
    assert client.post(at, sent).status_code == 302
    opened.refresh_from_db()
    assert opened.outcome == LaterOutcome.NOTHING
    assert client.post(at, sent).status_code == 403
    assert todo(people.supervisor) == []
    page = client.get(url("afterwards", opened.project)).content.decode()
    assert months_later(timezone.localdate(), interval_of(opened.project)).isoformat() in page


def test_the_supervisor_opens_it_before_its_time(release, people, client):
    client.force_login(people.supervisor)
    at = url("later_begin", release.project, release_id=release.pk)
    assert client.post(at).status_code == 302
    assert client.post(at).status_code == 403
    later = LaterReassessment.objects.get()
    assert later.due_on == first_due(release)


def test_a_release_in_force_is_not_assessed_here(db, people):
    story = stories.make_story(people, "Another study")
    story.reach(State.MONITORING)
    story.fetch()
    release = Release.objects.select_related("project", "released_by").get(project=story.project)
    with time_machine.travel(timezone.now() + timedelta(days=4000), tick=False):
        later_open_due()
    assert not LaterReassessment.objects.filter(release=release).exists()
    with refused("after their release has ended"):
        put(LaterReassessment, project=release.project, release=release, due_on=timezone.localdate())


def test_the_database_keeps_what_was_concluded(opened, people):
    with refused("a supervisor of the project concludes"):
        change(
            opened, outcome="nothing", reason="so", answers=NO, found={"copies": []}, concluded_by=people.planner,
            concluded_at=timezone.now(),
        )  # fmt: skip
    with refused("later_conclusion_whole_or_absent|CHECK"):
        change(opened, outcome="nothing", concluded_by=people.supervisor, concluded_at=timezone.now())
    with refused("UNIQUE|later_one_open"):
        put(LaterReassessment, project=opened.project, release=opened.release, due_on=timezone.localdate())
    later = concluded(opened, people)
    with refused("stays as it was opened and concluded"):
        change(later, reason="because")
    with refused("is kept"):
        delete(later)


@pytest.mark.parametrize("who", ["planner", "executor", "supervisor", "management", "auditor"])
def test_who_sees_the_project_reads_and_only_its_supervisor_acts(opened, people, client, who):
    client.force_login(getattr(people, who))
    one, project = {"later_id": opened.pk}, opened.project
    for path in (url("afterwards", project), url("later", project, **one), reverse("board:afterwards")):
        page = client.get(path)
        assert page.status_code == 200
        assert str(people.recipient) in page.content.decode() or "later" not in path
    wanted = 302 if who == "supervisor" else 403
    assert client.post(url("later_measure", project, **one)).status_code == wanted
    if who != "supervisor":
        assert client.post(url("later", project, **one), {"outcome": "nothing"}).status_code == 403
        assert client.post(url("later_begin", project, release_id=opened.release_id)).status_code == 403


@pytest.mark.parametrize("who", ["recipient", "outsider", "administrator", "superuser"])
def test_for_everybody_else_it_does_not_exist(opened, people, client, who):
    client.force_login(getattr(people, who))
    one, project = {"later_id": opened.pk}, opened.project
    assert client.get(url("afterwards", project)).status_code == 404
    assert client.get(url("later", project, **one)).status_code == 404
    assert client.post(url("later_measure", project, **one)).status_code == 404
    assert project.title not in client.get(reverse("board:afterwards")).content.decode()
    there = reverse("api:later-reassessments-detail", kwargs={"project_id": project.pk, **one})
    assert client.get(there).status_code == 404


def test_programs_do_the_same(opened, people, client):
    def at(name, **more):
        return reverse(f"api:later-reassessments{name}", kwargs={"project_id": opened.project_id, **more})

    one = {"later_id": opened.pk}
    answers = {name: {"yes": False} for name in ("other_data", "techniques", "surroundings", "misuse")}
    sent = {"outcome": "recall", "reason": "A register was published.", "answers": answers}
    client.force_login(people.planner)
    assert client.post(at("-conclude", **one), sent, "application/json").status_code == 403
    assert client.post(at(""), {"release": str(opened.release_id)}, "application/json").status_code == 403
    client.force_login(people.supervisor)
    found = client.get(at("-detail", **one)).json()
    assert [copy["recipient"] for copy in found["out"]["copies"]] == [str(people.recipient)]
    assert (found["measurable"], found["answers"], found["incident"]) == (True, None, None)
    (line,) = client.get(reverse("api:board-later")).json()["results"]
    assert line["id"] == found["id"]
    assert client.post(at("-conclude", **one), sent | {"answers": {}}, "application/json").status_code == 400
    assert (
        client.post(at("-conclude", **one), sent | {"kind": "theft"}, "application/json").status_code == 400
    )
    done = client.post(at("-conclude", **one), sent, "application/json")
    assert done.status_code == 200
    assert done.json()["answers"]["other_data"] == {"yes": False, "words": ""}
    assert client.get(reverse("api:board-later")).json()["count"] == 0
    made = client.post(at(""), {"release": str(opened.release_id)}, "application/json")
    assert made.status_code == 201
    assert client.get(at("")).json()["count"] == 2
    assert client.post(at("-measure", later_id=made.json()["id"])).status_code in (202, 403, 409)
