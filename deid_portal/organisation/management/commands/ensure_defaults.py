"""Lay down what every organisation starts with; running it again changes nothing."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from deid_portal.organisation.services import ensure_defaults


class Command(BaseCommand):
    help = "Lay down version 1 of the identifier metadata table unless there is a version already."

    def handle(self, *args: Any, **options: Any) -> None:
        version = ensure_defaults()
        self.stdout.write(f"metadata table: version {version.number}, {version.entry_count} entries")
