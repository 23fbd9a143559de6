"""Senior management reviews the records of a stage itself: who may, what is kept, and what becomes a finding."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from approvals.decisions.models import ManagementOutcome, ManagementReview, Review
from approvals.governance.verdict import Refused
from projects.core.audit_package.decisions import decisions_of
from projects.core.evidence import content_of
from projects.core.models import Notification
from projects.core.selectors import history_of
from projects.core.services import project_move_directly
from projects.findings.enums import FindingSource
from projects.findings.models import Finding
from projects.monitoring.oversight.forms import MOST_AT_ONCE
from projects.monitoring.oversight.rules import may_review_records
from projects.monitoring.oversight.selectors import REVIEWED_STAGES
from projects.monitoring.oversight.services import records_review
from projects.objective.services import scope_save
from projects.objective.targets.reading import scope_read
from projects.workflow import Move, Stage, State
from tests.projects.releases import stories

INSIDE = ("planner", "executor", "supervisor", "management", "auditor", "assessor")
ENGLISH = {"accept-language": "en"}

pytestmark = pytest.mark.django_db


def START(people):
    """The target has passed its review; the plan waits for its signature."""
    return stories.reach(people, State.PLAN_APPROVAL)


@pytest.fixture
def passed(own_start):
    return own_start.story.project


def address(project, stage=Stage.OBJECTIVE, api=False):
    name = "api:oversight-stage" if api else "monitoring:oversight"
    return reverse(name, kwargs={"project_id": project.pk, "stage": stage.value})


def filled(client, project, **changes):
    """The form as it is shown, with what a person adds."""
    form = client.get(address(project)).context["form"]
    return {
        "content": form.initial["content"],
        "object": form.initial["object"],
        "time": form.initial["time"].strftime("%Y-%m-%dT%H:%M"),
        "process": "Read the plan and the review of the supervisor.",
        "result": "Complete and sound.",
        "measures": "None needed.",
        "outcome": "sound",
        **changes,
    }


def deviation(people, number=1, **changes):
    given = {
        "severity": "major",
        "title": "Section three names no source",
        "description": "The plan says where the data come from; the notice says otherwise.",
        "owner": str(people.planner.pk),
        "due_on": (timezone.localdate() + timedelta(days=7)).isoformat(),
        **changes,
    }
    return {f"deviation{number}-{name}": value for name, value in given.items()}


def record(project, people, **changes):
    given = {
        "content": content_of(project, Stage.OBJECTIVE).hash,
        "object": "The plan",
        "time": timezone.now(),
        "process": "read",
        "result": "complete",
        "measures": "none",
        "outcome": ManagementOutcome.SOUND,
        "by": people.management,
        **changes,
    }
    return records_review(project, Stage.OBJECTIVE, **given)


def owed(people, **changes):
    return {
        "severity": "minor",
        "title": "A date is missing",
        "description": "The plan has no date.",
        "owner": people.planner,
        "due_on": timezone.localdate(),
        **changes,
    }


def test_only_a_stage_that_has_passed_is_reviewed(people):
    project = stories.reach(people, State.OBJECTIVE_REVIEW, "Not reviewed yet").project
    for stage in REVIEWED_STAGES:
        assert may_review_records(people.management, project, stage).code == "stage_not_passed"
    with pytest.raises(Refused):
        record(project, people)
    assert not ManagementReview.objects.exists()


@pytest.mark.parametrize("who", INSIDE)
def test_who_sees_the_project_reads_and_management_alone_records(passed, people, client, who):
    client.force_login(getattr(people, who))
    shown = client.get(address(passed), headers=ENGLISH)
    assert shown.status_code == 200
    assert (shown.context["form"] is not None) == (who == "management")
    page = shown.content.decode()
    assert content_of(passed, Stage.OBJECTIVE).hash in page
    assert "Completeness, as the portal sees it now" in page
    if who != "management":
        assert client.post(address(passed), {}).status_code == 403
        assert client.post(address(passed, api=True), {}).status_code == 403
    assert not ManagementReview.objects.exists()


@pytest.mark.parametrize("who", ["outsider", "recipient", "administrator"])
def test_hidden_from_others(passed, people, client, who):
    client.force_login(getattr(people, who))
    for api in (False, True):
        assert client.get(address(passed, api=api)).status_code == 404
        assert client.post(address(passed, api=api), {}).status_code == 404


def test_a_stage_without_a_review_has_no_such_page(passed, people, client):
    client.force_login(people.management)
    for stage in ("release", "closed", "nothing"):
        for name in ("monitoring:oversight", "api:oversight-stage"):
            path = reverse(name, kwargs={"project_id": passed.pk, "stage": stage})
            assert client.get(path).status_code == 404


def test_what_the_portal_finds_missing_is_shown(passed, people, client):
    """The plan is not signed yet, and nobody has printed a document of it."""
    client.force_login(people.management)
    rows = {str(row["label"]): row["state"] for row in client.get(address(passed)).context["check_rows"]}
    assert rows[str(_("The document of the stage is kept"))] == "waiting"
    shown = client.get(address(passed, api=True)).json()
    assert {one["evidence"]: one["met"] for one in shown["evidence"]} == {
        "team_complete": True,
        "objective_complete": True,
        "objective_reviewed": True,
        "plan_approved": False,
    }
    assert (shown["documents"], shown["may_review"], shown["reason"]) == (0, True, "")


def test_a_review_is_kept_with_its_five_fields_and_moves_nothing(
    passed, people, client, django_capture_on_commit_callbacks
):
    client.force_login(people.management)
    sent = filled(client, passed)
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(address(passed), sent).url == address(passed)
    made = ManagementReview.objects.get()
    assert (made.process, made.result, made.measures) == (sent["process"], sent["result"], sent["measures"])
    assert made.object == sent["object"]
    assert (made.reviewed_by, made.outcome) == (people.management, "sound")
    assert made.review == Review.objects.get()
    assert made.subject_hash == made.review.subject_hash
    passed.refresh_from_db()
    assert passed.state == State.PLAN_APPROVAL
    assert not Finding.objects.exists()
    news = Notification.objects.filter(action="review.by_management")
    assert {one.user for one in news} == {people.planner, people.supervisor}


@pytest.mark.parametrize("field", ["object", "time", "process", "result", "measures", "outcome"])
def test_each_field_is_needed(passed, people, client, field):
    client.force_login(people.management)
    response = client.post(address(passed), filled(client, passed, **{field: " "}))
    assert response.status_code == 422
    assert field in response.context["form"].errors
    assert not ManagementReview.objects.exists()


def test_each_deviation_becomes_a_finding(passed, people, client):
    client.force_login(people.management)
    sent = filled(client, passed, outcome="deviating", measures="")
    sent |= deviation(people) | deviation(people, number=3, title="A second one", severity="minor")
    assert client.post(address(passed), sent).status_code == 302
    made = ManagementReview.objects.get()
    found = Finding.objects.order_by("number")
    assert [one.title for one in found] == ["Section three names no source", "A second one"]
    for one in found:
        assert (one.source, one.origin_id) == (FindingSource.MANAGEMENT, made.pk)
        assert (one.stage, one.owner, one.raised_by) == ("objective", people.planner, people.management)
    with override("en"):
        page = client.get(address(passed), headers=ENGLISH).content.decode()
        assert "Section three names no source" in page
        detail = client.get(reverse("findings:detail", args=[passed.pk, found[0].pk]), headers=ENGLISH)
        assert "Review by senior management of the records of the stage" in detail.content.decode()
        assert address(passed) in detail.content.decode()


def test_the_conclusion_fits_what_was_stated(passed, people, client):
    client.force_login(people.management)
    sound = filled(client, passed)
    for sent, field in (
        (sound | {"outcome": "deviating"}, "outcome"),
        (sound | deviation(people), "outcome"),
        (sound | {"outcome": "deviating", "result_chosen": "0"} | deviation(people), "result"),
        (sound | {"measures_chosen": "1"}, "measures"),
        (sound | {"outcome": "deviating", "measures_chosen": "0"} | deviation(people), "measures"),
        (sound | {"outcome": "deviating"} | deviation(people, title=""), "__all__"),
        (sound | {"outcome": "deviating"} | deviation(people, due_on="2020-01-01"), "__all__"),
    ):
        response = client.post(address(passed), sent)
        assert response.status_code == 422
        assert field in response.context["form"].errors, field
    assert not ManagementReview.objects.exists()
    assert not Finding.objects.exists()


def test_review_and_findings_are_written_together_or_not_at_all(passed, people):
    with pytest.raises(Refused):
        record(passed, people, outcome=ManagementOutcome.DEVIATING)
    with pytest.raises(Refused):
        record(passed, people, deviations=[owed(people)])
    # A recipient puts nothing right.
    wrong = [owed(people), owed(people, owner=people.recipient)]
    with pytest.raises(Refused):
        record(passed, people, outcome=ManagementOutcome.DEVIATING, deviations=wrong)
    assert not ManagementReview.objects.exists()
    assert not Finding.objects.exists()
    assert not history_of(passed).filter(action="review.by_management").exists()


def test_other_content_than_was_shown_is_refused(passed, people, client):
    client.force_login(people.management)
    assert client.post(address(passed), filled(client, passed, content="0" * 64)).status_code == 422
    with pytest.raises(Refused) as refused:
        record(passed, people, content="0" * 64)
    assert refused.value.verdict.code == "content_changed"
    assert not ManagementReview.objects.exists()


def test_what_changes_afterwards_is_another_version(people, client):
    project = stories.reach(people, State.IDENTIFICATION, "Signed").project
    record(project, people)
    client.force_login(people.management)
    shown = address(project)
    assert "of an earlier version" not in client.get(shown, headers=ENGLISH).content.decode()
    assert client.get(reverse("api:oversight", args=[project.pk])).json()[0]["is_current"] is True
    project_move_directly(project, move=Move.REVISE_OBJECTIVE, by=people.planner, reason="A goal is missing")
    project.refresh_from_db()
    other = project.objective.scope | {"use": "Another use than before"}
    scope_save(project, scope=scope_read(other), by=people.planner)
    assert may_review_records(people.management, project, Stage.OBJECTIVE).code == "stage_changed_since"
    for path in (shown, reverse("monitoring:page", args=[project.pk])):
        assert "of an earlier version" in client.get(path, headers=ENGLISH).content.decode()
    assert client.get(reverse("api:oversight", args=[project.pk])).json()[0]["is_current"] is False


def test_programs_do_what_the_page_does(passed, people, client):
    client.force_login(people.management)
    path = address(passed, api=True)
    sent = {
        "content": client.get(path).json()["content"],
        "object": "The plan",
        "time": timezone.now().isoformat(),
        "process": "read",
        "result": "a date is missing",
        "measures": "a finding",
        "outcome": "deviating",
        "deviations": [owed(people, owner=people.planner.username, due_on=str(timezone.localdate()))],
    }
    for wrong, status in (
        ({"deviations": []}, 403),
        ({"outcome": "sound"}, 403),
        ({"content": "0" * 64}, 403),
        ({"time": (timezone.now() + timedelta(days=1)).isoformat()}, 400),
        ({"measures": ""}, 400),
    ):
        answer = client.post(path, sent | wrong, content_type="application/json")
        assert answer.status_code == status, answer.content
    assert not ManagementReview.objects.exists()
    made = client.post(path, sent, content_type="application/json")
    assert made.status_code == 201, made.content
    (finding,) = Finding.objects.all()
    assert made.json()["findings"] == [str(finding.pk)]
    assert client.get(reverse("api:oversight", args=[passed.pk])).json() == [made.json()]
    assert client.get(path).json()["reviews"] == [made.json()]


def test_it_stands_where_the_reviews_of_the_supervisor_stand(passed, people, client):
    client.force_login(people.management)
    names = ("objective:page", "core:project", "monitoring:page")
    paths = [reverse(name, args=[passed.pk]) for name in names]
    before = [client.get(path, headers=ENGLISH).content.decode() for path in paths]
    assert "Review the records of the stage" in before[0]
    assert "Reviews by senior management" not in before[1]
    assert address(passed) in before[2]
    assert "management_reviews" not in decisions_of(passed)
    record(passed, people, outcome=ManagementOutcome.DEVIATING, deviations=[owed(people)])
    after = [client.get(path, headers=ENGLISH).content.decode() for path in paths]
    assert "Records of the stage: deviations were found" in after[0]
    assert "Reviews by senior management" in after[1]
    assert "A date is missing" in after[2]
    (shown,) = decisions_of(passed)["management_reviews"]
    assert (shown["stage"], shown["outcome"], shown["measures"]) == ("objective", "deviating", "none")
    assert shown["subject"]["hash"] == content_of(passed, Stage.OBJECTIVE).hash
    sentence = client.get(reverse("core:history", args=[passed.pk]), headers=ENGLISH).content.decode()
    assert f"{people.management}, senior management, reviewed the records of the stage" in sentence


def test_a_review_asks_for_no_more_than_its_page_shows(passed, people, client):
    assert MOST_AT_ONCE == 3
    client.force_login(people.management)
    page = client.get(address(passed), headers=ENGLISH).content.decode()
    assert [f"Deviation {number}" in page for number in (1, 2, 3, 4)] == [True, True, True, False]
