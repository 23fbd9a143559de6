"""Who measures, prints and decides about a release, and what a decision below the scale of T/ISC 0078 takes (C.2)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from approvals.decisions.models import Decision, SignOff
from projects.core.evidence import EvidenceState
from projects.core.models import Project
from projects.datasets.models import Table
from projects.verification import rules
from projects.workflow import Evidence, State
from tests.projects.rows import account, change, put, team, unkept

pytestmark = pytest.mark.django_db
HASH = "a" * 64


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def at(state: State) -> SimpleNamespace:
    project = put(Project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    put(Table, project=project, position=0, name="")
    return SimpleNamespace(project=project, people=team(project))


@pytest.fixture
def has(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the project has come to; how that is read is shown where it is read."""

    def has(current: Any = None, missing: tuple[Evidence, ...] = ()) -> None:
        monkeypatch.setattr(rules, "current_verification", lambda project: current)
        monkeypatch.setattr(rules, "latest_verification", lambda project: current)
        monkeypatch.setattr(
            rules,
            "evidence_state",
            lambda project, e: EvidenceState(e, tuple([e.label] if e in missing else [])),
        )

    return has


def measured(**said: Any) -> SimpleNamespace:
    return SimpleNamespace(
        **({"passed": True, "ended_at": timezone.now(), "content_hash": HASH, "degree_below": None} | said)
    )


@pytest.mark.parametrize("state", State)
def test_the_executor_measures_what_was_reviewed(state, has):
    it = at(state)
    has()
    owner = "executor"
    for name, user in it.people.items():
        verdict = rules.may_verify(user, it.project)
        assert bool(verdict) == (name == owner and state == State.VERIFICATION), name
    for evidence in (Evidence.PROCESSING_REVIEWED, Evidence.RUN_SUCCEEDED):
        has(missing=(evidence,))
        verdict = rules.may_verify(it.people[owner], it.project)
        if state == State.VERIFICATION:
            assert (verdict.code, verdict.missing) == ("evidence_missing", (str(evidence.label),))
            assert str(evidence.label) in verdict.params["what"]
        else:
            assert verdict.code == "wrong_state"


@pytest.mark.parametrize(
    ("passed", "ended", "code"),
    [(None, False, "under_way"), (None, True, ""), (True, True, ""), (False, True, "")],
)
def test_one_measurement_at_a_time(has, passed, ended, code):
    it = at(State.VERIFICATION)
    has(measured(passed=passed, ended_at=timezone.now() if ended else None))
    assert rules.may_verify(it.people["executor"], it.project).code == code


def test_a_report_is_printed_of_what_passed(has):
    it = at(State.VERIFICATION)
    for current, code in ((None, "not_passed"), (measured(passed=False), "not_passed"), (measured(), "")):
        has(current)
        codes = {name: rules.may_print(user, it.project).code for name, user in it.people.items()}
        assert codes == {
            "planner": code, "executor": code, "supervisor": code, "management": code,
            "recipient": "not_your_role", "outsider": "not_a_member",
        }  # fmt: skip


def test_management_decides_about_exactly_what_was_submitted(has):
    it = at(State.RELEASE_APPROVAL)
    has(measured())
    boss = it.people["management"]
    assert rules.may_decide(boss, it.project).code == "nothing_to_sign"
    row = put(
        SignOff,
        project_id=it.project.pk,
        subject_kind="release",
        subject_hash=HASH,
        submitted_by=it.people["executor"],
    )
    for ask in (rules.may_decide, rules.may_approve):
        assert [name for name, user in it.people.items() if ask(user, it.project)] == ["management"]
    has(None)
    assert rules.may_decide(boss, it.project).code == "nothing_to_sign"
    for other in ("0" * 64, "b" * 64):
        has(measured(content_hash=other))
        assert rules.may_decide(boss, it.project).code == "nothing_to_sign"
    has(measured())
    change(row, submitted_by=account(boss))
    assert rules.may_decide(type(boss).objects.get(pk=boss.pk), it.project).code == "own_work"
    it.project.state = State.VERIFICATION
    assert rules.may_decide(boss, it.project).code == "wrong_state"


def test_approving_takes_everything_but_the_decision_itself(has):
    it = at(State.RELEASE_APPROVAL)
    put(
        SignOff,
        project_id=it.project.pk,
        subject_kind="release",
        subject_hash=HASH,
        submitted_by=it.people["executor"],
    )
    needed = [e for e in rules.MOVES[rules.Move.APPROVE_RELEASE].requires if e != Evidence.RELEASE_APPROVED]
    assert needed
    for evidence in needed:
        has(measured(), missing=(evidence,))
        verdict = rules.may_approve(it.people["management"], it.project)
        assert (verdict.code, verdict.missing) == ("evidence_missing", (str(evidence.label),))
        assert rules.may_decide(it.people["management"], it.project), "returning it is possible"
    has(measured(), missing=(Evidence.RELEASE_APPROVED,))
    assert rules.may_approve(it.people["management"], it.project)


@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("below", [True, False])
@pytest.mark.parametrize("reason", ["", "the recipients are few and bound"])
def test_a_degree_below_one_is_approved_with_a_reason_and_nothing_else_has_one(decision, below, reason):
    verification = measured(degree_below=SimpleNamespace(degree=0.8) if below else None)
    verdict = rules.may_accept(verification, decision, reason)
    if decision == Decision.APPROVED and below:
        assert verdict.code == ("" if reason else "degree_not_accepted")
        assert reason or verdict.params["degree"] == "0.8"
    else:
        assert verdict.code == ("nothing_to_accept" if reason else "")
