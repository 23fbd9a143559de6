"""A look back is recorded after the release, by the planning manager or the supervisor, and written once."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from projects.core.models import Notification
from projects.lessons import events
from projects.lessons.models import TEXTS, Lesson
from projects.lessons.services import lesson_record
from tests.projects.releases import stories

START = stories.released
SAID = {
    "risk": "As targeted.",
    "usefulness": "Rates came out as needed.",
    "efficiency": "The review waited for nine days.",
    "went_well": "The recipe was right at once.",
    "to_change": "Ask for the dictionary first.",
}
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def recorded(monitored, people, by="supervisor", owner="executor", **more):
    return lesson_record(
        monitored.project, owner=getattr(people, owner), by=getattr(people, by), **(SAID | more)
    )


def page(project):
    return reverse("lessons:page", kwargs={"project_id": project.pk})


@pytest.mark.parametrize("who", ["planner", "supervisor"])
def test_planner_and_supervisor_look_back(monitored, people, who, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        lesson = recorded(monitored, people, who)
    assert [getattr(lesson, name) for name in TEXTS] == [SAID[name] for name in TEXTS]
    assert AuditEvent.objects.get(action=events.RECORDED).subject_id == str(lesson.pk)
    (message,) = Notification.objects.filter(action=events.RECORDED)
    assert (message.user, message.reason) == (people.executor, SAID["to_change"])


@pytest.mark.parametrize("who", ["executor", "management", "auditor", "recipient", "outsider"])
def test_nobody_else_does(monitored, people, who):
    with pytest.raises(Refused):
        recorded(monitored, people, who)


def test_not_before_the_release(people, project):
    with pytest.raises(Refused):
        lesson_record(project, owner=people.executor, by=people.planner, **SAID)


def test_every_question_is_answered_and_the_owner_works_there(monitored, people):
    with pytest.raises(Refused):
        recorded(monitored, people, efficiency=" ")
    for outside in ("recipient", "outsider", "auditor"):
        with pytest.raises(Refused):
            recorded(monitored, people, owner=outside)


def test_it_is_written_once(monitored, people):
    lesson = recorded(monitored, people)
    for write in (lambda rows: rows.update(to_change="Nothing"), lambda rows: rows.delete()):
        with pytest.raises(DatabaseError), transaction.atomic(), recording(events.RECORDED, by=None):
            write(Lesson.objects.filter(pk=lesson.pk))
    assert recorded(monitored, people).number == 2


def test_on_the_page(monitored, people, client):
    client.force_login(people.planner, backend=BACKEND)
    address = page(monitored.project)
    assert client.post(address, SAID).status_code == 422
    assert client.post(address, SAID | {"owner": str(people.recipient.pk)}).status_code == 422
    assert client.post(address, SAID | {"owner": str(people.executor.pk)}).status_code == 302
    client.force_login(people.auditor, backend=BACKEND)
    shown = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert SAID["efficiency"] in shown
    assert "You have no role in this project." in shown


def test_the_same_through_the_api(monitored, people, client):
    client.force_login(people.supervisor, backend=BACKEND)
    address = reverse("api:lessons", kwargs={"project_id": monitored.project.pk})
    wrong = client.post(address, SAID | {"owner": "recipient"}, content_type="application/json")
    assert wrong.status_code == 400
    made = client.post(address, SAID | {"owner": "executor"}, content_type="application/json")
    assert made.status_code == 201
    (kept,) = client.get(address).json()
    assert (kept["number"], kept["to_change"]) == (1, SAID["to_change"])
