"""Who determines the target, and who signs exactly the plan that was submitted (5.2)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from approvals.decisions.models import SignOff
from projects.core.models import Project
from projects.objective import rules
from projects.objective.selectors import plan_hash
from projects.workflow import State
from tests.projects.rows import account, change, put, team, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize(
    ("sharing", "after", "assess"),
    [
        ("", "sharing_first", "sharing_first"),
        ("public", "", "public_context"),
        ("controlled", "", ""),
        ("enclave", "", ""),
    ],
)
def test_the_planner_and_the_executor_write_the_target(state, sharing, after, assess):
    project = put(
        Project,
        state=state,
        sharing_type=sharing,
        suspended_from="monitoring" if state == State.SUSPENDED else "",
    )
    asked = (rules.may_edit, rules.may_edit_after_sharing, rules.may_assess)
    for name, user in team(project).items():
        codes = tuple(ask(user, project).code for ask in asked)
        if name not in ("planner", "executor"):
            assert "" not in codes
        else:
            wanted = ("", after, assess) if state == State.OBJECTIVE_DRAFT else ("wrong_state",) * 3
            assert codes == wanted


def test_management_signs_the_plan_that_was_submitted():
    project = put(Project, state=State.PLAN_APPROVAL, sharing_type="controlled")
    people = team(project)
    boss = people["management"]
    assert rules.may_decide(boss, project).code == "no_request"
    request = put(
        SignOff,
        project_id=project.pk,
        subject_kind="plan",
        subject_hash=plan_hash(project),
        submitted_by=people["planner"],
    )
    for name, user in people.items():
        assert bool(rules.may_decide(user, project)) == (name == "management"), name
    change(request, submitted_by=account(boss))
    assert rules.may_decide(type(boss).objects.get(pk=boss.pk), project).code == "not_own_work"
    for other in ("0" * 64, "f" * 64):
        change(request, submitted_by=people["planner"], subject_hash=other)
        assert rules.may_decide(boss, project).code == "plan_changed"
    project.state = State.OBJECTIVE_REVIEW
    assert rules.may_decide(boss, project).code == "wrong_state"
