"""The process of GB/T 37964 chapter 5 as tables: the only place that knows the order.

A stage, a state, a move and a piece of evidence are one row each. Everything else asks these rows: which
moves there are, whose turn it is in a state, what a move needs, what it writes into the audit log and whom
it notifies. ``docs/reference/workflow.md`` is generated from here, and a test compares it.
"""

from .moves import MOVES, MoveRule, moves_from
from .phases import PHASES, PhaseRow
from .stages import MONITORING_PAGE, RECIPIENT_PAGE, STAGES, StageRow, stage_evidence
from .states import ACTIVE, BEFORE_RELEASE, REVIEW_STATES, SIGNED, STATES, TERMINAL, StateRow, stage_states
from .vocabulary import Evidence, Move, Phase, Role, Stage, State

__all__ = [
    "ACTIVE", "BEFORE_RELEASE", "MONITORING_PAGE", "MOVES", "PHASES", "RECIPIENT_PAGE", "REVIEW_STATES", "SIGNED",
    "STAGES", "STATES", "TERMINAL", "Evidence", "Move", "MoveRule", "Phase", "PhaseRow", "Role", "Stage", "StageRow", "State", "StateRow",
    "moves_from", "stage_evidence", "stage_states",
]  # fmt: skip
