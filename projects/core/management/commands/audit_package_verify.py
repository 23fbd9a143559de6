"""``manage.py audit_package_verify PACKAGE.zip [--log CHAIN.jsonl]``: check an audit package.

Exit code 1 when a file was altered, added or taken out, or when rows, documents and decisions do not belong together. No
database is needed; the seals of the rows are checked where the master key is there.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from projects.core.audit_package.checking import package_check


class Command(BaseCommand):
    help = (
        "Check an audit package without a database: every file, each row of the log in it, that a row tells of each document, and "
        "that what was signed is what decisions name. With --log the rows are looked up in an export of the whole chain too."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("package", type=Path, help="the ZIP file")
        parser.add_argument("--log", type=Path, help="an export of the whole chain as JSON Lines")

    def handle(self, *args: Any, package: Path, log: Path | None = None, **options: Any) -> None:
        key = settings.DEID_MASTER_KEY
        with ExitStack() as stack:
            try:
                source = stack.enter_context(package.open("rb"))
                lines = stack.enter_context(log.open(encoding="utf-8")) if log else None
            except OSError as error:
                raise CommandError(str(error)) from None
            checked = package_check(source, log=lines, key=key)
        for fault in checked.faults:
            self.stderr.write(fault)
        for name in checked.lost:
            self.stdout.write(f"the portal could no longer read {name} when the package was taken")
        if checked.faults:
            raise SystemExit(1)
        sealed = "sound and sealed" if key else "sound (no key to check the seals)"
        self.stdout.write(
            f"{checked.files} files, {checked.documents} documents, {checked.rows} rows of the log: {sealed}"
        )
        if log is not None:
            self.stdout.write("every row stands in the exported log")
