"""What no code may break about the account: a second person grants, and what was granted, charged and answered stays."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, where_named

_DECIDER_JUDGES = (
    "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id "
    "AND m.role IN ('supervisor', 'management') AND m.user_id = NEW.decided_by_id)"
)
_AMOUNT = changed(
    "id", "project_id", "number", "dataset_id", "nano_epsilon", "delta", "composition", "neighbours", "part", "exhaustion", "reason",
    "proposed_by_id", "proposed_at",
)  # fmt: skip
_CHARGE = changed(
    "id", "project_id", "number", "dataset_id", "release_id", "recipient_id", "question", "question_hash", "person_key", "loss",
    "asked_at",
)  # fmt: skip

register(
    *where_named(
        "grant_not_by_own_person",
        "queries_grant",
        "nobody grants what they proposed under another account",
        f"NEW.decided_by_id IS NOT NULL AND {linked_accounts('NEW.decided_by_id', 'NEW.proposed_by_id')}",
        "OLD.decided_by_id IS NULL",
    ),
    Trigger(
        "grant_decided_by_judge",
        "queries_grant",
        ("INSERT", "UPDATE"),
        "only a supervisor or senior management of the project grants a budget",
        "NEW.decided_by_id IS NOT NULL AND NOT " + _DECIDER_JUDGES,
    ),
    Trigger(
        "grant_is_final",
        "queries_grant",
        ("UPDATE",),
        "what was proposed and what was decided stays as it is",
        f"{_AMOUNT} OR {exchanged('recipient_id', 'decided_by_id', 'decided_at')} "
        "OR (OLD.recipient_id IS NULL AND NEW.recipient_id IS NOT NULL) "
        "OR (OLD.status <> 'waiting' AND (OLD.status <> NEW.status OR OLD.decision_reason <> NEW.decision_reason))",
    ),
    Trigger("grant_stays", "queries_grant", ("DELETE",), "a budget is never deleted"),
    Trigger(
        "query_is_final",
        "queries_query",
        ("UPDATE",),
        "what was asked, charged and answered stays as it is",
        # What repeats another is never running, by a constraint; so it is final as a whole.
        f"{_CHARGE} OR OLD.status <> 'running' OR NEW.status NOT IN ('answered', 'failed')",
    ),
    Trigger("query_stays", "queries_query", ("DELETE",), "a question is never deleted"),
)
