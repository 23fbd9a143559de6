"""``manage.py vault_move``: put every live key of the vault into the store of the keys."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from projects.vault.checks import require_keys
from projects.vault.custody.routing import is_apart
from projects.vault.models import Secret
from projects.vault.services import secret_move
from techniques.core.messages import EngineError


class Command(BaseCommand):
    help = (
        "Put every live key of the vault into the database that DEID_VAULT_URL names. What was moved stays moved when this is "
        "interrupted; running it again goes on."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_apart():
            raise CommandError("DEID_VAULT_URL names no database; nothing was moved.")
        require_keys()
        left = Secret.objects.filter(apart=False, destroyed_at=None).order_by("created_at")
        moved = 0
        for secret in left:
            try:
                secret_move(secret)
            except EngineError as error:
                raise CommandError(f"{error} ({moved} keys were moved before.)") from None
            moved += 1
        self.stdout.write(
            f"{moved} keys were moved. Backups of the database from before hold them until they are deleted."
        )
