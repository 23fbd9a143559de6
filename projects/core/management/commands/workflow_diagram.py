"""``manage.py workflow_diagram [--check]``: write ``docs/reference/workflow.md`` from the tables, or compare it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from ...help.diagram import markdown


class Command(BaseCommand):
    help = "Write docs/reference/workflow.md from projects/workflow/; with --check only compare."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        path = settings.BASE_DIR / "docs" / "reference" / "workflow.md"
        text = markdown()
        if check:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                self.stderr.write(
                    "docs/reference/workflow.md differs from projects/workflow/: run workflow_diagram"
                )
                raise SystemExit(1)
            return
        path.write_text(text, encoding="utf-8")
        self.stdout.write(f"wrote {path.name}")
