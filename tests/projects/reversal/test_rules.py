"""Custody is divided (4.2 c): who works asks, a judge decides about other people's questions, who asked reads, for a time."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Membership, Project
from projects.processing.models import Run
from projects.reversal import rules
from projects.reversal.models import ReversalRequest
from projects.workflow import SIGNED, State
from tests.projects.rows import account, change, member, put, team, unkept

pytestmark = pytest.mark.django_db
ASKING, DECIDING = ("planner", "executor"), ("supervisor", "management")
# Later than the longest run of all tests lasts: this is read when they are collected.
SOON = timezone.now() + timedelta(days=1)


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


@pytest.fixture
def it() -> SimpleNamespace:
    """A monitored project whose executor has asked for a value."""
    project = put(Project, state=State.MONITORING)
    people = team(project)
    return SimpleNamespace(project=project, people=people, request=asked(project, people["executor"]))


def asked(project: Project, by: Any) -> ReversalRequest:
    row = put(ReversalRequest, project=project, asked_by=by, way="decryption")
    return fresh(row)


def fresh(row: Any) -> Any:
    return type(row)._base_manager.get(pk=row.pk)


def come_to(it: SimpleNamespace, status: str) -> ReversalRequest:
    """The executor's request as the supervisor and the worker leave it."""
    row = it.request
    if status == "lapsed":
        change(row, status=status)
    elif status != "waiting":
        first = "refused" if status == "refused" else "running"
        change(
            row, status=first, decided_by=it.people["supervisor"], decided_at=SOON, decision_reason="as seen"
        )
    if status in ("ready", "ended"):
        change(row, status="ready", answer_id=uuid.uuid4(), found_count=1, readable_until=SOON)
    if status == "failed":
        change(row, status="failed", failed_code="internal")
    if status == "ended":
        change(row, status="ended")
    return fresh(row)


STATUSES = ("waiting", "refused", "lapsed", "running", "ready", "failed", "ended")


def leave(project: Project, state: State, suspended_from: str = "") -> Project:
    change(project, state=state, suspended_from=suspended_from)
    return fresh(project)


@pytest.mark.parametrize("state", [state for state in State if state != State.SUSPENDED])
def test_who_works_on_it_asks_while_the_result_is_approved(state):
    project = put(Project, state=state)
    codes = {name: rules.may_ask(user, project).code for name, user in team(project).items()}
    for name in ASKING:
        assert codes[name] == ("" if state in SIGNED else "wrong_state")
    assert not {codes[name] for name in codes if name not in ASKING} & {"", "wrong_state"}
    assert rules.is_reversible(project) == (state in SIGNED)
    if state not in (State.CLOSED, State.REJECTED, State.WITHDRAWN):
        # An interruption changes nothing in that.
        assert rules.is_reversible(leave(project, State.SUSPENDED, state)) == (state in SIGNED)


@pytest.mark.parametrize("status", ["running", "succeeded", "failed", "cancelled"])
def test_only_a_run_that_succeeded_has_a_way_back(it, status):
    run = Run(project=it.project, status=status)
    code = "" if status == "succeeded" else "not_reversible"
    assert rules.may_ask_about(it.people["executor"], run).code == code
    assert not rules.may_ask_about(it.people["outsider"], run)


def test_a_judge_decides_about_what_another_asked(it):
    for name, user in it.people.items():
        for ask in (rules.may_refuse, rules.may_approve):
            assert bool(ask(user, it.request)) == (name in DECIDING), name
    second = account(it.people["executor"])
    unlinked(it.project, second)
    assert rules.may_refuse(second, fresh(it.request)).code in ("own_request", "same_person")


def unlinked(project: Project, user: Any) -> None:
    """Has a judge's role, and turned out later to be who executes."""
    change(user, person_id=None)
    member(project, "management", user)
    change(user, person_id=user.pk)


def test_nobody_decides_about_their_own_question(it):
    boss = it.people["management"]
    assert rules.may_refuse(boss, asked(it.project, boss)).code == "own_request"
    assert rules.may_approve(boss, asked(it.project, boss)).code == "own_request"


@pytest.mark.parametrize("status", STATUSES)
def test_each_act_has_its_time(it, status):
    request = come_to(it, status)
    judge, asker = it.people["management"], it.people["executor"]
    decided = "" if status == "waiting" else "decided_already"
    assert rules.may_refuse(judge, request).code == decided
    assert rules.may_approve(judge, request).code == decided
    assert rules.may_answer(request).code == ("" if status == "running" else "no_answer")
    over = "time_over" if status == "ended" else "no_answer"
    assert rules.may_read(asker, request).code == ("" if status == "ready" else over)
    for user in (judge, asker):
        assert rules.may_end(user, request).code == ("" if status == "ready" else "no_answer")


def test_what_was_asked_is_not_answered_once_its_grounds_are_gone(it):
    judge, asker = it.people["management"], it.people["executor"]
    for act in ("end the role", "back to processing"):
        with unkept():
            request = it.request
            if act == "end the role":
                change(Membership.objects.get(user=asker), ended_at=timezone.now())
            else:
                leave(it.project, State.PROCESSING)
            code = "asker_gone" if act == "end the role" else "wrong_state"
            assert rules.may_approve(judge, fresh(request)).code == code
            assert rules.may_refuse(judge, fresh(request)), "it can still be refused"
            assert rules.may_answer(come_to(it, "running")).code == code


def test_who_asked_and_who_decided_are_two(it):
    request = come_to(it, "running")
    change(it.people["supervisor"], person_id=it.people["executor"].pk)
    change(it.people["executor"], person_id=it.people["executor"].pk)
    assert rules.may_answer(fresh(request)).code == "decided_by_self"
    change(request, status="ready", answer_id=uuid.uuid4(), found_count=1, readable_until=SOON)
    assert rules.may_read(fresh(it.people["executor"]), fresh(request)).code == "decided_by_self"


def test_only_who_asked_reads_and_for_its_time(it):
    request = come_to(it, "ready")
    codes = {name: rules.may_read(user, request).code for name, user in it.people.items()}
    assert codes == {
        "planner": "only_who_asked", "executor": "", "supervisor": "not_your_role", "management": "not_your_role",
        "recipient": "not_your_role", "outsider": "not_a_member",
    }  # fmt: skip
    leave(it.project, State.PROCESSING)
    assert rules.may_read(it.people["executor"], fresh(request)).code == "wrong_state"
    leave(it.project, State.MONITORING)
    change(request, readable_until=timezone.now() - timedelta(seconds=1))
    assert rules.may_read(it.people["executor"], fresh(request)).code == "time_over"


def test_who_asked_and_the_judges_end_it(it):
    request = come_to(it, "ready")
    codes = {name: rules.may_end(user, request).code for name, user in it.people.items()}
    assert codes == {
        "planner": "only_who_asked", "executor": "", "supervisor": "", "management": "",
        "recipient": "not_your_role", "outsider": "not_a_member",
    }  # fmt: skip
