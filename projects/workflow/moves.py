"""The moves as a table: from where to where, who makes them, what they need and whom they notify."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from .states import ACTIVE, BEFORE_RELEASE, stage_states
from .vocabulary import Evidence, Move, Role, Stage, State

S, R, M, E = State, Role, Move, Evidence


@dataclass(frozen=True)
class MoveRule:
    """One row of the table. ``target`` None means: back to where the project was suspended.

    ``sentence`` is what the audit log says. A ``judged`` move is the outcome of a recorded judgement (a stage
    review or a sign-off): the service that writes the judgement makes it, never the general "move" action.
    """

    move: Move
    sentence: Any
    sources: tuple[State, ...]
    target: State | None
    roles: tuple[Role, ...]
    requires: tuple[Evidence, ...] = ()
    notifies: tuple[Role, ...] = ()
    needs_reason: bool = False
    judged: bool = False
    # Brings a released project back to be verified or processed again.
    reopens: bool = False
    # Why the request to sign the plan lapses with this move; empty where it does not.
    ends_plan_request: str = ""

    @property
    def audit_action(self) -> str:
        return f"project.{self.move.value}"

    @property
    def hands_on(self) -> bool:
        """Hands the work on to who judges it, or passes it: not while returned work comes back as it was unexplained."""
        return Evidence.OBJECTIVE_COMPLETE in self.requires

    @property
    def rests_on_result(self) -> bool:
        """Judges or releases a result that was verified, so that what is known of it has to be of now."""
        return not {Evidence.GATE_PASSED, Evidence.RELEASE_APPROVED}.isdisjoint(self.requires)

    @property
    def aside(self) -> bool:
        """Possible at almost any time; kept away from the moves that go on."""
        return self.target in (State.WITHDRAWN, State.SUSPENDED)

    @property
    def anywhere(self) -> bool:
        """Possible from nearly everywhere, or leading back to wherever the project was."""
        return self.aside or self.target is None

    def leads_back_from(self, stage: Stage) -> bool:
        """Whether it starts in ``stage`` or later and leads to a state before that of its start."""
        states = list(State)
        return self.target is not None and any(
            states.index(self.target) < states.index(source) >= states.index(stage_states(stage)[0])
            for source in self.sources
        )


def _rule(
    move: Move,
    sentence: Any,
    sources: State | tuple[State, ...],
    target: State | None,
    *roles: Role,
    **more: object,
) -> MoveRule:
    sources = (sources,) if isinstance(sources, State) else sources
    return MoveRule(move, sentence, sources, target, roles, **more)  # type: ignore[arg-type]


_PLAN = (E.OBJECTIVE_COMPLETE, E.OBJECTIVE_REVIEWED, E.PLAN_APPROVED)
_IDENTIFIED = (*_PLAN, E.DATASET_READY, E.VERDICTS_COMPLETE)
_PROCESSED = (*_IDENTIFIED, E.IDENTIFICATION_REVIEWED, E.RUN_SUCCEEDED)
_VERIFIED = (*_PROCESSED, E.PROCESSING_REVIEWED, E.GATE_PASSED)

MOVES: dict[Move, MoveRule] = {
    rule.move: rule
    for rule in (
        _rule(M.SUBMIT_OBJECTIVE, _("%(actor)s submitted the target and plan of “%(subject)s” for review"),
            S.OBJECTIVE_DRAFT, S.OBJECTIVE_REVIEW, R.PLANNER, requires=(E.TEAM_COMPLETE, E.OBJECTIVE_COMPLETE),
            notifies=(R.SUPERVISOR,)),
        _rule(M.PASS_OBJECTIVE, _("%(actor)s passed the target of “%(subject)s” on to senior management"),
            S.OBJECTIVE_REVIEW, S.PLAN_APPROVAL, R.SUPERVISOR, requires=(E.OBJECTIVE_COMPLETE, E.OBJECTIVE_REVIEWED),
            notifies=(R.MANAGEMENT,), judged=True),
        _rule(M.RETURN_OBJECTIVE, _("%(actor)s returned the target of “%(subject)s” for rework"),
            S.OBJECTIVE_REVIEW, S.OBJECTIVE_DRAFT, R.SUPERVISOR, notifies=(R.PLANNER,), needs_reason=True, judged=True),
        _rule(M.APPROVE_PLAN, _("%(actor)s approved the plan of “%(subject)s”"),
            S.PLAN_APPROVAL, S.IDENTIFICATION, R.MANAGEMENT, requires=_PLAN, notifies=(R.PLANNER, R.EXECUTOR),
            needs_reason=True, judged=True),
        _rule(M.RETURN_PLAN, _("%(actor)s returned the plan of “%(subject)s”"),
            S.PLAN_APPROVAL, S.OBJECTIVE_DRAFT, R.MANAGEMENT, notifies=(R.PLANNER, R.SUPERVISOR), needs_reason=True,
            judged=True, ends_plan_request="returned without a decision"),
        _rule(M.REJECT_PLAN, _("%(actor)s rejected the plan of “%(subject)s”"),
            S.PLAN_APPROVAL, S.REJECTED, R.MANAGEMENT, notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True, judged=True, ends_plan_request="rejected without a decision"),
        _rule(M.SUBMIT_IDENTIFICATION, _("%(actor)s submitted the identification of “%(subject)s” for review"),
            S.IDENTIFICATION, S.IDENTIFICATION_REVIEW, R.EXECUTOR, requires=_IDENTIFIED, notifies=(R.SUPERVISOR,)),
        _rule(M.PASS_IDENTIFICATION, _("%(actor)s passed the identification of “%(subject)s”"),
            S.IDENTIFICATION_REVIEW, S.PROCESSING, R.SUPERVISOR, requires=(*_IDENTIFIED, E.IDENTIFICATION_REVIEWED),
            notifies=(R.EXECUTOR,), judged=True),
        _rule(M.RETURN_IDENTIFICATION, _("%(actor)s returned the identification of “%(subject)s” for rework"),
            S.IDENTIFICATION_REVIEW, S.IDENTIFICATION, R.SUPERVISOR, notifies=(R.EXECUTOR,), needs_reason=True,
            judged=True),
        _rule(M.SUBMIT_PROCESSING, _("%(actor)s submitted the processing of “%(subject)s” for review"),
            S.PROCESSING, S.PROCESSING_REVIEW, R.EXECUTOR, requires=_PROCESSED, notifies=(R.SUPERVISOR,)),
        _rule(M.PASS_PROCESSING, _("%(actor)s passed the processing of “%(subject)s”"),
            S.PROCESSING_REVIEW, S.VERIFICATION, R.SUPERVISOR, requires=(*_PROCESSED, E.PROCESSING_REVIEWED),
            notifies=(R.EXECUTOR,), judged=True),
        _rule(M.RETURN_PROCESSING, _("%(actor)s returned the processing of “%(subject)s” for rework"),
            S.PROCESSING_REVIEW, S.PROCESSING, R.SUPERVISOR, notifies=(R.EXECUTOR,), needs_reason=True, judged=True),
        _rule(M.SUBMIT_VERIFICATION, _("%(actor)s submitted the verification of “%(subject)s” for review"),
            S.VERIFICATION, S.VERIFICATION_REVIEW, R.EXECUTOR, requires=_VERIFIED, notifies=(R.SUPERVISOR,)),
        _rule(M.PASS_VERIFICATION, _("%(actor)s passed the verification of “%(subject)s” on to senior management"),
            S.VERIFICATION_REVIEW, S.RELEASE_APPROVAL, R.SUPERVISOR, requires=(*_VERIFIED, E.VERIFICATION_REVIEWED),
            notifies=(R.MANAGEMENT,), judged=True),
        _rule(M.RETURN_VERIFICATION, _("%(actor)s returned the verification of “%(subject)s” for rework"),
            S.VERIFICATION_REVIEW, S.VERIFICATION, R.SUPERVISOR, notifies=(R.EXECUTOR,), needs_reason=True,
            judged=True),
        _rule(M.APPROVE_RELEASE, _("%(actor)s approved the release of “%(subject)s”"),
            S.RELEASE_APPROVAL, S.APPROVED, R.MANAGEMENT,
            requires=(*_VERIFIED, E.VERIFICATION_REVIEWED, E.RELEASE_APPROVED),
            notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR), needs_reason=True, judged=True),
        _rule(M.RETURN_RELEASE, _("%(actor)s returned “%(subject)s” to processing"),
            S.RELEASE_APPROVAL, S.PROCESSING, R.MANAGEMENT, notifies=(R.EXECUTOR, R.SUPERVISOR), needs_reason=True,
            judged=True),
        _rule(M.REJECT_RELEASE, _("%(actor)s rejected the release of “%(subject)s”"),
            S.RELEASE_APPROVAL, S.REJECTED, R.MANAGEMENT, notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True, judged=True),
        _rule(M.RELEASE, _("%(actor)s released “%(subject)s”"),
            S.APPROVED, S.MONITORING, R.PLANNER, requires=(E.RELEASE_APPROVED, E.RELEASE_READY),
            notifies=(R.RECIPIENT, R.SUPERVISOR)),
        _rule(M.REVISE_OBJECTIVE, _("%(actor)s went back to revise the target of “%(subject)s”"),
            (S.IDENTIFICATION, S.PROCESSING, S.VERIFICATION), S.OBJECTIVE_DRAFT, R.PLANNER,
            notifies=(R.EXECUTOR, R.SUPERVISOR), needs_reason=True, ends_plan_request="target under revision"),
        _rule(M.BACK_TO_IDENTIFICATION, _("%(actor)s moved “%(subject)s” back to identification"),
            S.PROCESSING, S.IDENTIFICATION, R.EXECUTOR, notifies=(R.SUPERVISOR,), needs_reason=True),
        _rule(M.BACK_TO_PROCESSING, _("%(actor)s moved “%(subject)s” back to processing"),
            S.VERIFICATION, S.PROCESSING, R.EXECUTOR, notifies=(R.SUPERVISOR,), needs_reason=True),
        _rule(M.REOPEN_VERIFICATION, _("%(actor)s re-opened the verification of “%(subject)s”"),
            (S.MONITORING, S.APPROVED), S.VERIFICATION, R.SUPERVISOR, notifies=(R.PLANNER, R.EXECUTOR, R.MANAGEMENT),
            needs_reason=True, reopens=True),
        _rule(M.REOPEN_PROCESSING, _("%(actor)s re-opened the processing of “%(subject)s”"),
            (S.MONITORING, S.APPROVED), S.PROCESSING, R.SUPERVISOR, notifies=(R.PLANNER, R.EXECUTOR, R.MANAGEMENT),
            needs_reason=True, reopens=True),
        _rule(M.CLOSE, _("%(actor)s closed “%(subject)s”"),
            S.MONITORING, S.CLOSED, R.PLANNER, requires=(E.ACCESS_ENDED,), notifies=(R.SUPERVISOR, R.MANAGEMENT),
            needs_reason=True),
        _rule(M.WITHDRAW, _("%(actor)s withdrew “%(subject)s”"),
            BEFORE_RELEASE, S.WITHDRAWN, R.PLANNER, notifies=(R.EXECUTOR, R.SUPERVISOR, R.MANAGEMENT),
            needs_reason=True, ends_plan_request="project withdrawn"),
        _rule(M.SUSPEND, _("%(actor)s suspended “%(subject)s”"),
            ACTIVE, S.SUSPENDED, R.SUPERVISOR, R.PLANNER, notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR, R.MANAGEMENT),
            needs_reason=True),
        _rule(M.RESUME, _("%(actor)s resumed “%(subject)s”"),
            S.SUSPENDED, None, R.SUPERVISOR, notifies=(R.PLANNER, R.EXECUTOR), needs_reason=True),
    )
}  # fmt: skip


def moves_from(state: State) -> list[MoveRule]:
    """The rules of all moves that leave ``state``, in table order."""
    return [rule for rule in MOVES.values() if state in rule.sources]
