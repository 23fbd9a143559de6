"""Who reviews a stage, and who looks back at a release, and when (5.6)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.utils import timezone

from projects.core.evidence import EvidenceState
from projects.core.models import Project
from projects.datasets.models import Table
from projects.monitoring import rules
from projects.monitoring.models import Reassessment
from projects.releases.models import Release
from projects.workflow import MOVES, REVIEW_STATES, STAGES, STATES, State
from tests.projects.rows import put, team, unkept

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def at(state: State) -> Project:
    project = put(Project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    put(Table, project=project, position=0, name="")
    return project


@pytest.mark.parametrize("state", State)
def test_a_stage_is_reviewed_by_a_supervisor_once_there_is_something(state):
    project = at(state)
    people = team(project)
    for name, user in people.items():
        code = rules.may_review_stage(user, project).code
        if name != "supervisor":
            assert code == ("not_a_member" if name == "outsider" else "not_your_role")
        elif state not in REVIEW_STATES:
            assert code == "wrong_state"
        else:
            assert code in ("", "nothing_to_review")
            passing = rules.may_pass_stage(user, project)
            assert passing.code == (code or "evidence_missing")
            assert bool(passing.missing) == (passing.code == "evidence_missing")


@pytest.mark.parametrize("state", REVIEW_STATES)
def test_a_stage_passes_once_everything_is_there_but_the_review_itself(state, monkeypatch):
    project = at(state)
    supervisor = team(project)["supervisor"]
    row = STATES[state]
    needed = MOVES[row.outcomes["passed"]].requires
    review = STAGES[row.stage].review
    missing = set()
    monkeypatch.setattr(rules, "content_of", lambda *of: "content")
    monkeypatch.setattr(
        rules, "evidence_state", lambda of, e: EvidenceState(e, (e.label,) if e in missing else ())
    )
    assert rules.may_pass_stage(supervisor, project)
    missing.add(review)
    assert rules.may_pass_stage(supervisor, project)
    for evidence in set(needed) - {review}:
        missing.add(evidence)
        verdict = rules.may_pass_stage(supervisor, project)
        assert verdict.code == "evidence_missing"
        assert str(evidence.label) in verdict.missing
        assert rules.may_review_stage(supervisor, project), "returning it is possible"


@pytest.mark.parametrize("state", State)
def test_a_change_is_reported_by_who_works_inside_while_it_is_monitored(state):
    project = at(state)
    codes = {name: rules.may_report_change(user, project).code for name, user in team(project).items()}
    wanted = "" if state == State.MONITORING else "wrong_state"
    assert codes == {
        "planner": wanted, "executor": wanted, "supervisor": wanted, "management": "not_your_role",
        "recipient": "not_your_role", "outsider": "not_a_member",
    }  # fmt: skip


@pytest.fixture
def it() -> SimpleNamespace:
    project = at(State.MONITORING)
    return SimpleNamespace(project=project, people=team(project), release=Release(project=project))


RULES = (rules.may_measure, rules.may_open, rules.may_conclude)
TIMES = [
    # opened, measured, concluded: what may_measure, may_open and may_conclude say
    ((None, None, None), ("not_open", "", "not_open")),
    ((NOW, None, None), ("", "already_open", "not_measured")),
    ((NOW, NOW, None), ("", "already_open", "")),
    ((NOW, NOW, NOW), ("concluded", "concluded", "concluded")),
]


@pytest.mark.parametrize(("times", "codes"), TIMES)
def test_a_reassessment_is_opened_measured_concluded(it, times, codes):
    opened, measured, concluded = times
    row = Reassessment(
        project=it.project, release=it.release, opened_at=opened, measured_at=measured, concluded_at=concluded
    )
    assert tuple(ask(it.people["supervisor"], row).code for ask in RULES) == codes
    for name, user in it.people.items():
        if name != "supervisor":
            assert not any(ask(user, row) for ask in RULES), name
    it.project.state = State.APPROVED
    assert {ask(it.people["supervisor"], row).code for ask in RULES} == {"wrong_state"}


def test_of_a_release_that_ended_nothing_is_opened(it):
    it.release.ended_at = NOW
    row = Reassessment(project=it.project, release=it.release)
    assert rules.may_open(it.people["supervisor"], row).code == "no_release"
