"""What no code may break about reversals: who decides, and that what was asked and decided stays."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, where_named

_DECIDER_JUDGES = (
    "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id "
    "AND m.role IN ('supervisor', 'management') AND m.user_id = NEW.decided_by_id)"
)
_QUESTION = changed(
    "id", "project_id", "number", "run_id", '"table"', '"column"', "way", "asked_id", "values_count", "reason",
    "asked_by_id", "asked_at",
)  # fmt: skip
_DECIDED = (
    exchanged("decided_by_id", "decided_at", "job_id")
    + " OR (OLD.decided_by_id IS NOT NULL AND NEW.decision_reason <> OLD.decision_reason)"
)
# Less time and more readings are possible, never the other way round.
_ANSWERED = (
    exchanged("answer_id", "found_count") + " OR (OLD.readable_until IS NOT NULL "
    "AND (NEW.readable_until IS NULL OR NEW.readable_until > OLD.readable_until)) OR NEW.reads < OLD.reads"
)
_BACKWARDS = (
    "(OLD.status <> NEW.status AND NOT ("
    "(OLD.status = 'waiting' AND NEW.status IN ('refused', 'running', 'lapsed')) "
    "OR (OLD.status = 'running' AND NEW.status IN ('ready', 'failed')) "
    "OR (OLD.status = 'ready' AND NEW.status = 'ended'))) "
    "OR (OLD.status = 'failed' AND OLD.failed_code <> NEW.failed_code)"
)

register(
    *where_named(
        "reversal_not_by_own_person",
        "reversal_reversalrequest",
        "nobody decides about what they asked for under another account",
        linked_accounts("NEW.decided_by_id", "NEW.asked_by_id"),
        "OLD.decided_by_id IS NULL",
    ),
    Trigger(
        "reversal_decided_by_judge",
        "reversal_reversalrequest",
        ("INSERT", "UPDATE"),
        "only a supervisor or senior management of the project decides about a reversal",
        "NEW.decided_by_id IS NOT NULL AND NOT " + _DECIDER_JUDGES,
    ),
    Trigger(
        "reversal_is_final",
        "reversal_reversalrequest",
        ("UPDATE",),
        "what was asked and what was decided stays as it is",
        f"{_QUESTION} OR {_DECIDED} OR {_ANSWERED} OR {_BACKWARDS}",
    ),
    Trigger("reversal_stays", "reversal_reversalrequest", ("DELETE",), "a reversal is never deleted"),
)
