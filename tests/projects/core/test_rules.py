"""Who opens, moves, joins and sees a project: roles by membership, posts across projects, judges as natural persons."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from approvals.governance.triggers import lift, registered
from deid_portal.accounts.models import User
from projects.core.models import AssessmentOrder, Project
from projects.core.rules import (
    has_role,
    in_state,
    may_act_in,
    may_hand_on,
    may_join,
    may_manage_members,
    may_move,
    may_move_directly,
    may_open_project,
    may_see_inside,
)
from projects.datasets.models import Table
from projects.workflow import MOVES, STATES, TERMINAL, Move, Role, State
from projects.workflow.posts import LIMITED, Post
from tests.projects.rows import account, change, member, put, team, unkept

pytestmark = pytest.mark.django_db
INSIDE = ("planner", "executor", "supervisor", "management")


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def at(state: State = State.OBJECTIVE_DRAFT, **given: Any) -> Project:
    project = put(
        Project,
        state=state,
        **({"suspended_from": "monitoring"} if state == State.SUSPENDED else {}),
        **given,
    )
    put(Table, project=project, name="", position=0)
    return project


def inactive(user: User) -> User:
    change(user, is_active=False)
    return User.objects.get(pk=user.pk)


def of_post(post: Post, days: int = 0) -> User:
    until = timezone.localdate() + timedelta(days=days) if post in LIMITED else None
    return account(post=post, access_until=until)


def ordered(project: Project, assessor: User) -> User:
    """``assessor`` with an order to assess the project."""
    last = timezone.localdate()
    put(AssessmentOrder, project=project, assessor=assessor, covers="it", until=last, ordered_by=account())
    return assessor


def test_only_an_active_planner_by_post_opens_a_project():
    allowed = [post for post in Post if may_open_project(of_post(post))]
    assert allowed == [Post.PLANNER]
    assert may_open_project(inactive(of_post(Post.PLANNER))).code == "not_a_planner"
    assert may_open_project(account(is_superuser=True)).code == "not_a_planner"


@pytest.mark.parametrize("role", Role)
def test_a_role_is_a_membership_in_this_project(role):
    project, elsewhere = at(), at()
    people = team(project)
    for name, user in people.items():
        code = "" if name == role else "not_a_member" if name == "outsider" else "not_your_role"
        assert has_role(user, project, role).code == code, name
        assert has_role(user, elsewhere, role).code == "not_a_member"
    holder = people[role]
    assert has_role(holder, project, *Role)
    denied = has_role(people["outsider"], project, *Role)
    assert (denied.code, has_role(account(is_superuser=True), project, role).code) == (
        "not_a_member",
        "not_a_member",
    )
    assert has_role(inactive(holder), project, role).code == "inactive"


def test_what_a_denial_says_names_the_roles_that_may():
    project = at()
    text = has_role(member(project, "recipient"), project, Role.PLANNER, Role.EXECUTOR).params["roles"]
    assert str(Role.PLANNER.label) in text
    assert str(Role.EXECUTOR.label) in text
    assert str(Role.SUPERVISOR.label) not in text


def test_a_role_that_ended_is_none():
    project = at()
    user = member(project, "executor", ended_at=timezone.now())
    assert has_role(user, project, Role.EXECUTOR).code == "not_a_member"


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("ended", [True, False])
def test_judges_are_asked_as_natural_persons(role, ended):
    """Who has, or had, another role under another account judges no more; who only works may go on."""
    project = at()
    user = member(project, role)
    second = account(user)
    for other in (Role.EXECUTOR, Role.SUPERVISOR):
        with unkept():
            unlinked_triggers()
            member(project, other, second, ended_at=timezone.now() if ended else None)
            verdict = has_role(user, project, role)
            judges = role in (Role.SUPERVISOR, Role.MANAGEMENT)
            assert verdict.code == ("same_person" if judges and other != role else "")
            if not verdict:
                assert verdict.params == {"member": str(second), "role": str(other.label)}


def unlinked_triggers() -> None:
    """As if the accounts were linked after each had a role, which no trigger refuses."""
    lift(*(one for one in registered() if one.table == "core_membership"))


@pytest.mark.parametrize("state", State)
def test_who_acts_in_a_state_is_its_owner(state):
    project = at(state)
    people = team(project)
    assert in_state(project, state)
    assert in_state(project, *State)
    others = [one for one in State if one != state]
    assert in_state(project, *others).code == "wrong_state"
    owner = STATES[state].owner if state in STATES else None
    if owner is not None:
        assert [name for name, user in people.items() if may_act_in(user, project, state)] == [owner.value]
        elsewhere = next(one for one in STATES.values() if one.owner == owner and one.state != state)
        assert may_act_in(people[owner], project, elsewhere.state).code == "wrong_state"


@pytest.mark.parametrize("move", Move)
def test_a_move_asks_for_role_then_state_then_evidence(move):
    rule = MOVES[move]
    source, other = rule.sources[0], next(s for s in State if s not in rule.sources and s != State.SUSPENDED)
    project = at(source)
    people = team(project)
    for name, user in people.items():
        verdict = may_move(user, project, move, check_evidence=False)
        assert bool(verdict) == (name in rule.roles), name
    if not rule.roles:
        return
    user = people[rule.roles[0]]
    assert may_move(user, at_with(user, rule.roles[0], other), move).code == "wrong_state"
    assert may_move(people["outsider"], at(other), move).code == "not_a_member"
    verdict = may_move(user, project, move)
    assert verdict.code == ("evidence_missing" if verdict.missing else "")
    assert bool(verdict.missing) == bool(verdict.code)
    for text in verdict.missing:
        assert text.rstrip(".。") in verdict.params["what"]
    judged = may_move_directly(user, project, move)
    assert judged.code == ("judged_elsewhere" if rule.judged else verdict.code)


def test_evidence_is_asked_for_unless_somebody_says_otherwise():
    project = at(State.OBJECTIVE_DRAFT)
    planner = member(project, "planner")
    assert may_move(planner, project, Move.SUBMIT_OBJECTIVE).code == "evidence_missing"
    assert may_move(planner, project, Move.SUBMIT_OBJECTIVE, check_evidence=False)
    assert may_move_directly(planner, project, Move.SUBMIT_OBJECTIVE).code == "evidence_missing"


def at_with(user: User, role: Role, state: State) -> Project:
    project = at(state)
    member(project, role, user)
    return project


def test_what_was_not_returned_goes_on():
    project = at(State.OBJECTIVE_DRAFT)
    assert all(may_hand_on(project, move) for move in Move)


@pytest.mark.parametrize("state", State)
def test_the_planner_manages_members_until_the_end(state):
    project = at(state)
    people = team(project)
    for name, user in people.items():
        verdict = may_manage_members(user, project)
        wanted = "not_a_member" if name == "outsider" else "not_your_role" if name != "planner" else ""
        assert verdict.code == (wanted or ("wrong_state" if state in TERMINAL else ""))


@pytest.mark.parametrize("role", Role)
def test_who_may_join_in_which_role(role):
    project = at()
    codes = {
        Post.STAFF: "not_appointed" if role == Role.PLANNER else "",
        Post.PLANNER: "",
        Post.AUDITOR: "reads_only",
        Post.ASSESSOR: "reads_only",
        Post.ADMINISTRATOR: "administers_only",
        Post.TESTER: "tests_only",
        Post.RECIPIENT: "" if role == Role.RECIPIENT else "wrong_post",
    }
    for post, code in codes.items():
        assert may_join(of_post(post), project, role).code == code, post
    assert may_join(inactive(account()), project, role).code == "inactive"
    for ended in (None, timezone.now()):
        past = member(project, "executor", ended_at=ended)
        verdict = may_join(past, project, role)
        assert (verdict.code, verdict.params["role"]) == ("role_is_final", str(Role.EXECUTOR.label))
        second = account(past, post=Post.PLANNER)
        assert may_join(second, project, role).code == ("" if role == Role.EXECUTOR else "same_person")
        assert may_join(second, at(), role)


def test_who_sees_the_inside():
    project = at()
    people = team(project)
    assert [name for name, user in people.items() if may_see_inside(user, project)] == list(INSIDE)
    readers = {
        of_post(Post.AUDITOR): True,
        ordered(project, of_post(Post.ASSESSOR)): True,
        of_post(Post.ASSESSOR): False,
        ordered(project, of_post(Post.ASSESSOR, days=-1)): False,
        ordered(at(), of_post(Post.ASSESSOR)): False,
        of_post(Post.ADMINISTRATOR): False,
        account(is_superuser=True): False,
    }
    for user, sees in readers.items():
        verdict = may_see_inside(user, project)
        assert (bool(verdict), verdict.code) == (sees, "" if sees else "not_a_member")
    for user in (people["planner"], next(iter(readers))):
        assert not may_see_inside(inactive(user), project)
