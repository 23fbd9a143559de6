"""A release that does not meet its targets any more: not kept by the supervisor alone, and not received for ever."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.documents.models import Document
from approvals.governance.verdict import Refused
from deid_portal.demo.story import run_jobs
from projects.core.tasks_registry import tasks_of
from projects.monitoring import events
from projects.monitoring.acceptance.services import risk_accept
from projects.monitoring.documents import REPORT_JOB
from projects.monitoring.enums import ReassessmentOutcome
from projects.monitoring.models import Reassessment, RiskAcceptance
from projects.monitoring.services import reassessment_conclude, reassessment_measure_again
from projects.objective.models import Objective
from projects.releases.rules import may_receive
from projects.releases.selectors import current_release
from projects.workflow import State
from tests.approvals.documents.printed import print_waiting
from tests.fixtures import PASSWORD
from tests.projects.monitoring.steps import reported
from tests.projects.releases import stories

START = stories.released


@pytest.fixture
def failed(monitored, people):
    """Measured again by targets that the release does not meet."""
    with recording(events.REASSESSMENT_MEASURING, by=None):
        objective = Objective.objects.get(project=monitored.project)
        objective.risk = objective.risk | {"k": 10_000}
        objective.save()
    made = reported(monitored, people)
    assert made.met is False
    return made


def fresh(made: Reassessment) -> Reassessment:
    return Reassessment.objects.select_related("project", "release").get(pk=made.pk)


def keep(made, people):
    return reassessment_conclude(
        fresh(made), outcome=ReassessmentOutcome.KEEP, finding="so", by=people.supervisor
    )


def accept(made, people, *, days=30, reason="few persons, and a trusted recipient", by=None):
    until = timezone.localdate() + timedelta(days=days)
    return risk_accept(fresh(made), until=until, reason=reason, by=by or people.management)


def may_be_received(project, people):
    return may_receive(people.recipient, current_release(project)).code


def test_it_stays_only_where_senior_management_accepts_that_until_a_day(failed, people, client):
    project = failed.project
    with pytest.raises(Refused, match="targets_not_met"):
        keep(failed, people)
    for who in (people.planner, people.executor, people.supervisor, people.auditor, people.recipient):
        with pytest.raises(Refused):
            accept(failed, people, by=who)
    for wrong, code in (
        ({"days": -1}, "day_past"),
        ({"days": 400}, "accepted_too_long"),
        ({"reason": " "}, "reason_needed"),
    ):
        with pytest.raises(Refused, match=code):
            accept(failed, people, **wrong)
    # On the page, with the password.
    page = reverse("monitoring:reassessment", args=[project.pk, failed.pk])
    client.force_login(people.supervisor)
    sent = client.post(page, {"outcome": "keep", "finding": "so"}, headers={"accept-language": "en"})
    assert (sent.status_code, "senior management accepts" in sent.content.decode()) == (422, True)
    client.force_login(people.management)
    assert page + "#accept" in [task.url for task in tasks_of(people.management)]
    until = timezone.localdate() + timedelta(days=30)
    form = {"until": until, "reason": "few persons", "secret": PASSWORD}
    assert client.post(page + "accept/", form | {"secret": "wrong"}).status_code == 422
    assert client.post(page + "accept/", form).status_code == 302
    # Twice is refused with a reason.
    assert client.post(page + "accept/", form).status_code == 403
    with pytest.raises(Refused, match="risk_accepted_already"):
        accept(failed, people)
    api = reverse("api:reassessments-detail", args=[project.pk, failed.pk])
    assert client.get(api).json()["accepted_until"] == str(until)
    keep(failed, people)
    planned = Reassessment.objects.get(project=project, due_on=until)
    assert planned.opened_at is None
    assert may_be_received(project, people) == ""
    print_waiting(REPORT_JOB)
    assert Document.objects.filter(project_id=project.pk, kind="reassessment_report").count() == 2


def test_what_was_accepted_is_one_measurement_and_ends_on_its_day(failed, people, monkeypatch):
    project = failed.project
    accept(failed, people)
    reassessment_measure_again(fresh(failed), by=people.supervisor)
    run_jobs(documents=False)
    with pytest.raises(Refused, match="targets_not_met"):
        keep(failed, people)
    accept(failed, people, days=3)
    keep(failed, people)
    assert list(RiskAcceptance.objects.filter(ended_at=None)) == [
        RiskAcceptance.objects.latest("accepted_at")
    ]
    today = timezone.localdate()
    for days, code in ((3, ""), (4, "reassessment_overdue")):
        monkeypatch.setattr(timezone, "localdate", lambda days=days: today + timedelta(days=days))
        assert may_be_received(project, people) == code


def test_overdue_beyond_the_grace_stops_deliveries_until_it_is_concluded(
    monitored, people, monkeypatch, settings
):
    project, settings.DEID_REASSESSMENT_GRACE_DAYS = monitored.project, 5
    made = reported(monitored, people)
    late = made.due_on + timedelta(days=5)
    for day, code in ((late, ""), (late + timedelta(days=1), "reassessment_overdue")):
        monkeypatch.setattr(timezone, "localdate", lambda day=day: day)
        assert may_be_received(project, people) == code
    keep(made, people)
    assert may_be_received(project, people) == ""


def test_the_supervisor_suspends_it(failed, people):
    project = failed.project
    reassessment_conclude(
        fresh(failed), outcome=ReassessmentOutcome.SUSPEND, finding="not met", by=people.supervisor
    )
    project.refresh_from_db()
    assert project.state == State.SUSPENDED
    assert may_be_received(project, people) == "project_suspended"
    assert Reassessment.objects.filter(
        project=project, concluded_at=None, due_on__lte=timezone.localdate() + timedelta(days=14)
    )
