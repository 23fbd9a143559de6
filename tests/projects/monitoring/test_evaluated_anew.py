"""What is no longer what was evaluated is evaluated anew (T/ISC 0078 11.1 d)."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.test import APIClient

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.models import Project
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.monitoring.enums import ChangeKind, ReassessmentOutcome
from projects.monitoring.models import ChangeEvent, Reassessment
from projects.monitoring.services import change_report, reassessment_conclude
from projects.processing.runs.selectors import latest_run, result_open
from projects.releases.deliveries.services import delivery_request, seal_break
from projects.releases.selectors import current_release
from projects.reversal.selectors import reversible_columns
from projects.reversal.services import reversal_ask, reversal_decide
from projects.workflow import Move, State
from tests.projects.monitoring.steps import reported
from tests.projects.releases import stories
from tests.projects.releases.stories import stored_of

START = stories.released


def alter(release):
    with stored_of(release).path.open("r+b") as file:
        file.seek(40)
        byte = file.read(1)
        file.seek(40)
        file.write(bytes([byte[0] ^ 1]))


def delivered(monitored, people):
    release = current_release(monitored.project)
    delivery_request(release, notice_read=True, by=people.recipient)
    monitored.run_jobs()
    return release


def test_a_seal_found_broken_at_a_delivery_opens_a_reassessment(monitored, people, client):
    alter(current_release(monitored.project))
    release = delivered(monitored, people)
    made = Reassessment.objects.get(change__isnull=False)
    assert (made.change.kind, made.change.reported_by, made.release) == (ChangeKind.SEAL, None, release)
    assert release.files[0]["sha256"] in made.change.said
    assert made.is_open
    assert made.remeasured.broken
    assert made.met is False
    event = AuditEvent.objects.get(action="change.reported")
    assert (event.actor, event.facts["change"]) == ("portal", ChangeKind.SEAL.value)
    path = reverse("monitoring:reassessment", args=[made.project_id, made.pk])
    client.force_login(people.supervisor)
    assert str(ChangeKind.SEAL.label) in client.get(path).content.decode()
    assert path in client.get(reverse("releases:page", args=[made.project_id])).content.decode()
    (task,) = [one for one in tasks_of(people.supervisor) if one.url == path]
    assert str(task.hint) == _("%(why)s; due on %(date)s") % {
        "why": ChangeKind.SEAL.label,
        "date": made.due_on,
    }
    with pytest.raises(Refused):
        reassessment_conclude(made, outcome=ReassessmentOutcome.KEEP, finding="Fine.", by=people.supervisor)
    reassessment_conclude(
        made, outcome=ReassessmentOutcome.VERIFY, finding="Altered bytes.", by=people.supervisor
    )
    assert Project.objects.get(pk=made.project_id).state == State.VERIFICATION


def test_one_reassessment_for_one_broken_seal(monitored, people):
    release = current_release(monitored.project)
    for _again in range(2):
        seal_break(release, recipient=people.recipient)
    assert ChangeEvent.objects.count() == 1
    said = (
        "The seal of the release is broken: a stored file, or what is recorded of the release, was altered."
    )
    assert ChangeEvent.objects.get().said == _(said)


def test_a_reassessment_that_finds_it_is_the_one(monitored, people, client):
    alter(current_release(monitored.project))
    made = reported(monitored, people)
    assert made.remeasured.broken
    assert [one.kind for one in ChangeEvent.objects.all()] == [ChangeKind.SYSTEM]
    client.force_login(people.planner)
    page = client.get(reverse("releases:page", args=[made.project_id])).content.decode()
    assert reverse("monitoring:reassessment", args=[made.project_id, made.pk]) in page


def test_a_sound_seal_says_nothing(monitored, people, client):
    periodic = Reassessment.objects.get()
    delivered(monitored, people)
    assert not ChangeEvent.objects.exists()
    client.force_login(people.planner)
    page = client.get(reverse("releases:page", args=[monitored.project.pk])).content.decode()
    assert reverse("monitoring:reassessment", args=[monitored.project.pk, periodic.pk]) not in page


def reversed_once(monitored, people, column, value):
    run = latest_run(monitored.project)
    request = reversal_ask(run, column=column, values=[value], reason="Asked for.", by=people.executor)
    reversal_decide(request, approve=True, reason="As asked.", by=people.supervisor)
    monitored.run_jobs()


def test_values_got_back_from_what_is_released_open_one(monitored, people):
    run = latest_run(monitored.project)
    column = next(one.column for one in reversible_columns(monitored.project) if one.run == run)
    with result_open(run.tables.get()) as stream:
        rows = list(csv.DictReader(io.StringIO(bytes(stream.read()).decode("gb18030"))))
    reversed_once(monitored, people, column, "of nobody")
    assert not ChangeEvent.objects.exists()
    for row in rows[:2]:
        reversed_once(monitored, people, column, row[column])
    change = ChangeEvent.objects.get()
    assert (change.kind, change.reported_by) == (ChangeKind.ROLLBACK, None)
    assert column in change.said
    assert rows[0][column] not in change.said
    assert change.reassessment.is_open
    reassessment_conclude(
        change.reassessment, outcome=ReassessmentOutcome.KEEP, finding="Read by one.", by=people.supervisor
    )
    project_move(monitored.project, move=Move.SUSPEND, by=people.supervisor, reason="Asked about.")
    reversed_once(monitored, people, column, rows[2][column])
    assert ChangeEvent.objects.count() == 2


@pytest.mark.parametrize("kind", [ChangeKind.IDENTIFIERS, ChangeKind.ROLLBACK])
def test_people_report_it_and_programs_read_the_cause(monitored, people, kind):
    caller = APIClient()
    caller.force_authenticate(people.planner)
    sent = {"kind": kind.value, "description": "A list of names was joined.", "happened_on": "2026-01-05"}
    path = reverse("api:changes", args=[monitored.project.pk])
    assert caller.post(path, sent, format="json").json()["cause"] == kind.value
    found = caller.get(reverse("api:reassessments", args=[monitored.project.pk])).json()
    assert sorted(one["cause"] for one in found) == ["", kind.value]
    with pytest.raises(Refused):
        change_report(
            monitored.project,
            kind=kind,
            description="x",
            happened_on=ChangeEvent.objects.get().happened_on,
            by=people.management,
        )
