"""``manage.py audit_verify [--file export.jsonl]``: check the audit log; exit code 1 when a row was touched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from approvals.audit.verify import verify, verify_lines


class Command(BaseCommand):
    help = (
        "Check the hash chain of the audit log and name every altered, removed or reordered row. "
        "With --file an exported log is checked instead, without a database."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--file", type=Path, help="an export of the log as JSON Lines")

    def handle(self, *args: Any, file: Path | None = None, **options: Any) -> None:
        if file is None:
            result = verify()
        else:
            with file.open(encoding="utf-8") as lines:
                result = verify_lines(lines, key=settings.DEID_MASTER_KEY)
        for fault in result.faults:
            self.stderr.write(str(fault))
        if not result.sound:
            raise SystemExit(1)
        sealed = (
            "chain and seal sound" if settings.DEID_MASTER_KEY else "chain sound (no key to check the seal)"
        )
        self.stdout.write(f"{result.rows} rows, {sealed}")
