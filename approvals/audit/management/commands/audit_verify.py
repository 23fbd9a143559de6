"""``manage.py audit_verify [--file export.jsonl] [--expect-seq N --expect-hash H]``: check the audit log.

Exit code 1 when a row was touched, or when the log is not the one whose row was written down.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from approvals.audit.anchors import anchor_faults, anchor_read, stored_faults
from approvals.audit.verify import verify, verify_lines


class Command(BaseCommand):
    help = (
        "Check the hash chain of the audit log and name every altered, removed or reordered row. "
        "With --file an exported log is checked instead, without a database. With --expect-seq and "
        "--expect-hash, as a plan or a report prints them, a log fails that is shorter than that "
        "row or has another one in its place."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--file", type=Path, help="an export of the log as JSON Lines")
        parser.add_argument("--expect-seq", type=int, help="the number of a row that was written down")
        parser.add_argument("--expect-hash", default="", help="the hash of that row, or its beginning")

    def handle(
        self,
        *args: Any,
        file: Path | None = None,
        expect_seq: int | None = None,
        expect_hash: str = "",
        **options: Any,
    ) -> None:
        try:
            anchor = anchor_read(expect_seq, expect_hash)
        except ValueError as error:
            raise CommandError(str(error)) from None
        if file is None:
            result = verify()
            if anchor is not None:
                result.faults.extend(stored_faults(anchor))
        else:
            with file.open(encoding="utf-8") as lines:
                result = verify_lines(lines, key=settings.DEID_MASTER_KEY, wanted=expect_seq)
            if anchor is not None:
                found = result.hashes.get(anchor.seq, "")
                result.faults.extend(anchor_faults(anchor, last=result.end.seq, found=found))
        for fault in result.faults:
            self.stderr.write(str(fault))
        if not result.sound:
            raise SystemExit(1)
        sealed = (
            "chain and seal sound" if settings.DEID_MASTER_KEY else "chain sound (no key to check the seal)"
        )
        self.stdout.write(f"{result.rows} rows, {sealed}")
        if anchor is not None:
            self.stdout.write(f"row {anchor.seq} is the one that was written down")
        # To be written down, in its turn.
        self.stdout.write(f"end: --expect-seq {result.end.seq} --expect-hash {result.end.hash}")
