"""What was asked and approved does not outlive what it rested on: the project, the person, the second person."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.accounts.models import User
from deid_portal.accounts.persons import person_link
from projects.core.models import Membership, Project
from projects.core.services import member_end, project_move
from projects.datasets.models import StoredFile
from projects.reversal import services
from projects.reversal.models import ReversalRequest
from projects.reversal.services import reversal_decide, reversal_read, reversals_expire
from projects.workflow import Move, State
from tests.projects.written import write

from .conftest import reversible
from .test_reversal import approved, ask

pytestmark = pytest.mark.django_db
START = reversible


def fresh(request):
    return ReversalRequest.objects.select_related("project", "asked_by", "asked", "decided_by").get(
        pk=request.pk
    )


def move(scenario, move, by):
    return project_move(Project.objects.get(pk=scenario.project.pk), move=move, by=by, reason="seen anew")


def decide(scenario, request, approve=True):
    return reversal_decide(request, approve=approve, reason="as said", by=scenario.people.supervisor)


def is_destroyed(stored_id):
    return StoredFile.objects.get(pk=stored_id).destroyed_at is not None


def leave(scenario, with_move):
    by = scenario.people.planner if with_move == Move.WITHDRAW else scenario.people.supervisor
    return move(scenario, with_move, by)


@pytest.mark.parametrize("with_move", [Move.WITHDRAW, Move.REOPEN_PROCESSING])
@pytest.mark.parametrize("suspended", [False, True])
def test_everything_ends_when_the_result_is_no_longer_approved(scenario, client, with_move, suspended):
    ready, waiting, running = approved(scenario), ask(scenario), ask(scenario, rows=(4,))
    decide(scenario, running)
    if suspended:  # an interruption alone ends nothing
        move(scenario, Move.SUSPEND, scenario.people.supervisor)
        assert reversal_read(fresh(ready), by=scenario.people.executor)
        assert fresh(waiting).status == "waiting"
        move(scenario, Move.RESUME, scenario.people.supervisor)
    leave(scenario, with_move)
    ready, waiting = fresh(ready), fresh(waiting)
    assert (ready.status, waiting.status) == ("ended", "lapsed")
    assert is_destroyed(ready.answer_id)
    assert is_destroyed(waiting.asked_id)
    with pytest.raises(Refused):
        reversal_read(ready, by=scenario.people.executor)
    with pytest.raises(Refused):
        decide(scenario, waiting)
    running = fresh(running)
    assert (running.status, running.failed_code, running.answer_id) == ("failed", "wrong_state", None)
    assert is_destroyed(running.asked_id)
    with pytest.raises(RuntimeError, match="wrong_state"):
        scenario.story.run_jobs()
    assert fresh(running).status == "failed"
    actions = AuditEvent.objects.filter(project_id=scenario.project.pk).values_list("action", flat=True)
    assert {"reversal.lapsed", "reversal.cut_short", "reversal.failed"} <= set(actions)
    client.force_login(scenario.people.supervisor)
    shown = client.get(reverse("reversal:detail", args=[scenario.project.pk, waiting.pk]))
    assert shown.status_code == 200
    assert b'value="approve"' not in shown.content


def test_a_suspended_project_is_what_it_was(scenario):
    move(scenario, Move.SUSPEND, scenario.people.supervisor)
    scenario.run.project.refresh_from_db()
    assert ask(scenario)
    move(scenario, Move.RESUME, scenario.people.supervisor)
    leave(scenario, Move.REOPEN_PROCESSING)
    move(scenario, Move.SUSPEND, scenario.people.supervisor)
    scenario.run.project.refresh_from_db()
    assert scenario.run.project.suspended_from == State.PROCESSING
    with pytest.raises(Refused) as refused:
        ask(scenario)
    assert refused.value.verdict.code == "wrong_state"


def gone(scenario, how):
    if how == "role":
        member_end(
            Membership.objects.get(project=scenario.project, user=scenario.people.executor),
            by=scenario.people.planner,
        )
    else:
        write(scenario.people.executor, is_active=False)


@pytest.mark.parametrize("how", ["role", "account"])
def test_who_asked_must_still_work_on_the_project(scenario, how, client):
    undecided, decided = ask(scenario), ask(scenario, rows=(4,))
    decide(scenario, decided)
    gone(scenario, how)
    with pytest.raises(Refused) as refused:
        decide(scenario, fresh(undecided))
    assert refused.value.verdict.code == "asker_gone"
    client.force_login(scenario.people.supervisor)
    shown = client.get(reverse("reversal:detail", args=[scenario.project.pk, undecided.pk])).content.decode()
    assert 'value="refuse"' in shown
    assert 'value="approve"' not in shown
    assert decide(scenario, fresh(undecided), approve=False).status == "refused"
    assert is_destroyed(undecided.asked_id)
    with pytest.raises(RuntimeError):
        scenario.story.run_jobs()
    decided = fresh(decided)
    assert (decided.status, decided.failed_code, decided.answer_id) == ("failed", "asker_gone", None)


def link(scenario):
    people = scenario.people
    person_link(people.executor, people.supervisor, reason="found to be one", by=people.administrator)


def later(monkeypatch, **time):
    at = timezone.now() + timedelta(**time)
    monkeypatch.setattr(services.timezone, "now", lambda: at)


def test_accounts_linked_after_the_approval(scenario, monkeypatch):
    first, second, running = approved(scenario), approved(scenario), ask(scenario)
    decide(scenario, running)
    link(scenario)
    executor = User.objects.get(pk=scenario.people.executor.pk)
    with pytest.raises(Refused) as refused:
        reversal_read(fresh(first), by=executor)
    assert refused.value.verdict.code == "decided_by_self"
    with pytest.raises(RuntimeError):
        scenario.story.run_jobs()
    assert (fresh(running).status, fresh(running).failed_code) == ("failed", "decided_by_self")
    later(monkeypatch, days=30)
    assert reversals_expire() == 2
    assert is_destroyed(first.answer_id)
    assert is_destroyed(second.answer_id)


def test_one_answer_that_cannot_be_destroyed_keeps_no_other_alive(scenario, monkeypatch, caplog):
    first, second = approved(scenario), approved(scenario)
    destroy = services.store_destroy

    def fails_once(stored):
        if stored.pk == first.answer_id:
            raise OSError("a text that might hold a value")
        destroy(stored)

    monkeypatch.setattr(services, "store_destroy", fails_once)
    later(monkeypatch, days=30)
    assert reversals_expire() == 1
    assert (fresh(first).status, fresh(second).status) == ("ready", "ended")
    assert str(first.pk) in caplog.text
    assert "might hold" not in caplog.text
    monkeypatch.setattr(services, "store_destroy", destroy)
    assert reversals_expire() == 1


@pytest.mark.parametrize(
    "change",
    [
        "readable_until = '2099-01-01 00:00:00'",
        "readable_until = NULL",
        "reads = 0",
        "number = 9",
        "way = 'decryption'",
        "values_count = 9",
        "found_count = 9",
        "asked_at = '2000-01-01 00:00:00'",
        "decided_at = '2000-01-01 00:00:00'",
        "answer_id = asked_id",
        "job_id = NULL",
        "status = 'running', answer_id = NULL, found_count = NULL, readable_until = NULL, reads = 0",
    ],
)
def test_below_the_rules_nothing_changes_afterwards(scenario, change):
    request = approved(scenario)
    reversal_read(request, by=scenario.people.executor)
    refuses(request, change)


def refuses(request, change):
    sql = f"UPDATE reversal_reversalrequest SET {change} WHERE number = %s"
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, [request.number])


def test_below_the_rules_an_end_is_an_end(scenario):
    ended = approved(scenario)
    services.reversal_end(ended, by=scenario.people.executor)
    refuses(ended, "status = 'ready'")
    failed = ask(scenario)
    decide(scenario, failed)
    services.reversal_fail(failed, code="internal")
    services.reversal_fail(failed, code="another")
    assert fresh(failed).failed_code == "internal"
    refuses(failed, "status = 'running', failed_code = ''")
    lapsing = ask(scenario)
    services.reversals_lapse(scenario.project)
    refuses(lapsing, "status = 'waiting'")
