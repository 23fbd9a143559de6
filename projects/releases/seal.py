"""The seal of a release: what was approved is what is delivered (T/ISC 0078 11.1 d)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from typing import BinaryIO

from django.conf import settings


def seal_of(*, result_sha256: str, recipe_hash: str, verification_hash: str) -> str:
    """HMAC-SHA-256 over the three hashes under a key derived from the master key."""
    key = hmac.digest(base64.b64decode(settings.DEID_MASTER_KEY), b"release-seal", "sha256")
    text = f"result={result_sha256}\nrecipe={recipe_hash}\nverification={verification_hash}"
    return hmac.digest(key, text.encode(), "sha256").hex()


def seal_matches(seal: str, **hashes: str) -> bool:
    return hmac.compare_digest(seal, seal_of(**hashes))


def sha256_of(stream: BinaryIO, tick: Callable[[float], None] | None = None, size: int = 0) -> str:
    """SHA-256 of a whole stream, in hexadecimal; reports its share of ``size`` bytes."""
    digest, done = hashlib.sha256(), 0
    while chunk := stream.read(1 << 20):
        digest.update(chunk)
        done += len(chunk)
        if tick is not None and size:
            tick(min(1.0, done / size))
    return digest.hexdigest()
