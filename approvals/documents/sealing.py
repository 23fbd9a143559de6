"""Documents at rest: AES-256-GCM under a key of their own, derived from the master key."""

from __future__ import annotations

import base64
import hmac
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

_VERSION = b"\x01"
_NONCE = 12


class SealBroken(RuntimeError):
    """The stored bytes are not those that were sealed, or not of this document, or under another key."""


def _key() -> bytes:
    return hmac.digest(base64.b64decode(settings.DEID_MASTER_KEY), b"documents at rest v1", "sha256")


def seal(content: bytes, *, bound_to: str) -> bytes:
    """Version byte, nonce (12 bytes), ciphertext and tag. ``bound_to`` must be given again to open."""
    nonce = os.urandom(_NONCE)
    return _VERSION + nonce + AESGCM(_key()).encrypt(nonce, content, bound_to.encode())


def unseal(sealed: bytes, *, bound_to: str) -> bytes:
    """The content; raises :class:`SealBroken`."""
    sealed = bytes(sealed)
    if sealed[:1] != _VERSION:
        raise SealBroken("unknown version")
    nonce, body = sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
    try:
        return AESGCM(_key()).decrypt(nonce, body, bound_to.encode())
    except InvalidTag:
        raise SealBroken("altered, moved or under another key") from None
