"""The only writer of scans of records, and reading them."""

from __future__ import annotations

import uuid
from typing import Any, BinaryIO

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open, store_remove

from .. import events, rules
from ..models import RecordScan, StaffRecord


def record_get(record_id: uuid.UUID) -> StaffRecord:
    """Raises ``StaffRecord.DoesNotExist``."""
    return StaffRecord.objects.select_related("account", "scan__stored").get(pk=record_id)


def scan_keep(record: StaffRecord, *, stored: StoredFile, by: Person) -> RecordScan:
    """Keep a received file as the scan of ``record``; one that is refused leaves nothing in the store."""
    facts: dict[str, Any] = {"record": record.kind}
    try:
        with governed_act(), recording(events.SCAN_KEPT, by=by, subject=record.subject, **facts):
            # Two that arrive at once are kept one after the other.
            StaffRecord.objects.select_for_update(of=("self",)).get(pk=record.pk)
            record = record_get(record.pk)
            rules.may_keep_scan(by, record).require()
            if record.document_hash and record.document_hash.lower() != stored.sha256:
                deny(rules.RecordReason.OTHER_FILE).require()
            return RecordScan.objects.create(
                record=record, stored=stored, sha256=stored.sha256, size=stored.size, kept_by=by
            )
    except BaseException:
        store_remove(stored)
        raise


def scan_open(scan: RecordScan, *, by: Person) -> BinaryIO:
    """The content, for administrators; on the record."""
    rules.may_read(by).require()
    facts: dict[str, Any] = {"record": scan.record.kind}
    with recording(events.SCAN_READ, by=by, subject=scan.record.subject, **facts):
        return store_open(scan.stored, whole=True)
