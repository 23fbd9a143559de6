"""The moves as a table: from where to where, who makes them, what they need and whom they notify."""

from __future__ import annotations

from dataclasses import dataclass

from .stages import ACTIVE, BEFORE_RELEASE
from .vocabulary import Evidence, Move, Role, State

S, R, M, E = State, Role, Move, Evidence


@dataclass(frozen=True)
class MoveRule:
    """One row of the table. ``target`` None means: back to where the project was suspended."""

    move: Move
    sources: tuple[State, ...]
    target: State | None
    roles: tuple[Role, ...]
    requires: tuple[Evidence, ...] = ()
    notifies: tuple[Role, ...] = ()
    needs_reason: bool = False

    @property
    def audit_action(self) -> str:
        return f"project.{self.move.value}"


def _rule(
    move: Move, sources: State | tuple[State, ...], target: State | None, *roles: Role, **more: object
) -> MoveRule:
    sources = (sources,) if isinstance(sources, State) else sources
    return MoveRule(move, sources, target, roles, **more)  # type: ignore[arg-type]


_PLAN = (E.OBJECTIVE_COMPLETE, E.OBJECTIVE_REVIEWED, E.PLAN_APPROVED)
_IDENTIFIED = (*_PLAN, E.DATASET_READY, E.VERDICTS_COMPLETE)
_PROCESSED = (*_IDENTIFIED, E.IDENTIFICATION_REVIEWED, E.RUN_SUCCEEDED)
_VERIFIED = (*_PROCESSED, E.PROCESSING_REVIEWED, E.GATE_PASSED)

