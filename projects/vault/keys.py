"""The master key, and the keys that it wraps. The master key comes from the environment (``DEID_MASTER_KEY``: 32
bytes in base64) and is never stored. It wraps keys only; what it wraps is bound to a context, so that a wrapped key moved to another
row does not open.
"""

from __future__ import annotations

import base64
import binascii
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from techniques.core.messages import EngineError, gettext_noop

KEY_BYTES = 32
_VERSION = b"\x01"
_NONCE_BYTES = 12
_WRAPPING = b"deid portal: wrap keys, version 1"


def configured_key(setting: str) -> bytes:
    """The 32 bytes of a setting in base64; ``ImproperlyConfigured`` when missing or malformed."""
    text = str(getattr(settings, setting))
    if not text:
        raise ImproperlyConfigured(f"{setting} is not set: 32 random bytes in base64 are needed.")
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ImproperlyConfigured(f"{setting} is not valid base64.") from None
    if len(key) != KEY_BYTES:
        raise ImproperlyConfigured(f"{setting} must be {KEY_BYTES} bytes in base64, not {len(key)}.")
    return key


def master_key() -> bytes:
    """The 32 bytes of ``DEID_MASTER_KEY``; ``ImproperlyConfigured`` when missing or malformed."""
    return configured_key("DEID_MASTER_KEY")


def key_new() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def sealed(by: bytes, use: bytes, content: bytes, context: str) -> bytes:
    """Encrypt ``content`` under a key derived from ``by`` for one ``use``, bound to ``context`` (for example the row's id)."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return _VERSION + nonce + _cipher(by, use).encrypt(nonce, content, context.encode())


def opened(by: bytes, use: bytes, content: bytes, context: str) -> bytes:
    """What was sealed; ``EngineError`` when ``by`` is another key or the row was altered."""
    content = bytes(content)
    try:
        if content[:1] != _VERSION:
            raise InvalidTag
        nonce = content[1 : 1 + _NONCE_BYTES]
        return _cipher(by, use).decrypt(nonce, content[1 + _NONCE_BYTES :], context.encode())
    except (InvalidTag, ValueError):
        text = gettext_noop(
            "A stored key cannot be opened: the master key was changed or the record was altered."
        )
        raise EngineError("vault.unwrap", text) from None


def key_wrap(key: bytes, context: str) -> bytes:
    """Encrypt ``key`` under the master key, bound to ``context``."""
    return sealed(master_key(), _WRAPPING, key, context)


def key_unwrap(wrapped: bytes, context: str) -> bytes:
    """The key again; ``EngineError`` when the master key is another one or the row was altered."""
    return opened(master_key(), _WRAPPING, wrapped, context)


def _cipher(by: bytes, use: bytes) -> AESGCM:
    # A key of its own for each use: the audit log's seal uses the same master key.
    return AESGCM(HKDF(hashes.SHA256(), KEY_BYTES, salt=None, info=use).derive(by))
