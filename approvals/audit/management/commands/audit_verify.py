"""``manage.py audit_verify [--file export.jsonl] [--expect-seq N --expect-hash H] [--anchors FOLDER]``: check the audit log.

Exit code 1 when a row was touched, when a row that gives permission is not as the log left it, or when the log is not
the one whose row was written down.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from approvals.audit.anchors import anchor_faults, anchor_read, anchors_in, stored_faults
from approvals.audit.verify import verify, verify_lines


class Command(BaseCommand):
    help = (
        "Check the hash chain and the seals of the audit log, name every altered, removed or reordered row, and every "
        "row that gives permission and that no event explains. "
        "With --file an exported log is checked instead, without a database. With --expect-seq and "
        "--expect-hash, as a plan or a report prints them, a log fails that is shorter than that "
        "row or has another one in its place; with --anchors every anchor in a folder is compared."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--file", type=Path, help="an export of the log as JSON Lines")
        parser.add_argument("--expect-seq", type=int, help="the number of a row that was written down")
        parser.add_argument("--expect-hash", default="", help="the hash of that row, or its beginning")

        parser.add_argument("--anchors", type=Path, help="a folder to which the portal sent its anchors")

    def handle(
        self,
        *args: Any,
        file: Path | None = None,
        expect_seq: int | None = None,
        expect_hash: str = "",
        anchors: Path | None = None,
        **options: Any,
    ) -> None:
        try:
            anchor = anchor_read(expect_seq, expect_hash)
            if anchors is not None and not anchors.is_dir():
                raise ValueError(f"{anchors} is no folder")
            kept = anchors_in(anchors) if anchors else []
        except ValueError as error:
            raise CommandError(str(error)) from None
        wanted = [*([anchor] if anchor else []), *kept]
        if file is None:
            result = verify()
            result.faults.extend(stored_faults(wanted))
        else:
            with file.open(encoding="utf-8") as lines:
                numbers = [one.seq for one in wanted]
                result = verify_lines(lines, key=settings.DEID_MASTER_KEY, wanted=numbers)
            for one in wanted:
                found = result.hashes.get(one.seq, "")
                result.faults.extend(anchor_faults(one, last=result.end.seq, found=found))
        for fault in result.faults:
            self.stderr.write(str(fault))
        if not result.sound:
            raise SystemExit(1)
        sealed = (
            "chain and seals sound" if settings.DEID_MASTER_KEY else "chain sound (no key to check the seals)"
        )
        if file is None:
            sealed += ", every row that gives permission explained"
        self.stdout.write(f"{result.rows} rows, {sealed}")
        if anchor is not None:
            self.stdout.write(f"row {anchor.seq} is the one that was written down")
        if anchors is not None:
            self.stdout.write(f"{len(kept)} anchors are of this log")
        # To be written down, in its turn.
        self.stdout.write(f"end: --expect-seq {result.end.seq} --expect-hash {result.end.hash}")
