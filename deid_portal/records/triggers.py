"""What no code may break about records of staff: what was recorded stays as it was."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, rewritten

register(
    Trigger(
        "staff_record_stays",
        "records_staffrecord",
        ("UPDATE",),
        "a record of staff is written once, and taken back once",
        changed(
            "id",
            "account_id",
            "kind",
            "title",
            "done_on",
            "passed",
            "kept_at",
            "document_hash",
            "recorded_by_id",
            "recorded_at",
        )
        + f" OR {exchanged('valid_until', 'taken_back_by_id', 'taken_back_at')} OR {rewritten('taken_back_why')}"
        + " OR (OLD.valid_until IS NULL AND NEW.valid_until IS NOT NULL)",
    ),
    Trigger(
        "staff_record_never_deleted",
        "records_staffrecord",
        ("DELETE",),
        "a record of staff is taken back, never deleted",
    ),
    Trigger(
        "record_scan_of_what_counts",
        "records_recordscan",
        ("INSERT",),
        "a scan is of a record that was not taken back, and is the file whose hash is on record",
        "NOT EXISTS (SELECT 1 FROM records_staffrecord r WHERE r.id = NEW.record_id AND r.taken_back_at IS NULL "
        "AND r.account_id <> NEW.kept_by_id AND (r.document_hash = '' OR LOWER(r.document_hash) = NEW.sha256))",
    ),
    Trigger(
        "record_scan_written_once",
        "records_recordscan",
        ("UPDATE", "DELETE"),
        "the scan of a record is kept once",
    ),
)
