"""Stages and states as tables: which belong together, who owns them, which clauses they are about."""

from __future__ import annotations

from .vocabulary import Role, Stage, State

S, R = State, Role

STAGE_OF: dict[State, Stage] = {
    S.OBJECTIVE_DRAFT: Stage.OBJECTIVE,
    S.OBJECTIVE_REVIEW: Stage.OBJECTIVE,
    S.PLAN_APPROVAL: Stage.OBJECTIVE,
    S.IDENTIFICATION: Stage.IDENTIFICATION,
    S.IDENTIFICATION_REVIEW: Stage.IDENTIFICATION,
    S.PROCESSING: Stage.PROCESSING,
    S.PROCESSING_REVIEW: Stage.PROCESSING,
    S.VERIFICATION: Stage.VERIFICATION,
    S.VERIFICATION_REVIEW: Stage.VERIFICATION,
    S.RELEASE_APPROVAL: Stage.VERIFICATION,
    S.APPROVED: Stage.RELEASE,
    S.MONITORING: Stage.RELEASE,
    S.CLOSED: Stage.CLOSED,
    S.REJECTED: Stage.CLOSED,
    S.WITHDRAWN: Stage.CLOSED,
    S.SUSPENDED: Stage.CLOSED,
}

# Who has to act in a state; None where nobody has to.
OWNERS: dict[State, Role | None] = {
    S.OBJECTIVE_DRAFT: R.PLANNER,
    S.OBJECTIVE_REVIEW: R.SUPERVISOR,
    S.PLAN_APPROVAL: R.MANAGEMENT,
    S.IDENTIFICATION: R.EXECUTOR,
    S.IDENTIFICATION_REVIEW: R.SUPERVISOR,
    S.PROCESSING: R.EXECUTOR,
    S.PROCESSING_REVIEW: R.SUPERVISOR,
    S.VERIFICATION: R.EXECUTOR,
    S.VERIFICATION_REVIEW: R.SUPERVISOR,
    S.RELEASE_APPROVAL: R.MANAGEMENT,
    S.APPROVED: R.PLANNER,
    S.MONITORING: R.SUPERVISOR,
    S.CLOSED: None,
    S.REJECTED: None,
    S.WITHDRAWN: None,
    S.SUSPENDED: R.SUPERVISOR,
}

TERMINAL = frozenset({S.CLOSED, S.REJECTED, S.WITHDRAWN})
REVIEW_STATES: dict[State, Stage] = {
    S.OBJECTIVE_REVIEW: Stage.OBJECTIVE,
    S.IDENTIFICATION_REVIEW: Stage.IDENTIFICATION,
    S.PROCESSING_REVIEW: Stage.PROCESSING,
    S.VERIFICATION_REVIEW: Stage.VERIFICATION,
}
# From which states a project can be withdrawn or suspended: before anything has left the house.
BEFORE_RELEASE = tuple(s for s in S if s not in TERMINAL and s not in (S.SUSPENDED, S.MONITORING))
ACTIVE = (*BEFORE_RELEASE, S.MONITORING)

# The stages in the order of the standard, for the stage bar.
STAGES: tuple[Stage, ...] = (
    Stage.OBJECTIVE,
    Stage.IDENTIFICATION,
    Stage.PROCESSING,
    Stage.VERIFICATION,
    Stage.RELEASE,
)

# The clauses that a stage page shows (IDs of the clause checklist).
CLAUSES: dict[Stage, tuple[str, ...]] = {
    Stage.OBJECTIVE: (
        "G-030",
        "G-032",
        "G-033",
        "G-034",
        "G-035",
        "G-036",
        "G-037",
        "G-038",
        "G-044",
        "G-045",
    ),
    Stage.IDENTIFICATION: ("G-046", "G-047", "G-048", "G-050", "G-051", "G-053"),
    Stage.PROCESSING: ("G-056", "G-060", "G-061", "G-063", "G-064"),
    Stage.VERIFICATION: ("G-065", "G-067", "G-068", "G-073", "G-075", "G-076"),
    Stage.RELEASE: ("G-009", "G-080", "G-081", "G-082", "G-083", "G-084", "G-085", "G-086"),
}


def stage_states(stage: Stage) -> list[State]:
    """The states that belong to ``stage``."""
    return [state for state, of in STAGE_OF.items() if of == stage]
