"""System checks of the store of the keys: its key, its tables, and that the portal can open what lies there."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connections
from django.db import Error as StoreError

from techniques.core.messages import EngineError

from ..keys import master_key
from ..models import Secret
from .models import KeptKey
from .routing import VAULT, is_apart
from .sealing import key_unseal, vault_key

SOME = 20
"""Of so many live keys one is looked for in the store."""


@register(Tags.security)
def store_has_its_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """custody.E001: keys are to lie in a database of their own, and its key is missing, malformed or the master key; custody.E005: that
    database is the portal's."""
    if not is_apart():
        return []
    hint = "Whoever guards that database makes a key of its own, other than DEID_MASTER_KEY."
    try:
        text = "DEID_VAULT_KEY is DEID_MASTER_KEY." if vault_key() == master_key() else ""
    except ImproperlyConfigured as error:
        text = str(error)
    found: list[CheckMessage] = [Error(text, hint=hint, id="custody.E001")] if text else []
    if _place("default") == _place(VAULT):
        text = "DEID_VAULT_URL names the database of the portal itself."
        found.append(Error(text, hint="Name another one.", id="custody.E005"))
    return found


def _place(alias: str) -> tuple[str, ...]:
    database = connections[alias].settings_dict
    return tuple(str(database[name]) for name in ("ENGINE", "HOST", "PORT", "NAME"))


@register(Tags.database)
def store_is_there(app_configs: Any, databases: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """custody.E002 the store does not answer or has no tables; custody.E003 it opens with another key; custody.E004 keys lie in a
    store that is not named; custody.E006 it has none of the keys, so it is another one. Nothing is said while the portal's own tables are not there, nor to who makes those of the store."""
    if list(databases or ()) == [VAULT]:
        return []
    try:
        live = Secret.objects.filter(apart=True, destroyed_at=None).select_related("project")
        some = {one.pk: one for one in live.order_by("created_at")[:SOME]}
    except DatabaseError:
        return []
    if not is_apart():
        hint = "Set DEID_VAULT_URL and DEID_VAULT_KEY to what they were when keys were put there."
        text = "Keys of the vault lie in a database of their own, and DEID_VAULT_URL does not name it."
        return [Error(text, hint=hint, id="custody.E004")] if some else []
    try:
        KeptKey.objects.exists()  # whether or not there is a key to look for
        kept = KeptKey.objects.filter(pk__in=list(some)).first()
        if kept is not None:
            key_unseal(bytes(kept.sealed), some[kept.pk].context)
        elif some:
            text = "The database of the keys has none of the vault's keys: it is another one."
            return [Error(text, hint="manage.py vault_check compares it with the rows.", id="custody.E006")]
    except StoreError as error:
        text = f"The database of the keys does not answer or has no tables ({type(error).__name__})."
        hint = f"manage.py migrate custody --database {VAULT}"
        return [Error(text, hint=hint, id="custody.E002")]
    except (EngineError, ImproperlyConfigured):
        text = "What lies in the database of the keys does not open: DEID_VAULT_KEY or DEID_MASTER_KEY is another one."
        return [Error(text, hint="Start with the keys of which you kept copies.", id="custody.E003")]
    return []
