"""System checks of the store of the keys: its key, its tables, and that the portal can open what lies there."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError
from django.db import Error as StoreError

from techniques.core.messages import EngineError

from ..models import Secret
from .models import KeptKey
from .routing import VAULT, is_apart
from .sealing import key_unseal, vault_key


@register(Tags.security)
def store_has_its_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """custody.E001: keys are to lie in a database of their own, and its key is missing or malformed."""
    if is_apart():
        try:
            vault_key()
        except ImproperlyConfigured as error:
            hint = "Whoever guards that database makes a key of its own, other than DEID_MASTER_KEY."
            return [Error(str(error), hint=hint, id="custody.E001")]
    return []


@register(Tags.database)
def store_is_there(app_configs: Any, databases: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """custody.E002 the store does not answer or has no tables; custody.E003 it opens with another key; custody.E004 keys lie in a
    store that is not named. Nothing is said while the portal's own tables are not there, nor to who makes those of the store."""
    if list(databases or ()) == [VAULT]:
        return []
    try:
        apart = Secret.objects.filter(apart=True, destroyed_at=None).select_related("project").first()
    except DatabaseError:
        return []
    if not is_apart():
        hint = "Set DEID_VAULT_URL and DEID_VAULT_KEY to what they were when keys were put there."
        text = "Keys of the vault lie in a database of their own, and DEID_VAULT_URL does not name it."
        return [Error(text, hint=hint, id="custody.E004")] if apart is not None else []
    try:
        kept = KeptKey.objects.filter(pk=apart.pk).first() if apart is not None else KeptKey.objects.first()
        if apart is not None and kept is not None:
            key_unseal(bytes(kept.sealed), apart.context)
    except StoreError as error:
        text = f"The database of the keys does not answer or has no tables ({type(error).__name__})."
        hint = f"manage.py migrate custody --database {VAULT}"
        return [Error(text, hint=hint, id="custody.E002")]
    except (EngineError, ImproperlyConfigured):
        text = "What lies in the database of the keys does not open: DEID_VAULT_KEY or DEID_MASTER_KEY is another one."
        return [Error(text, hint="Start with the keys of which you kept copies.", id="custody.E003")]
    return []