MOVES: dict[Move, MoveRule] = {
    rule.move: rule
    for rule in (
        _rule(
            M.SUBMIT_OBJECTIVE,
            S.OBJECTIVE_DRAFT,
            S.OBJECTIVE_REVIEW,
            R.PLANNER,
            requires=(E.TEAM_COMPLETE, E.OBJECTIVE_COMPLETE),
            notifies=(R.SUPERVISOR,),
        ),
        _rule(
            M.PASS_OBJECTIVE,
            S.OBJECTIVE_REVIEW,
            S.PLAN_APPROVAL,
            R.SUPERVISOR,
            requires=(E.OBJECTIVE_COMPLETE, E.OBJECTIVE_REVIEWED),
            notifies=(R.MANAGEMENT,),
        ),
        _rule(
            M.RETURN_OBJECTIVE,
            S.OBJECTIVE_REVIEW,
            S.OBJECTIVE_DRAFT,
            R.SUPERVISOR,
            notifies=(R.PLANNER,),
            needs_reason=True,
        ),
        _rule(
            M.APPROVE_PLAN,
            S.PLAN_APPROVAL,
            S.IDENTIFICATION,
            R.MANAGEMENT,
            requires=_PLAN,
            notifies=(R.PLANNER, R.EXECUTOR),
            needs_reason=True,
        ),
        _rule(
            M.RETURN_PLAN,
            S.PLAN_APPROVAL,
            S.OBJECTIVE_DRAFT,
            R.MANAGEMENT,
            notifies=(R.PLANNER,),
            needs_reason=True,
        ),
        _rule(
            M.REJECT_PLAN,
            S.PLAN_APPROVAL,
            S.REJECTED,
            R.MANAGEMENT,
            notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.SUBMIT_IDENTIFICATION,
            S.IDENTIFICATION,
            S.IDENTIFICATION_REVIEW,
            R.EXECUTOR,
            requires=_IDENTIFIED,
            notifies=(R.SUPERVISOR,),
        ),
        _rule(
            M.PASS_IDENTIFICATION,
            S.IDENTIFICATION_REVIEW,
            S.PROCESSING,
            R.SUPERVISOR,
            requires=(*_IDENTIFIED, E.IDENTIFICATION_REVIEWED),
            notifies=(R.EXECUTOR,),
        ),
        _rule(
            M.RETURN_IDENTIFICATION,
            S.IDENTIFICATION_REVIEW,
            S.IDENTIFICATION,
            R.SUPERVISOR,
            notifies=(R.EXECUTOR,),
            needs_reason=True,
        ),
        _rule(
            M.SUBMIT_PROCESSING,
            S.PROCESSING,
            S.PROCESSING_REVIEW,
            R.EXECUTOR,
            requires=_PROCESSED,
            notifies=(R.SUPERVISOR,),
        ),
        _rule(
            M.PASS_PROCESSING,
            S.PROCESSING_REVIEW,
            S.VERIFICATION,
            R.SUPERVISOR,
            requires=(*_PROCESSED, E.PROCESSING_REVIEWED),
            notifies=(R.EXECUTOR,),
        ),
        _rule(
            M.RETURN_PROCESSING,
            S.PROCESSING_REVIEW,
            S.PROCESSING,
            R.SUPERVISOR,
            notifies=(R.EXECUTOR,),
            needs_reason=True,
        ),
        _rule(
            M.SUBMIT_VERIFICATION,
            S.VERIFICATION,
            S.VERIFICATION_REVIEW,
            R.EXECUTOR,
            requires=_VERIFIED,
            notifies=(R.SUPERVISOR,),
        ),
        _rule(
            M.PASS_VERIFICATION,
            S.VERIFICATION_REVIEW,
            S.RELEASE_APPROVAL,
            R.SUPERVISOR,
            requires=(*_VERIFIED, E.VERIFICATION_REVIEWED),
            notifies=(R.MANAGEMENT,),
        ),
        _rule(
            M.RETURN_VERIFICATION,
            S.VERIFICATION_REVIEW,
            S.VERIFICATION,
            R.SUPERVISOR,
            notifies=(R.EXECUTOR,),
            needs_reason=True,
        ),
        _rule(
            M.APPROVE_RELEASE,
            S.RELEASE_APPROVAL,
            S.APPROVED,
            R.MANAGEMENT,
            requires=(*_VERIFIED, E.VERIFICATION_REVIEWED, E.RELEASE_APPROVED),
            notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.RETURN_RELEASE,
            S.RELEASE_APPROVAL,
            S.PROCESSING,
            R.MANAGEMENT,
            notifies=(R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.REJECT_RELEASE,
            S.RELEASE_APPROVAL,
            S.REJECTED,
            R.MANAGEMENT,
            notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.RELEASE,
            S.APPROVED,
            S.MONITORING,
            R.PLANNER,
            requires=(E.RELEASE_APPROVED, E.RELEASE_READY),
            notifies=(R.RECIPIENT, R.SUPERVISOR),
        ),
        _rule(
            M.REVISE_OBJECTIVE,
            (S.IDENTIFICATION, S.PROCESSING, S.VERIFICATION),
            S.OBJECTIVE_DRAFT,
            R.PLANNER,
            notifies=(R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.BACK_TO_IDENTIFICATION,
            S.PROCESSING,
            S.IDENTIFICATION,
            R.EXECUTOR,
            notifies=(R.SUPERVISOR,),
            needs_reason=True,
        ),
        _rule(
            M.BACK_TO_PROCESSING,
            S.VERIFICATION,
            S.PROCESSING,
            R.EXECUTOR,
            notifies=(R.SUPERVISOR,),
            needs_reason=True,
        ),
        _rule(
            M.REOPEN_VERIFICATION,
            (S.MONITORING, S.APPROVED),
            S.VERIFICATION,
            R.SUPERVISOR,
            notifies=(R.PLANNER, R.EXECUTOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(
            M.REOPEN_PROCESSING,
            (S.MONITORING, S.APPROVED),
            S.PROCESSING,
            R.SUPERVISOR,
            notifies=(R.PLANNER, R.EXECUTOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(
            M.CLOSE,
            S.MONITORING,
            S.CLOSED,
            R.PLANNER,
            requires=(E.ACCESS_ENDED,),
            notifies=(R.SUPERVISOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(
            M.WITHDRAW,
            BEFORE_RELEASE,
            S.WITHDRAWN,
            R.PLANNER,
            notifies=(R.EXECUTOR, R.SUPERVISOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(
            M.SUSPEND,
            ACTIVE,
            S.SUSPENDED,
            R.SUPERVISOR,
            R.PLANNER,
            notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(M.RESUME, S.SUSPENDED, None, R.SUPERVISOR, notifies=(R.PLANNER, R.EXECUTOR), needs_reason=True),
    )
}

# Who brings each piece of evidence: whom a stage page names beside what is still missing.
EVIDENCE_FROM: dict[Evidence, Role] = {
    E.TEAM_COMPLETE: R.PLANNER,
    E.OBJECTIVE_COMPLETE: R.PLANNER,
    E.OBJECTIVE_REVIEWED: R.SUPERVISOR,
    E.PLAN_APPROVED: R.MANAGEMENT,
    E.DATASET_READY: R.EXECUTOR,
    E.VERDICTS_COMPLETE: R.EXECUTOR,
    E.IDENTIFICATION_REVIEWED: R.SUPERVISOR,
    E.RUN_SUCCEEDED: R.EXECUTOR,
    E.PROCESSING_REVIEWED: R.SUPERVISOR,
    E.GATE_PASSED: R.EXECUTOR,
    E.VERIFICATION_REVIEWED: R.SUPERVISOR,
    E.RELEASE_APPROVED: R.MANAGEMENT,
    E.RELEASE_READY: R.PLANNER,
    E.ACCESS_ENDED: R.PLANNER,
}

# Moves that bring a released project back to be verified or processed again.
REOPENING: frozenset[Move] = frozenset({M.REOPEN_VERIFICATION, M.REOPEN_PROCESSING})

# Moves that are the outcome of a recorded judgement (a stage review or a sign-off). They are made by
# the service that writes that judgement, never by the general "move" action.
JUDGED_MOVES: frozenset[Move] = frozenset(
    {
        M.PASS_OBJECTIVE,
        M.RETURN_OBJECTIVE,
        M.PASS_IDENTIFICATION,
        M.RETURN_IDENTIFICATION,
        M.PASS_PROCESSING,
        M.RETURN_PROCESSING,
        M.PASS_VERIFICATION,
        M.RETURN_VERIFICATION,
        M.APPROVE_PLAN,
        M.RETURN_PLAN,
        M.REJECT_PLAN,
        M.APPROVE_RELEASE,
        M.RETURN_RELEASE,
        M.REJECT_RELEASE,
    }
)


def moves_from(state: State) -> list[MoveRule]:
    """The rules of all moves that leave ``state``, in table order."""
    return [rule for rule in MOVES.values() if state in rule.sources]
