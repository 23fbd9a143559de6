"""After the release: changes, re-assessments, the board, tasks, and data of the same source."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from projects.core.evidence import evidence_state
from projects.core.models import Notification, Project
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.core.timeline import notification_rows
from projects.identification.models import ColumnVerdict
from projects.monitoring import events
from projects.monitoring.enums import ChangeKind, ReassessmentOutcome
from projects.monitoring.models import ChangeEvent, Reassessment
from projects.monitoring.selectors import board
from projects.monitoring.services import change_report, reassessment_conclude, reassessment_open_due
from projects.releases.models import Agreement
from projects.releases.selectors import current_release
from projects.verification.selectors import current_verification
from projects.workflow import Evidence, Move, State
from tests.projects.monitoring.steps import reported
from tests.projects.releases import stories
from tests.projects.releases.stories import make_story, stored_of

START = stories.released

INSIDE = ["planner", "executor", "supervisor", "management", "auditor", "assessor"]
OUTSIDE = ["outsider", "recipient", "administrator", "superuser"]
CHANGE = {"kind": "recipient", "description": "A new member of the team.", "happened_on": "2026-01-05"}


def overdue(user):
    return [row for row in board(user) if row.is_overdue]


def url(name, project, **kwargs):
    return reverse(f"monitoring:{name}", kwargs={"project_id": project.pk, **kwargs})


def time_passes(days):
    with recording(events.REASSESSMENT_MEASURING, by=None):
        for row in Reassessment.objects.filter(concluded_at=None):
            row.due_on -= timedelta(days=days)
            row.save()


@pytest.fixture
def project(monitored):
    return monitored.project


def test_pages_for_who_sees_the_project(monitored, project, people, client):
    made = reported(monitored, people)
    pages = [url("page", project), url("reassessment", project, reassessment_id=made.pk)]
    for who in INSIDE:
        client.force_login(getattr(people, who))
        for path in pages:
            response = client.get(path)
            assert response.status_code == 200
        assert ("conclude" in response.content.decode()) == (who == "supervisor")
        board = client.get(reverse("board:page")).content.decode()
        assert project.title in board
    for who in OUTSIDE:
        client.force_login(getattr(people, who))
        for path in pages:
            assert client.get(path).status_code == 404
            assert client.post(path, CHANGE).status_code == 404
        board = client.get(reverse("board:page"))
        assert board.status_code == 200
        assert project.title not in board.content.decode()


def test_reporting_a_change_opens_a_reassessment(monitored, project, people, client):
    for who in ("management", "auditor", "assessor"):
        client.force_login(getattr(people, who))
        assert client.post(url("page", project), CHANGE).status_code == 403
    client.force_login(people.executor)
    future = (timezone.localdate() + timedelta(days=3)).isoformat()
    assert client.post(url("page", project), {**CHANGE, "happened_on": future}).status_code == 422
    assert client.post(url("page", project), {**CHANGE, "description": " "}).status_code == 422
    assert not ChangeEvent.objects.exists()
    response = client.post(url("page", project), CHANGE)
    assert response.status_code == 302
    made = Reassessment.objects.get(change__isnull=False)
    assert made.is_open
    assert made.due_on == timezone.localdate() + timedelta(days=14)
    assert "A new member of the team." in client.get(url("page", project)).content.decode()


def test_measured_again_against_the_targets(monitored, project, people):
    made = reported(monitored, people)
    assert made.measurement["met"] is True
    kinds = [check["kind"] for check in made.measurement["checks"]]
    assert kinds[:2] == ["integrity", "residual"]
    residual = made.remeasured.checks[1]
    assert (residual.target, residual.measured, residual.met, residual.approved) == (0, 0, True, 0)
    assert "k" in kinds
    assert "max_risk" in kinds
    assert "overall" in kinds
    measured = next(check for check in made.measurement["checks"] if check["kind"] == "k")
    assert measured["measured"] >= measured["target"]
    assert measured["approved"] == measured["measured"]


def test_nothing_is_concluded_before_it_was_measured(monitored, project, people, client):
    made = change_report(
        project,
        kind=ChangeKind.SYSTEM,
        description="New servers.",
        happened_on=timezone.localdate(),
        by=people.planner,
    )
    client.force_login(people.supervisor)
    path = url("reassessment", project, reassessment_id=made.pk)
    assert client.get(path).status_code == 200
    assert client.post(path, {"outcome": "keep", "finding": "Fine."}).status_code == 403


def test_keeping_plans_the_next(monitored, project, people, client):
    made = reported(monitored, people)
    # The periodic one is concluded too, so that none is planned any more.
    client.force_login(people.supervisor)
    periodic = Reassessment.objects.get(change=None)
    early = client.post(url("reassessment_open", project, reassessment_id=periodic.pk))
    assert early.status_code == 302
    monitored.run_jobs()
    for row in (made, periodic):
        path = url("reassessment", project, reassessment_id=row.pk)
        assert client.post(path, {"outcome": "keep", "finding": ""}).status_code == 422
        assert client.post(path, {"outcome": "keep", "finding": "Still as planned."}).status_code == 302
        assert client.post(path, {"outcome": "keep", "finding": "Again."}).status_code == 403
    project.refresh_from_db()
    assert project.state == State.MONITORING
    following = Reassessment.objects.get(concluded_at=None)
    assert following.change is None
    assert following.due_on > timezone.localdate() + timedelta(days=27)


def test_that_nothing_else_is_known_is_offered_only_where_it_may_be_true(monitored, project, people, client):
    client.force_login(people.supervisor)
    periodic = Reassessment.objects.get(change=None)
    assert client.post(url("reassessment_open", project, reassessment_id=periodic.pk)).status_code == 302
    monitored.run_jobs()
    path = url("reassessment", project, reassessment_id=periodic.pk)
    assert "finding_chosen" in client.get(path).context["form"].fields
    refused = client.post(path, {"outcome": "verify", "finding_chosen": ["0"]})
    assert (refused.status_code, list(refused.context["form"].errors)) == (422, ["finding"])
    made = reported(monitored, people)
    of_change = url("reassessment", project, reassessment_id=made.pk)
    for where in (path, of_change):
        assert "finding_chosen" not in client.get(where).context["form"].fields
        assert client.post(where, {"outcome": "keep", "finding_chosen": ["0"]}).status_code == 422
    assert client.post(of_change, {"outcome": "keep", "finding": "Looked into."}).status_code == 302
    assert client.post(path, {"outcome": "keep", "finding_chosen": ["0"]}).status_code == 302


@pytest.mark.parametrize(
    ("outcome", "state"),
    [(ReassessmentOutcome.VERIFY, State.VERIFICATION), (ReassessmentOutcome.PROCESS, State.PROCESSING)],
)
def test_going_back_ends_the_release(monitored, project, people, outcome, state):
    made = reported(monitored, people)
    with pytest.raises(Refused):
        reassessment_conclude(made, outcome=outcome, finding="Risk rose.", by=people.planner)
    reassessment_conclude(made, outcome=outcome, finding="Risk rose.", by=people.supervisor)
    project = Project.objects.get(pk=monitored.project.pk)
    assert project.state == state
    assert current_release(project) is None
    # Something has changed since the result was measured: the old measurement opens no gate.
    assert current_verification(project) is None
    assert not evidence_state(project, Evidence.GATE_PASSED).met
    assert not list(overdue(people.supervisor))


def test_overdue(monitored, project, people, client):
    assert not overdue(people.supervisor)
    days = (Reassessment.objects.get().due_on - timezone.localdate()).days
    time_passes(days)  # due today: not overdue yet
    assert not overdue(people.supervisor)
    assert reassessment_open_due() == 1
    assert reassessment_open_due() == 0
    time_passes(1)
    assert len(overdue(people.supervisor)) == 1
    assert len(overdue(people.auditor)) == 1
    assert not overdue(people.outsider)
    task = next(t for t in tasks_of(people.supervisor) if "reassessments" in t.url)
    assert task.tone == "fail"
    client.force_login(people.auditor)
    page = client.get(reverse("board:page"))
    assert page.context["overdue_count"] == 1


def test_measuring_once_more_is_the_supervisors(monitored, project, people, client):
    made = reported(monitored, people)
    path = url("reassessment_measure", project, reassessment_id=made.pk)
    for who in ("planner", "executor", "management", "auditor"):
        client.force_login(getattr(people, who))
        assert client.post(path).status_code == 403
        assert client.post(url("reassessment_open", project, reassessment_id=made.pk)).status_code == 403
    client.force_login(people.supervisor)
    assert client.get(path).status_code == 405
    assert client.post(path).status_code == 302
    monitored.run_jobs()
    assert AuditEvent.objects.filter(action="reassessment.measured").count() == 2


def test_a_tampered_release_fails_its_reassessment(monitored, project, people):
    release = current_release(project)
    with recording(events.REASSESSMENT_MEASURING, by=None):
        type(release).objects.filter(pk=release.pk).update(recipe_hash="0" * 64)
    made = reported(monitored, people)
    assert made.measurement["met"] is False
    (seal,) = made.remeasured.checks
    assert (seal.kind, seal.target, seal.measured) == ("integrity", None, None)
    assert (seal.met, seal.passed, seal.approved) == (False, False, None)
    release.refresh_from_db()
    assert release.seal_broken_at is not None
    assert AuditEvent.objects.filter(action="release.seal_broken").count() == 1


def test_altered_bytes_break_the_seal_and_end_no_job(monitored, project, people, client):
    release = current_release(project)
    with stored_of(release).path.open("r+b") as file:
        file.seek(40)
        byte = file.read(1)
        file.seek(40)
        file.write(bytes([byte[0] ^ 1]))
    made = reported(monitored, people)
    assert [check["kind"] for check in made.measurement["checks"]] == ["integrity"]
    assert made.measurement["met"] is False
    release.refresh_from_db()
    assert release.seal_broken_at is not None
    client.force_login(people.supervisor)
    assert client.get(url("reassessment", project, reassessment_id=made.pk)).status_code == 200


def test_without_verdicts_no_target_counts_as_met(monitored, project, people, client):
    with recording(events.REASSESSMENT_MEASURING, by=None):
        ColumnVerdict.objects.filter(project=project, role="quasi").update(superseded_at=timezone.now())
    made = reported(monitored, people)
    assert made.measurement["met"] is False
    k = next(check for check in made.measurement["checks"] if check["kind"] == "k")
    assert (k["measured"], k["met"]) == (None, False)
    assert made.measurement["without_verdict"]
    client.force_login(people.supervisor)
    page = client.get(url("reassessment", project, reassessment_id=made.pk)).content.decode()
    assert made.measurement["without_verdict"][0] in page


def test_data_of_the_same_source_files_a_change_by_itself(
    monitored, project, people, client, django_capture_on_commit_callbacks
):
    """5.6.2 d: the portal reports it, with nobody's name, and opens a re-assessment of the earlier release."""
    assert not ChangeEvent.objects.exists()
    later = make_story(people, "A later release")
    with django_capture_on_commit_callbacks(execute=True):
        later.reach(State.MONITORING)
    change = ChangeEvent.objects.get()
    assert change.project == project
    assert change.kind == ChangeKind.NEW_DATA
    assert change.reported_by is None
    for language, said in (("en", "released data with"), ("zh-hans", "列与此同名")):
        with translation.override(language):
            assert later.project.number in change.said
            assert said in change.said
    assert change.reassessment.is_open
    event = AuditEvent.objects.get(action="change.reported")
    assert event.project_id == project.pk
    assert event.actor == "portal"
    client.force_login(people.planner)
    assert client.get(url("page", project)).status_code == 200
    news = Notification.objects.filter(action="reassessment.opened")
    assert not news.filter(user=people.recipient).exists()
    (row,) = notification_rows(news.filter(user=people.supervisor))
    assert str(change.reassessment.due_on) in row["sentence"]


