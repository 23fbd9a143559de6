"""The seal around a key in custody: by the store's own key (``DEID_VAULT_KEY``), around what the master key has wrapped.

So neither who has the master key and the portal's database, nor who has this store and its key, opens a key alone.
"""

from __future__ import annotations

from ..keys import configured_key, key_unwrap, key_wrap, opened, sealed

SETTING = "DEID_VAULT_KEY"
_USE = b"deid portal: seal keys in custody, version 1"


def vault_key() -> bytes:
    """The 32 bytes of ``DEID_VAULT_KEY``; ``ImproperlyConfigured`` when missing or malformed."""
    return configured_key(SETTING)


def key_seal(key: bytes, context: str) -> bytes:
    """Wrap ``key`` and seal it, both bound to ``context``."""
    return sealed(vault_key(), _USE, key_wrap(key, context), context)


def key_unseal(content: bytes, context: str) -> bytes:
    """The key again; ``EngineError`` when either key is another one or the row was altered."""
    return key_unwrap(opened(vault_key(), _USE, content, context), context)
