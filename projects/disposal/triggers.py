"""What no code may break about the disposal of data: two persons, an ended project, and what is gone stays gone and told as it was."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, linked_accounts, where_named

_SAID = changed(
    "id", "project_id", "number", "content", "content_hash", "reason", "proposed_by_id", "proposed_at"
)
_DECIDED = changed("decided_by_id", "decided_at", "decision_reason")
_NEEDED = (
    "(EXISTS (SELECT 1 FROM core_project p WHERE p.id = NEW.project_id AND p.state NOT IN ('closed', 'rejected', 'withdrawn')) "
    "OR EXISTS (SELECT 1 FROM releases_release r WHERE r.project_id = NEW.project_id AND r.ended_at IS NULL))"
)

register(
    Trigger(
        "disposal_stays_as_told",
        "disposal_disposal",
        ("UPDATE",),
        "a disposal stays as it was proposed, and decided as it was decided",
        f"{_SAID} OR OLD.outcome IN ('kept', 'destroyed') "
        f"OR (OLD.outcome = 'destroying' AND (NEW.outcome NOT IN ('destroying', 'destroyed') OR NEW.decided_by_id IS NULL "
        f"OR NEW.decided_at IS NULL OR {_DECIDED})) OR (OLD.outcome = 'waiting' AND NEW.outcome = 'destroyed')",
    ),
    Trigger(
        "disposal_begins_as_a_proposal",
        "disposal_disposal",
        ("INSERT",),
        "data are destroyed after somebody proposed it",
        "NEW.outcome <> 'waiting'",
    ),
    Trigger(
        "disposal_of_an_ended_project",
        "disposal_disposal",
        ("INSERT",),
        "data are destroyed once their project has ended and no release is in force",
        _NEEDED,
    ),
    Trigger(
        "disposal_carried_out_of_an_ended_project",
        "disposal_disposal",
        ("UPDATE",),
        "data are destroyed once their project has ended and no release is in force",
        f"OLD.outcome = 'waiting' AND NEW.outcome = 'destroying' AND {_NEEDED}",
    ),
    *where_named(
        "disposal_not_by_own_person",
        "disposal_disposal",
        "nobody destroys data whose destruction they proposed under another account",
        f"NEW.outcome <> 'kept' AND {linked_accounts('NEW.decided_by_id', 'NEW.proposed_by_id')}",
        "OLD.decided_by_id IS NULL",
    ),
    Trigger("disposal_never_deleted", "disposal_disposal", ("DELETE",), "a disposal is kept"),
    Trigger(
        "storedfile_destroyed_stays_so",
        "datasets_storedfile",
        ("UPDATE",),
        "what is destroyed of the store stays so",
        "OLD.destroyed_at IS NOT NULL AND (NEW.destroyed_at IS NULL OR LENGTH(NEW.wrapped_key) > 0)",
    ),
)