def test_what_comes_while_a_project_is_suspended_is_looked_at_when_it_goes_on(
    monitored, project, people, django_capture_on_commit_callbacks
):
    """5.6.2 d: opened and measured meanwhile, concluded by the supervisor once the project is resumed."""
    project_move(project, move=Move.SUSPEND, by=people.supervisor, reason="Looked at by the authority.")
    later = make_story(people, "A later release")
    with django_capture_on_commit_callbacks(execute=True):
        later.reach(State.MONITORING)
    change = ChangeEvent.objects.get()
    assert (change.project, change.kind) == (project, ChangeKind.NEW_DATA)
    assert change.reassessment.is_open
    assert change.reassessment.measured_at is not None
    with pytest.raises(Refused):
        reassessment_conclude(
            change.reassessment, outcome=ReassessmentOutcome.KEEP, finding="Nothing.", by=people.supervisor
        )
    address = url("reassessment", project, reassessment_id=change.reassessment.pk)
    assert address not in [task.url for task in tasks_of(people.supervisor)]
    project_move(project, move=Move.RESUME, by=people.supervisor, reason="Found in order.")
    assert address in [task.url for task in tasks_of(people.supervisor)]
    reassessment_conclude(
        Reassessment.objects.get(pk=change.reassessment.pk),
        outcome=ReassessmentOutcome.VERIFY,
        finding="Together they tell more.",
        by=people.supervisor,
    )
    assert Project.objects.get(pk=project.pk).state == State.VERIFICATION


def test_agreements_that_end_soon_are_a_task(monitored, project, people, monkeypatch):
    def mine():
        return [t for t in tasks_of(people.planner) if t.url.endswith("#agreements")]

    assert not mine()
    (last,) = set(Agreement.objects.values_list("valid_until", flat=True))
    for days, tone in ((31, None), (30, "warn"), (0, "warn"), (-1, "fail")):
        monkeypatch.setattr(timezone, "localdate", lambda days=days: last - timedelta(days=days))
        assert [t.tone for t in mine()] == ([tone] if tone else [])
    assert not [t for t in tasks_of(people.executor) if t.url.endswith("#agreements")]
