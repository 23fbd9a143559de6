"""What no code may break about trainings: what was planned stays, and what became of it and of each person is said once."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, rewritten

register(
    Trigger(
        "training_stays",
        "records_training",
        ("UPDATE",),
        "a training stays as it was planned, and what became of it as it was recorded",
        changed("id", "title", "teaches", "roles", "held_on", "planned_by_id", "planned_at")
        + " OR COALESCE(OLD.valid_months, 0) <> COALESCE(NEW.valid_months, 0)"
        + " OR COALESCE(OLD.repeat_months, 0) <> COALESCE(NEW.repeat_months, 0)"
        + f" OR {exchanged('closed_by_id', 'closed_at')} OR {rewritten('cancelled_why', 'kept_at', 'document_hash')}",
    ),
    Trigger(
        "training_closed_once",
        "records_training",
        ("UPDATE",),
        "a training is held or cancelled once",
        "OLD.status <> 'planned' AND " + changed("status", "document_hash"),
    ),
    Trigger(
        "training_never_deleted",
        "records_training",
        ("DELETE",),
        "a training is cancelled, never deleted",
    ),
    Trigger(
        "attendance_of_what_was_held",
        "records_attendance",
        ("INSERT",),
        "attendance is of a training that was held, with the record of the same person",
        "NOT EXISTS (SELECT 1 FROM records_training t WHERE t.id = NEW.training_id AND t.status = 'held') "
        "OR (NEW.record_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM records_staffrecord r WHERE r.id = NEW.record_id "
        "AND r.account_id = NEW.account_id AND r.kind = 'training'))",
    ),
    Trigger(
        "attendance_written_once",
        "records_attendance",
        ("UPDATE", "DELETE"),
        "attendance is written once",
    ),
)
