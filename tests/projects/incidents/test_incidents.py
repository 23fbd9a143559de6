"""Incidents: reported by anybody, stopped, put right, notified by law, closed by senior management, and learned from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.documents.models import Document
from approvals.governance.verdict import Refused
from projects.core.models import Project
from projects.core.tasks_registry import tasks_of
from projects.incidents import selectors
from projects.incidents.documents import report_context
from projects.incidents.enums import PDF_JOB, IncidentAct, IncidentKind, IncidentSeverity, IncidentVerdict
from projects.incidents.models import Incident
from projects.incidents.presentation import duties_of, next_duty
from projects.incidents.rules import ACTS, may_act
from projects.incidents.services import incident_act, incident_raise
from projects.monitoring.models import Reassessment
from projects.releases.rules import may_receive
from projects.releases.selectors import current_release
from projects.workflow import Role
from tests.approvals.documents.printed import print_waiting
from tests.projects.releases import stories
from tests.projects.rows import put, team, unkept

START = stories.released
A = IncidentAct


@pytest.fixture
def monitored(story_at):
    return story_at("monitoring", stories.released)


def report(project, by, **given) -> Incident:
    said = {
        "kind": IncidentKind.LEAK, "severity": IncidentSeverity.MAJOR, "description": "A file lay open.",
        "noticed_at": timezone.now(),
    }  # fmt: skip
    return incident_raise(project, **said | given, by=by)


def act(incident, what: A, by, text="As it was agreed."):
    return incident_act(incident, act=what, text=text, by=by)


def test_from_a_recipients_report_to_the_lessons(monitored, people, client):
    project = monitored.project
    release = current_release(project)
    # A recipient reports it, by the page of what they received.
    client.force_login(people.recipient)
    page = reverse("recipient_incidents:page", args=[release.pk])
    sent = {
        "kind": "reidentification",
        "severity": "major",
        "description": "One is known.",
        "noticed_at": "2020-01-01T08:00",
    }
    assert client.post(page, sent | {"noticed_at": "2999-01-01T08:00"}).status_code == 422
    assert client.post(page, sent).status_code == 302
    incident = Incident.objects.get()
    assert "One is known." not in client.get(page).content.decode(), "of what is looked into, only the state"
    assert client.get(reverse("incidents:incident", args=[project.pk, incident.pk])).status_code == 404
    # Stopped at once, confirmed, and so looked back at.
    act(incident, A.STOP, people.planner)
    assert may_receive(people.recipient, release).code == "incident_stops_deliveries"
    act(incident, A.CONFIRM, people.supervisor)
    incident.refresh_from_db()
    assert incident.reassessment == Reassessment.objects.get(change__kind="incident")
    # The end waits for what the law asks.
    for what, who, code in (
        (A.RESUME, people.supervisor, "no_measure"),
        (A.MEASURE, people.executor, "not_notified"),
        (A.AUTHORITY, people.planner, "not_notified"),
    ):
        act(incident, what, who)
        with pytest.raises(Refused, match=code):
            act(incident, A.CLOSE, people.management)
    assert may_receive(people.recipient, current_release(project))
    assert next_duty(incident, selectors.steps_of(incident)).due == incident.persons_by
    act(incident, A.SPARE, people.management)
    with pytest.raises(Refused, match="incident_text_needed"):
        act(incident, A.CLOSE, people.management, text=" ")
    assert reverse("incidents:incident", args=[project.pk, incident.pk]) in [
        t.url for t in tasks_of(people.management)
    ]
    client.force_login(people.management)
    where = reverse("incidents:incident", args=[project.pk, incident.pk])
    assert client.post(where, {"act": "close", "text": "Fewer columns next time."}).status_code == 302
    with pytest.raises(Refused, match="incident_closed"):
        act(incident, A.MEASURE, people.executor)
    assert "Fewer columns next time." in client.get(where).content.decode()
    print_waiting(PDF_JOB)
    printed = Document.objects.filter(project_id=project.pk, kind="incident_report")
    assert {one.language for one in printed} == {"en", "zh-hans"}
    with override("en"):
        shown = report_context(incident)
        assert "What it may be called" in dict(shown["brief"])
        notified, spared, _law = shown["weigh"]
    assert notified.startswith("The authority was notified · ")
    assert spared.startswith("The persons need not be notified: the measures avoid the harm · ")
    events = list(AuditEvent.objects.filter(action__startswith="incident.").order_by("seq"))
    assert [one.action.removeprefix("incident.") for one in events] == [
        "raised", "stop", "confirm", "resume", "measure", "authority", "spare", "close",
    ]  # fmt: skip
    assert not any("One is known" in str(one.facts) + one.reason for one in events)


def test_an_unfounded_one_asks_for_nothing_and_is_found_by_programs(monitored, people, client):
    project = monitored.project
    client.force_login(people.auditor)
    url = reverse("api:incidents", args=[project.pk])
    sent = {
        "kind": "misuse",
        "severity": "minor",
        "description": "It seems so.",
        "noticed_at": timezone.now().isoformat(),
    }
    made = client.post(url, sent, content_type="application/json")
    assert made.status_code == 201
    assert [one["id"] for one in client.get(reverse("api:incident-board")).json()] == [made.json()["id"]]
    detail = reverse("api:incidents-detail", args=[project.pk, made.json()["id"]])
    assert (
        client.post(detail, {"act": "measure", "text": "so"}, content_type="application/json").status_code
        == 403
    )
    incident = Incident.objects.get()
    act(incident, A.UNFOUNDED, people.supervisor)
    incident.refresh_from_db()
    assert (duties_of(incident, []), incident.reassessment) == ([], None)
    with pytest.raises(Refused, match="incident_judged_already"):
        act(incident, A.CONFIRM, people.supervisor)
    act(incident, A.CLOSE, people.management)
    assert client.get(detail).json()["closed_at"]
    assert client.get(reverse("api:incident-board")).json() == []


@pytest.fixture
def it(db) -> Iterator[SimpleNamespace]:
    with unkept():
        project = put(Project, state="monitoring")
        people = team(project)
        incident = put(
            Incident,
            project=project,
            kind="leak",
            severity="minor",
            description="x",
            raised_by=people["executor"],
        )
        yield SimpleNamespace(people=people, incident=incident)


@pytest.mark.parametrize("what", list(A))
def test_each_act_is_of_its_roles(it, what):
    roles = {role.value for role in ACTS[what].roles}
    if what == A.RESUME:
        it.incident.stopped = True
    if what == A.CLOSE:
        it.incident.verdict = IncidentVerdict.UNFOUNDED
    for name, user in it.people.items():
        assert bool(may_act(user, it.incident, what, [])) == (name in roles), name
        if name in roles and ACTS[what].once:
            assert may_act(user, it.incident, what, [what]).code == "notified_already"
    assert Role.RECIPIENT not in roles


def test_deadlines_are_the_organisations(it, settings):
    settings.DEID_INCIDENT_AUTHORITY_HOURS, settings.DEID_INCIDENT_PERSONS_HOURS = 1, 3
    authority, persons = duties_of(it.incident, [])
    assert (authority.due, persons.due) == tuple(it.incident.raised_at + timedelta(hours=h) for h in (1, 3))
    assert not authority.is_late
    it.incident.raised_at -= timedelta(hours=2)
    authority, persons = duties_of(it.incident, [])
    assert (authority.is_late, persons.is_late) == (True, False)
