"""What no code may break about findings: what was said stays, and nobody closes what they put right themselves."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, where_named

# What a finding comes from is none of the columns that are never NULL: it is neither exchanged nor named afterwards.
_SAID = f"{exchanged('origin_id')} OR (OLD.origin_id IS NULL AND NEW.origin_id IS NOT NULL) OR " + changed(
    "id",
    "project_id",
    "number",
    "source",
    "stage",
    "severity",
    "title",
    "description",
    "raised_by_id",
    "raised_at",
)
_ACTED_UNDER_ANOTHER = (
    "EXISTS (SELECT 1 FROM findings_findingstep s WHERE s.finding_id = NEW.id AND s.kind = 'action' "
    f"AND {linked_accounts('NEW.closed_by_id', 's.by_id')})"
)
_ACTED_SELF = (
    "EXISTS (SELECT 1 FROM findings_findingstep s WHERE s.finding_id = NEW.id AND s.kind = 'action' "
    "AND s.by_id = NEW.closed_by_id)"
)

register(
    Trigger(
        "finding_stays_as_raised",
        "findings_finding",
        ("UPDATE",),
        "what was found stays as it was raised, and what is closed stays closed",
        f"{_SAID} OR (OLD.status = 'closed' AND ({changed('status', 'owner_id', 'due_on')} "
        f"OR {exchanged('closed_by_id', 'closed_at')}))",
    ),
    Trigger(
        "finding_closed_by_another",
        "findings_finding",
        ("INSERT", "UPDATE"),
        "nobody closes what they put right themselves",
        f"NEW.status = 'closed' AND (NEW.closed_by_id = NEW.owner_id OR {_ACTED_SELF})",
    ),
    *where_named(
        "finding_not_by_own_person",
        "findings_finding",
        "nobody closes what they put right under another account",
        f"({linked_accounts('NEW.closed_by_id', 'NEW.owner_id')} OR {_ACTED_UNDER_ANOTHER})",
        "OLD.closed_by_id IS NULL",
    ),
    Trigger("finding_never_deleted", "findings_finding", ("DELETE",), "a finding is never deleted"),
    Trigger(
        "finding_step_is_final",
        "findings_findingstep",
        ("UPDATE", "DELETE"),
        "a step of a finding is written once",
    ),
    Trigger(
        "spot_check_is_final",
        "findings_spotcheck",
        ("UPDATE", "DELETE"),
        "a draw is written once, seed and population",
    ),
    Trigger(
        "checked_step_never_deleted", "findings_checkedstep", ("DELETE",), "a step that was drawn stays drawn"
    ),
    Trigger(
        "checked_step_is_final",
        "findings_checkedstep",
        ("UPDATE",),
        "what was drawn stays, and so does what was found in it",
        f"{changed('id', 'spot_check_id', 'project_id', 'stage', 'place')} OR (OLD.result <> 'open' AND "
        f"({changed('result', 'remark')} OR {exchanged('checked_by_id', 'checked_at')}))",
    ),
)
