"""``manage.py audit_verify``: check the whole audit log; exit code 1 when a row was touched."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from approvals.audit.verify import verify


class Command(BaseCommand):
    help = "Check the hash chain of the audit log and name every altered, removed or reordered row."

    def handle(self, *args: Any, **options: Any) -> None:
        result = verify()
        for fault in result.faults:
            self.stderr.write(str(fault))
        if not result.sound:
            raise SystemExit(1)
        self.stdout.write(f"{result.rows} rows, chain and seal sound")
