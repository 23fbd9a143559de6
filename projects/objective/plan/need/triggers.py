"""What no code may break about needs: who answers, and that what was raised and answered stays."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, where_named

_ANSWERER_PLANS = (
    "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id "
    "AND m.role = 'planner' AND m.user_id = NEW.answered_by_id)"
)
_RAISED = changed("id", "project_id", "number", "content", "content_hash", "raised_by_id", "raised_at")
_ANSWERED = (
    exchanged("answered_by_id", "answered_at", "is_accepted")
    + " OR (OLD.answered_by_id IS NOT NULL AND NEW.answer <> OLD.answer)"
)

register(
    *where_named(
        "need_not_answered_by_own_person",
        "objective_projectneed",
        "nobody answers a need that they raised under another account",
        linked_accounts("NEW.answered_by_id", "NEW.raised_by_id"),
        "OLD.answered_by_id IS NULL",
    ),
    Trigger(
        "need_answered_by_planner",
        "objective_projectneed",
        ("INSERT", "UPDATE"),
        "only the planning manager of the project answers a need",
        "NEW.answered_by_id IS NOT NULL AND NOT " + _ANSWERER_PLANS,
    ),
    Trigger(
        "need_is_final",
        "objective_projectneed",
        ("UPDATE",),
        "what was raised and what was answered stays as it is",
        f"{_RAISED} OR {_ANSWERED}",
    ),
    Trigger("need_stays", "objective_projectneed", ("DELETE",), "a need is never deleted"),
)
