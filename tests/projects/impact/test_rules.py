"""Who lays an impact assessment down, who decides about it, and whose receipt waits for one (PIPL 55, 56)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.impact import rules, selectors
from projects.impact.models import ImpactAssessment
from projects.impact.selectors import House
from projects.releases.models import Release
from projects.workflow import ACTIVE, State
from tests.projects.rows import account, member, put, team, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def laid(project: Project, made_by: Any, outcome: str = "waiting", **given: Any) -> ImpactAssessment:
    decided = {"decided_by": account(), "decided_at": timezone.now(), "reason": "agreed"}
    said = ({} if outcome == "waiting" else decided) | given
    return put(ImpactAssessment, project=project, made_by=made_by, outcome=outcome, content={}, **said)


@pytest.mark.parametrize("state", State)
def test_planner_and_executor_assess_while_the_project_goes_on(state):
    suspended = {"suspended_from": "monitoring"} if state == State.SUSPENDED else {}
    project = put(Project, state=state, sharing_type="controlled", **suspended)
    goes_on = state in ACTIVE
    for name, user in team(project).items():
        own = name in ("planner", "executor")
        wanted = "not_a_member" if name == "outsider" else "not_your_role"
        assert rules.may_assess(user, project).code == (
            wanted if not own else "" if goes_on else "wrong_state"
        )


def test_the_way_of_sharing_comes_first_and_one_waits_at_a_time():
    project, other = put(Project), put(Project, sharing_type="public")
    for one in (project, other):
        member(one, "planner", planner := account())
        verdict = rules.may_assess(planner, one)
        assert verdict.code == ("no_sharing" if one == project else "")
    planner = member(other, "planner")
    for outcome in ("concluded", "turned_down"):
        laid(other, planner, outcome)
    laid(project, planner)
    assert rules.may_assess(planner, other)
    laid(other, planner)
    assert rules.may_assess(planner, other).code == "one_waits"


def test_a_judge_decides_once_and_never_about_their_own():
    project = put(Project)
    people = team(project)
    waiting = laid(project, account())
    for name, user in people.items():
        judges = name in ("supervisor", "management")
        wanted = "" if judges else "not_a_member" if name == "outsider" else "not_your_role"
        assert rules.may_decide(user, waiting).code == wanted, name
    for outcome in ("concluded", "turned_down"):
        decided = laid(project, account(), outcome)
        assert rules.may_decide(people["supervisor"], decided).code == "decided_already"
    elsewhere = put(Project)
    member(elsewhere, "management", judge := account())
    assert rules.may_decide(judge, laid(elsewhere, judge)).code == "own_assessment"
    judge_elsewhere = member(other := put(Project), "supervisor")
    own = laid(other, account(judge_elsewhere))
    judge_elsewhere.refresh_from_db()
    assert rules.may_decide(judge_elsewhere, own).code == "own_assessment"


@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("read_along", [(True, True), (True, False), (False, True), (False, False)])
@pytest.mark.parametrize("outcome", ["turned_down", "concluded", None])
def test_receipt_waits_where_rules_hold_and_the_newest_assessment_does_not(
    monkeypatch, holds, read_along, outcome
):
    monkeypatch.setattr(selectors, "_house", lambda _project: House(holds=holds))
    project = put(Project, state=State.MONITORING, sharing_type="controlled")
    recipient = member(project, "recipient")
    release = put(Release, project=project, files=[], seal="s")
    if outcome is not None:
        laid(project, account(), outcome, about=selectors.about_hash(project))
    laid_there, rules_there = read_along
    held = SimpleNamespace(impact_laid=laid_there, impact_rules=rules_there, agreed_abroad=False)
    waits = holds and laid_there and rules_there and outcome == "turned_down"
    assert rules.assessed_for(recipient, release, held).code == ("impact_not_assessed" if waits else "")
