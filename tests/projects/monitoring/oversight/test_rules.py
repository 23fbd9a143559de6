"""Who reviews the records of a stage for senior management, and when."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from approvals.decisions.models import ManagementOutcome, Review
from approvals.governance.draft import Subject
from projects.core.models import Project
from projects.monitoring.oversight import rules
from projects.workflow import Stage, State
from tests.projects.rows import account, change, put, team, unkept

pytestmark = pytest.mark.django_db
HASH = "a" * 64


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


@pytest.fixture(autouse=True)
def content(monkeypatch) -> dict[str, str]:
    """What each stage holds now, by its hash; "" for nothing."""
    now = dict.fromkeys(Stage, HASH)
    monkeypatch.setattr(
        rules,
        "content_of",
        lambda project, stage: Subject("plan", "1", "the plan", now[stage]) if now[stage] else None,
    )
    return now


def passed(project: Project, by, submitted_by, outcome="passed", **given) -> Review:
    said = {"stage": "objective", "subject_hash": HASH} | given
    return put(
        Review, project_id=project.pk, reviewed_by=by, submitted_by=submitted_by, outcome=outcome, **said
    )


def code(user, project, stage=Stage.OBJECTIVE) -> str:
    return rules.may_review_records(user, project, stage).code


@pytest.mark.parametrize("state", State)
def test_senior_management_alone_in_whatever_state(state):
    project = put(Project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    people = team(project)
    passed(project, people["supervisor"], people["planner"])
    assert {name: code(user, project) for name, user in people.items()} == {
        "planner": "not_your_role", "executor": "not_your_role", "supervisor": "not_your_role", "management": "",
        "recipient": "not_your_role", "outsider": "not_a_member",
    }  # fmt: skip


def test_a_stage_as_its_supervisor_passed_it_last(content):
    project = put(Project, state=State.MONITORING)
    people = team(project)
    management, supervisor, planner = people["management"], people["supervisor"], people["planner"]
    assert code(management, project) == "stage_not_passed"
    passed(project, supervisor, planner)
    assert code(management, project) == ""
    assert code(management, project, Stage.PROCESSING) == "stage_not_passed"
    for other in ("b" * 64, ""):
        content[Stage.OBJECTIVE] = other
        assert code(management, project) == "stage_changed_since"
    content[Stage.OBJECTIVE] = HASH
    passed(project, supervisor, planner, "returned", subject_hash="b" * 64)
    assert code(management, project) == "stage_not_passed"


@pytest.mark.parametrize("part", ["reviewed_by", "submitted_by"])
def test_nobody_reviews_a_stage_in_which_they_had_a_part(part):
    """Under an account that was linked to theirs afterwards."""
    project = put(Project, state=State.MONITORING)
    people = team(project)
    management, other = people["management"], account(alone=True)
    took_part = {"by": people["supervisor"], "submitted_by": people["planner"]}
    passed(
        project,
        **took_part | {"by" if part == "reviewed_by" else part: other},
        outcome="returned",
        subject_hash="b" * 64,
    )
    passed(project, **took_part)
    passed(project, **took_part, stage="processing")
    assert code(management, project) == ""
    change(other, person_id=management.person_id)
    assert code(management, project) == "own_stage"
    assert code(management, project, Stage.PROCESSING) == ""


@pytest.mark.parametrize("outcome", ManagementOutcome)
def test_each_deviation_is_stated_and_none_where_all_is_in_order(outcome):
    deviating = outcome == ManagementOutcome.DEVIATING
    assert [bool(rules.may_conclude_so(outcome, number)) for number in (0, 1, 5)] == [
        not deviating,
        deviating,
        deviating,
    ]
