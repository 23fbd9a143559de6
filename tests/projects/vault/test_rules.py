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
from tests.projects.rows import account, change, put, team, unkept

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
def test_the_planner_destroys_what_no_result_needs_any_more(state):
    project = put(Project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    secret = put(Secret, project=project, wrapped_key=b"k")
    people = team(project)
    for name, user in people.items():
        verdict = rules.may_destroy(user, secret)
        assert bool(verdict) == (name == "planner" and state in OVER), name
    assert rules.may_destroy(people["planner"], secret).code == ("" if state in OVER else "wrong_state")
    change(secret, destroyed_at=timezone.now(), destroyed_by=people["planner"], destroyed_why="over")
    secret.refresh_from_db()
    assert rules.may_destroy(people["planner"], secret).code == (
        "secret_destroyed" if state in OVER else "wrong_state"
    )
