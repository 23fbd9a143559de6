"""What no code may break about the files that a run makes beside its result: they stay as they are."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register

register(
    Trigger(
        "share_file_is_final",
        "processing_sharefile",
        ("UPDATE",),
        "the file of a holder of shares is never exchanged",
        "OLD.id <> NEW.id OR OLD.project_id <> NEW.project_id OR OLD.run_id <> NEW.run_id "
        "OR OLD.number <> NEW.number OR OLD.stored_id <> NEW.stored_id OR OLD.sha256 <> NEW.sha256",
    ),
    Trigger("share_file_stays", "processing_sharefile", ("DELETE",), "a file of shares is never deleted"),
    Trigger(
        "mapping_table_is_final",
        "processing_mappingtable",
        ("UPDATE",),
        "a mapping table is never exchanged",
        "OLD.id <> NEW.id OR OLD.project_id <> NEW.project_id OR OLD.run_id <> NEW.run_id "
        'OR OLD.step <> NEW.step OR OLD."column" <> NEW."column" OR OLD.stored_id <> NEW.stored_id '
        "OR OLD.key_id <> NEW.key_id",
    ),
    Trigger(
        "mapping_table_stays", "processing_mappingtable", ("DELETE",), "a mapping table is never deleted"
    ),
)
