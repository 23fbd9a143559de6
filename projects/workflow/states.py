"""The states as a table: to which stage each belongs, whose turn it is, what that role is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from .vocabulary import Move, Phase, Role, Stage, State

S, R, M, P = State, Role, Move, Phase


@dataclass(frozen=True)
class StateRow:
    """One row of the table.

    ``owner`` is the role that has to act, None where nobody has to; ``task`` is what it is asked to do.
    A state that is judged names the address of the page for it (kwarg ``project_id``) and the move that each
    outcome of the judgement makes, by the outcome's code.
    """

    state: State
    stage: Stage
    owner: Role | None
    task: Any = ""
    judgement_page: str = ""
    outcomes: Mapping[str, Move] = field(default_factory=dict)
    # The kind of content that senior management signs here; empty where it signs nothing.
    signs: str = ""
    # How a list of projects marks it: info, ok, warn, fail or neutral.
    tone: str = "info"
    # By the other standard; none where the project is over or rests.
    phase: Phase | None = None

    @property
    def under_review(self) -> bool:
        """A stage review (5.6.1) is recorded here."""
        return "passed" in self.outcomes

    @property
    def awaits_signature(self) -> bool:
        """Senior management signs here (5.2.4, 5.5.4)."""
        return "approved" in self.outcomes


def _under_review(
    state: State, stage: Stage, phase: Phase, task: Any, passed: Move, returned: Move
) -> StateRow:
    outcomes = {"passed": passed, "returned": returned}
    return StateRow(state, stage, R.SUPERVISOR, task, "monitoring:review", outcomes, phase=phase)


STATES: dict[State, StateRow] = {
    row.state: row
    for row in (
        StateRow(S.OBJECTIVE_DRAFT, Stage.OBJECTIVE, R.PLANNER, _("Determine the target and write the plan"),
            phase=P.NEEDS),
        _under_review(S.OBJECTIVE_REVIEW, Stage.OBJECTIVE, P.SCHEME, _("Review the target and the plan"), M.PASS_OBJECTIVE,
            M.RETURN_OBJECTIVE),
        StateRow(S.PLAN_APPROVAL, Stage.OBJECTIVE, R.MANAGEMENT, _("Should this plan be signed?"),
            judgement_page="objective:decide", signs="plan", phase=P.SCHEME,
            outcomes={"approved": M.APPROVE_PLAN, "returned": M.RETURN_PLAN, "rejected": M.REJECT_PLAN}),
        StateRow(S.IDENTIFICATION, Stage.IDENTIFICATION, R.EXECUTOR, _("Upload the data and find the identifiers"),
            phase=P.PROCESSING),
        _under_review(S.IDENTIFICATION_REVIEW, Stage.IDENTIFICATION, P.PROCESSING, _("Review the identification"),
            M.PASS_IDENTIFICATION, M.RETURN_IDENTIFICATION),
        StateRow(S.PROCESSING, Stage.PROCESSING, R.EXECUTOR, _("Process the identifiers"), phase=P.PROCESSING),
        _under_review(S.PROCESSING_REVIEW, Stage.PROCESSING, P.PROCESSING, _("Review the processing"), M.PASS_PROCESSING,
            M.RETURN_PROCESSING),
        StateRow(S.VERIFICATION, Stage.VERIFICATION, R.EXECUTOR, _("Verify the result"), phase=P.EVALUATION),
        _under_review(S.VERIFICATION_REVIEW, Stage.VERIFICATION, P.REVIEW, _("Review the verification"), M.PASS_VERIFICATION,
            M.RETURN_VERIFICATION),
        StateRow(S.RELEASE_APPROVAL, Stage.VERIFICATION, R.MANAGEMENT, _("Should this release be signed?"),
            judgement_page="verification:decide", signs="release", phase=P.REVIEW,
            outcomes={"approved": M.APPROVE_RELEASE, "returned": M.RETURN_RELEASE, "rejected": M.REJECT_RELEASE}),
        StateRow(S.APPROVED, Stage.RELEASE, R.PLANNER, _("Prepare the release: recipient and agreement"),
            phase=P.REVIEW),
        # What monitoring asks of the supervisor are its own tasks, each with a date.
        StateRow(S.MONITORING, Stage.RELEASE, R.SUPERVISOR, tone="ok", phase=P.REVIEW),
        StateRow(S.CLOSED, Stage.CLOSED, None, tone="ok"),
        StateRow(S.REJECTED, Stage.CLOSED, None, tone="fail"),
        StateRow(S.WITHDRAWN, Stage.CLOSED, None, tone="neutral"),
        StateRow(S.SUSPENDED, Stage.CLOSED, R.SUPERVISOR, _("Decide whether to resume the suspended project"),
            tone="warn"),
    )
}  # fmt: skip

TERMINAL = frozenset({S.CLOSED, S.REJECTED, S.WITHDRAWN})
REVIEW_STATES: tuple[State, ...] = tuple(row.state for row in STATES.values() if row.under_review)
# Where the result is approved.
SIGNED = (S.APPROVED, S.MONITORING, S.CLOSED)
# From which states a project can be withdrawn or suspended: before anything has left the house.
BEFORE_RELEASE = tuple(s for s in S if s not in TERMINAL and s not in (S.SUSPENDED, S.MONITORING))
ACTIVE = (*BEFORE_RELEASE, S.MONITORING)


def stage_states(stage: Stage) -> list[State]:
    return [row.state for row in STATES.values() if row.stage == stage]
