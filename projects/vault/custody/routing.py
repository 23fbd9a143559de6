"""Which database the tables of custody lie in: the vault's own, and nowhere where there is none."""

from __future__ import annotations

from typing import Any

from django.conf import settings

VAULT = "vault"
APP = "custody"


def is_apart() -> bool:
    """Whether new keys lie in a database of their own."""
    return VAULT in settings.DATABASES


class CustodyRouter:
    """Sends what is read and written of keys in custody to the vault's own database, and nothing else there."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        return VAULT if model._meta.app_label == APP else None

    db_for_write = db_for_read

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return (db == VAULT) == (app_label == APP)
