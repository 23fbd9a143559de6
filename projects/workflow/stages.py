"""The stages as a table, in the order of the standard: their pages, their moves and the clauses they are about."""

from __future__ import annotations

from dataclasses import dataclass

from .moves import MOVES
from .vocabulary import Evidence, Move, Stage

M = Move


@dataclass(frozen=True)
class StageRow:
    """One row of the table.

    ``page`` is the address name of the stage's page (kwarg ``project_id``). ``submitted`` is the move with
    which its work is handed on, ``completed`` the one after which nothing of it is left to do; what the two
    require is the stage's checklist. ``clauses`` are the IDs that its page shows, ``terms``
    those of the glossary that it speaks in, by their English names. ``review`` is the evidence that
    the stage passed its review (5.6.1), None where it has none.
    """

    stage: Stage
    page: str
    submitted: Move
    completed: Move
    clauses: tuple[str, ...]
    terms: tuple[str, ...]
    review: Evidence | None = None


# Stage.CLOSED is no step of the standard: it has no page.
STAGES: dict[Stage, StageRow] = {
    row.stage: row
    for row in (
        StageRow(Stage.OBJECTIVE, "objective:page", submitted=M.SUBMIT_OBJECTIVE, completed=M.APPROVE_PLAN,
            review=Evidence.OBJECTIVE_REVIEWED,
            clauses=("4.5", "5.2.2 a", "5.2.2 b", "5.2.2 c", "5.2.2 d", "5.2.2 e", "5.2.2 f", "5.2.3", "5.2.4: plan", "5.2.4: approval"),
            terms=("completely public sharing", "controlled public sharing", "enclave sharing", "re-identification risk", "usefulness",
                "implementation plan")),
        StageRow(Stage.IDENTIFICATION, "identification:page", submitted=M.SUBMIT_IDENTIFICATION,
            completed=M.PASS_IDENTIFICATION, review=Evidence.IDENTIFICATION_REVIEWED,
            clauses=("5.3.1", "5.3.2", "5.3.3", "5.3.3 a", "5.3.3 b", "5.3.4"),
            terms=("direct identifier", "quasi-identifier", "sensitive attribute", "personal information subject")),
        StageRow(Stage.PROCESSING, "processing:page", submitted=M.SUBMIT_PROCESSING, completed=M.PASS_PROCESSING,
            review=Evidence.PROCESSING_REVIEWED, clauses=("5.4.2 a", "5.4.3", "5.4.4 a", "5.4.4 c", "5.4.4 d"),
            terms=("k-anonymity", "equivalence class", "suppression", "generalisation", "pseudonymisation", "hierarchy")),
        StageRow(Stage.VERIFICATION, "verification:page", submitted=M.SUBMIT_VERIFICATION, completed=M.APPROVE_RELEASE,
            review=Evidence.VERIFICATION_REVIEWED,
            clauses=("5.5.1", "5.5.2 a", "5.5.2 b", "5.5.3", "5.5.4: basis", "5.5.4: approval"),
            terms=("equivalence class", "k-anonymity", "re-identification risk", "usefulness")),
        StageRow(Stage.RELEASE, "releases:page", submitted=M.RELEASE, completed=M.CLOSE,
            clauses=("3.13", "5.6.1: record", "5.6.2: release", "5.6.2 a", "5.6.2 b", "5.6.2 c", "5.6.2 d", "5.6.2: regularly"),
            terms=("controlled public sharing", "re-identification", "seal", "monitoring and review")),
    )
}  # fmt: skip

# Monitoring and review runs in and beside every stage (5.6, figure 1); it is none of its own.
MONITORING_PAGE = "monitoring:page"
# What was released to a recipient stands here, beside the process that they do not see.
RECIPIENT_PAGE = "recipient:list"


def stage_evidence(stage: Stage) -> list[Evidence]:
    """What the forward moves of ``stage`` require, in table order, without what earlier stages required already."""
    earlier: set[Evidence] = set()
    for row in STAGES.values():
        required = dict.fromkeys((*MOVES[row.submitted].requires, *MOVES[row.completed].requires))
        if row.stage == stage:
            return [evidence for evidence in required if evidence not in earlier]
        earlier.update(required)
    return []
