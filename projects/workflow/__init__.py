"""The process of GB/T 37964 chapter 5 as tables: the only place that knows the order.

Everything else asks these tables: which moves there are, who owns a state, what a move needs,
what it writes into the audit log and whom it notifies. ``docs/reference/workflow.md`` is generated from
here, and a test compares it.
"""

from .moves import EVIDENCE_FROM, JUDGED_MOVES, MOVES, REOPENING, MoveRule, moves_from
from .stages import (
    ACTIVE,
    BEFORE_RELEASE,
    CLAUSES,
    OWNERS,
    REVIEW_STATES,
    STAGE_OF,
    STAGES,
    TERMINAL,
    stage_states,
)
from .vocabulary import Evidence, Move, Role, Stage, State

__all__ = [
    "ACTIVE",
    "BEFORE_RELEASE",
    "CLAUSES",
    "EVIDENCE_FROM",
    "JUDGED_MOVES",
    "MOVES",
    "OWNERS",
    "REOPENING",
    "REVIEW_STATES",
    "STAGES",
    "STAGE_OF",
    "TERMINAL",
    "Evidence",
    "Move",
    "MoveRule",
    "Role",
    "Stage",
    "State",
    "moves_from",
    "stage_states",
]
