"""What no code may break about impact assessments: what was laid down and what was decided stay, and two persons stand behind it."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, linked_accounts, where_named

_SAID = changed(
    "id", "project_id", "number", "content", "occasions", "about", "content_hash", "made_by_id", "made_at"
)
_RECIPIENTS = (
    "(OLD.recipients IS NOT NULL AND (NEW.recipients IS NULL OR NEW.recipients <> OLD.recipients)"
    " OR OLD.recipients IS NULL AND NEW.recipients IS NOT NULL)"
)
_DECISION = changed("outcome", "decided_by_id", "decided_at", "reason")

register(
    Trigger(
        "impact_stays_as_laid_down",
        "impact_impactassessment",
        ("UPDATE",),
        "an impact assessment stays as it was laid down, and decided as it was decided",
        f"{_SAID} OR {_RECIPIENTS} OR (OLD.outcome <> 'waiting' AND (NEW.decided_by_id IS NULL OR NEW.decided_at IS NULL OR {_DECISION}))",
    ),
    *where_named(
        "impact_not_by_own_person",
        "impact_impactassessment",
        "nobody decides about an impact assessment that they laid down under another account",
        linked_accounts("NEW.decided_by_id", "NEW.made_by_id"),
        "OLD.decided_by_id IS NULL",
    ),
    Trigger(
        "impact_never_deleted",
        "impact_impactassessment",
        ("DELETE",),
        "an impact assessment is kept",
    ),
)
