"""``manage.py vault_check``: compare the store of the keys with the portal's rows. Exit code 1 where they differ."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from projects.vault.custody.routing import is_apart
from projects.vault.custody.services import keys_kept
from projects.vault.models import Secret


class Command(BaseCommand):
    help = (
        "Compare the database of the keys with the vault's rows: live keys that are missing there, destroyed ones that still lie there, "
        "and numbers that no row of the portal knows. Changes nothing."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_apart():
            raise CommandError("DEID_VAULT_URL names no database.")
        kept, rows = keys_kept(), Secret.objects.values_list("pk", "apart", "destroyed_at")
        destroyed = {pk for pk, _apart, at in rows if at is not None}
        live = {pk for pk, apart, at in rows if apart and at is None}
        both = {pk for pk, apart, at in rows if not apart and at is None}
        found = {
            "live keys are missing": live - kept,
            "destroyed keys still lie there; the clock removes them": kept & destroyed,
            "live keys lie there and in the portal's database too; vault_move goes on with them": kept & both,
            "numbers are known to no row: from a step that broke off, or newer than the database": kept
            - destroyed
            - live
            - both,
        }
        self.stdout.write(f"{len(live & kept)} live keys lie in the store of the keys")
        for text, numbers in found.items():
            if numbers:
                self.stderr.write(f"{len(numbers)} {text}: {', '.join(sorted(map(str, numbers)))}")
        if any(found.values()):
            raise SystemExit(1)
