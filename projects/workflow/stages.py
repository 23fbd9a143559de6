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
    require is the stage's checklist. ``clauses`` are the IDs that its page shows.
    """

    stage: Stage
    page: str
    submitted: Move
    completed: Move
    clauses: tuple[str, ...]


# Stage.CLOSED is no step of the standard: it has no page.
STAGES: dict[Stage, StageRow] = {
    row.stage: row
    for row in (
        StageRow(
            Stage.OBJECTIVE,
            "objective:page",
            submitted=M.SUBMIT_OBJECTIVE,
            completed=M.APPROVE_PLAN,
            clauses=(
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
        ),
        StageRow(
            Stage.IDENTIFICATION,
            "identification:page",
            submitted=M.SUBMIT_IDENTIFICATION,
            completed=M.PASS_IDENTIFICATION,
            clauses=("G-046", "G-047", "G-048", "G-050", "G-051", "G-053"),
        ),
        StageRow(
            Stage.PROCESSING,
            "processing:page",
            submitted=M.SUBMIT_PROCESSING,
            completed=M.PASS_PROCESSING,
            clauses=("G-056", "G-060", "G-061", "G-063", "G-064"),
        ),
        StageRow(
            Stage.VERIFICATION,
            "verification:page",
            submitted=M.SUBMIT_VERIFICATION,
            completed=M.APPROVE_RELEASE,
            clauses=("G-065", "G-067", "G-068", "G-073", "G-075", "G-076"),
        ),
        StageRow(
            Stage.RELEASE,
            "releases:page",
            submitted=M.RELEASE,
            completed=M.CLOSE,
            clauses=("G-009", "G-080", "G-081", "G-082", "G-083", "G-084", "G-085", "G-086"),
        ),
    )
}


def stage_evidence(stage: Stage) -> list[Evidence]:
    """What the forward moves of ``stage`` require, in table order, without what earlier stages required already."""
    earlier: set[Evidence] = set()
    for row in STAGES.values():
        required = dict.fromkeys((*MOVES[row.submitted].requires, *MOVES[row.completed].requires))
        if row.stage == stage:
            return [evidence for evidence in required if evidence not in earlier]
        earlier.update(required)
    return []
