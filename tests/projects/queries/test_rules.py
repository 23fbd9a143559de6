"""Who proposes a budget, who grants it, who asks, and what is answered (B.2)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Membership, Project
from projects.queries import rules
from projects.queries.enums import GrantStatus, QueryStatus
from projects.queries.models import Grant, Query
from projects.releases.models import Release
from projects.workflow import State
from tests.projects.rows import account, agree, change, member, put, team, unkept

pytestmark = pytest.mark.django_db
RELEASED = (State.APPROVED, State.MONITORING)
JUDGES = ("supervisor", "management")


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def at(state: State) -> Project:
    suspended = {"suspended_from": "monitoring"} if state == State.SUSPENDED else {}
    return put(Project, state=state, sharing_type="public", **suspended)


def grant(project: Project, status: str = "waiting", proposed_by: Any = None, **given: Any) -> Grant:
    decided: dict[str, Any] = {}
    if status != "waiting":
        judge = Membership.objects.filter(project=project, role="management").first()
        by = judge.user if judge else member(project, "management")
        decided = {"decided_by": by, "decided_at": timezone.now(), "decision_reason": "agreed"}
    said = {"nano_epsilon": 10**9, "proposed_by": proposed_by or account()} | decided | given
    return put(Grant, project=project, status=status, **said)


@pytest.mark.parametrize("state", State)
def test_the_planner_proposes_once_the_release_was_signed(state):
    project = at(state)
    people = team(project)
    code = "" if state in RELEASED else "wrong_state"
    for name, user in people.items():
        wanted = code if name == "planner" else "not_a_member" if name == "outsider" else "not_your_role"
        assert rules.may_propose(user, project).code == wanted, name
        assert rules.may_propose(user, project, people["recipient"]).code == wanted
    verdict = rules.may_propose(people["planner"], project, people["executor"])
    assert verdict.code == (code or "wrong_recipient")
    assert verdict.params.get("member") == (None if code else str(people["executor"]))


@pytest.mark.parametrize("status", GrantStatus)
@pytest.mark.parametrize("state", [State.APPROVED, State.MONITORING, State.CLOSED])
def test_a_judge_decides_what_waits(state, status):
    project = at(state)
    people = team(project)
    proposed = grant(project, status)
    for name, user in people.items():
        refuse, give = rules.may_refuse(user, proposed).code, rules.may_grant(user, proposed).code
        if name not in JUDGES:
            assert refuse == give == ("not_a_member" if name == "outsider" else "not_your_role"), name
        elif status == "waiting":
            assert (refuse, give) == ("", "" if state in RELEASED else "wrong_state")
        else:
            assert refuse == give == "decided_already"


def test_nobody_decides_what_they_proposed():
    project = at(State.APPROVED)
    judge = account()
    second = account(judge)
    judge.refresh_from_db()
    member(project, "supervisor", judge)
    for own in (grant(project, proposed_by=judge), grant(project, proposed_by=second)):
        assert rules.may_refuse(judge, own).code == rules.may_grant(judge, own).code == "own_proposal"
    assert rules.may_grant(judge, grant(project))


@pytest.fixture
def asking() -> SimpleNamespace:
    """A recipient of a release in force, with an agreement although the sharing is public."""
    project = at(State.MONITORING)
    recipient, release = member(project, "recipient"), put(Release, project=project, files=[], seal="s")
    agreement = agree(project, recipient, accepted=True)
    return SimpleNamespace(project=project, recipient=recipient, release=release, agreement=agreement)


def ended(asking: SimpleNamespace) -> None:
    change(asking.agreement, ended_at=timezone.now())


@pytest.mark.parametrize("stops", [True, False])
def test_questions_need_an_agreement_whatever_the_way_of_sharing(asking, stops):
    if stops:
        ended(asking)
    code = "no_agreement" if stops else ""
    assert rules.may_ask(asking.recipient, asking.release).code == code
    assert rules.may_ask(account(), asking.release).code == "not_a_recipient"
    for opened, wanted in (
        (None, "no_account"),
        (grant(asking.project, "granted", exhaustion="ask"), ""),
        (grant(asking.project, "granted", exhaustion="stop"), "stopped"),
    ):
        assert rules.may_ask_for_more(asking.recipient, asking.release, opened).code == (code or wanted)


def question(asking: SimpleNamespace, status: str) -> Query:
    said: dict[str, Any] = {"failed_code": "internal"} if status == "failed" else {}
    if status == "answered":
        said = {"answer": {"value": 1}, "answered_at": timezone.now()}
    if status == "repeated":
        said = {"same_as": question(asking, "answered")}
    return put(
        Query, project=asking.project, recipient=asking.recipient, question={}, loss={}, status=status, **said
    )


@pytest.mark.parametrize("status", QueryStatus)
@pytest.mark.parametrize("stops", [True, False])
def test_who_paid_keeps_the_answer_and_what_is_answered_is_still_asked(asking, status, stops):
    asked = question(asking, status)
    if stops:
        ended(asking)
    read = "no_agreement" if stops and status == "repeated" else ""
    assert rules.may_read(asking.recipient, asked, asking.release).code == read
    answered = "no_longer" if status != "running" else "no_agreement" if stops else ""
    assert rules.may_answer(asked, asking.release).code == answered
