"""Custody of keys is divided (4.2 c): who lists them, who destroys them, and never while they may still be needed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.vault import rules
from projects.vault.models import Secret
from projects.workflow import State
from projects.workflow.posts import Post
from tests.projects.rows import account, change, member, put, refused, team, unkept

pytestmark = pytest.mark.django_db
OVER = (State.APPROVED, State.MONITORING, State.CLOSED, State.REJECTED, State.WITHDRAWN)


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def test_who_sees_the_list():
    project = put(Project)
    people = team(project)
    allowed = [name for name, user in people.items() if rules.may_list(user, project)]
    assert allowed == ["planner", "executor", "supervisor"]
    auditor = account(post=Post.AUDITOR)
    yesterday = timezone.localdate() - timedelta(days=1)
    assert rules.may_list(auditor, project)
    assert not rules.may_list(account(post=Post.ASSESSOR, access_until=yesterday), project)
    auditor.is_active = False
    assert rules.may_list(auditor, project).code == "inactive"


@pytest.mark.parametrize("state", State)
def test_the_planner_proposes_and_the_supervisor_destroys_what_no_result_needs_any_more(state):
    project = put(Project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    secret = put(Secret, project=project, wrapped_key=b"k")
    people = team(project)
    over = state in OVER
    for name, user in people.items():
        assert bool(rules.may_propose(user, secret)) == (name == "planner" and over), name
        assert not rules.may_destroy(user, secret)
        assert not rules.may_keep(user, secret)
    late = "wrong_state"
    assert rules.may_destroy(people["supervisor"], secret).code == ("secret_not_proposed" if over else late)
    change(secret, proposed_at=timezone.now(), proposed_by=people["planner"], proposed_why="over")
    secret.refresh_from_db()
    for name, user in people.items():
        assert not rules.may_propose(user, secret)
        assert bool(rules.may_destroy(user, secret)) == (name == "supervisor" and over), name
        assert bool(rules.may_keep(user, secret)) == (name in ("planner", "supervisor") and over), name
    assert rules.may_propose(people["planner"], secret).code == ("secret_proposed" if over else late)
    change(secret, destroyed_at=timezone.now(), destroyed_by=people["supervisor"], destroyed_why="over")
    secret.refresh_from_db()
    assert rules.may_destroy(people["supervisor"], secret).code == ("secret_destroyed" if over else late)


def test_the_database_wants_two_persons():
    planner = account(alone=True)
    proposed = {"proposed_at": timezone.now(), "proposed_by": planner, "proposed_why": "over"}
    secret = put(Secret, project=put(Project), wrapped_key=b"k", **proposed)
    gone = {"destroyed_at": timezone.now(), "destroyed_why": "over"}
    with refused("secret_destroyed_by_a_second_person"):
        change(secret, destroyed_by=planner, **gone)
    with refused("nobody destroys a key whose destruction they proposed under another account"):
        change(secret, destroyed_by=account(planner), **gone)
    with refused("secret_proposal_whole_or_absent"):
        change(secret, proposed_why="")
    change(secret, destroyed_by=account(), **gone)


def test_one_person_under_two_accounts_is_one():
    project = put(Project, state=State.CLOSED)
    planner = account()
    member(project, "planner", planner)
    proposed = {"proposed_at": timezone.now(), "proposed_by": planner, "proposed_why": "over"}
    secret = put(Secret, project=project, wrapped_key=b"k", **proposed)
    other = member(project, "supervisor")
    # Found out later.
    for one in (planner, other):
        change(one, person_id=planner.pk)
        one.refresh_from_db()
    secret.refresh_from_db()
    assert rules.may_destroy(other, secret).code == "same_person"
