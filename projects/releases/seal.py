"""The seal of a release: what was approved is what is delivered (T/ISC 0078 11.1 d)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

from django.conf import settings

from techniques.core.canonical import canonical_json

if TYPE_CHECKING:
    from .models import Release

SEALED = ("id", "project_id", "run_id", "signoff_id", "recipe_hash", "verification_hash")


def seal_of(release: Release) -> str:
    """HMAC-SHA-256, in hexadecimal, over what was handed out and for whom, under a key of its own
    derived from the master key.

    The ids of release, project, run and approval are in it: the sealed fields of one row do not pass
    in another, though both seals were made here. So is the notice about the changes.
    """
    return _hmac(_parts(release) | {"notice": release.files[0]["notice"]})


def seal_matches(release: Release) -> bool:
    """Whether the row is still as it was sealed.

    A release from before the first table's notice was sealed still passes without it. No later release passes with
    another notice: its seal covers the notice, and a seal without it needs the key.
    """
    seals = (seal_of(release), _hmac(_parts(release)))
    return any(hmac.compare_digest(release.seal.encode(), seal.encode()) for seal in seals)


def _parts(release: Release) -> dict[str, Any]:
    """What every seal covers: the first file by itself and the others as a list, as long as there have been seals."""
    first, *others = release.files
    parts: dict[str, Any] = {name: str(getattr(release, name)) for name in SEALED}
    parts |= {"file_name": first["file_name"], "rows": str(first["rows"]), "result_sha256": first["sha256"]}
    if release.shares_hash:
        parts["shares_hash"] = release.shares_hash
    if others:
        parts |= {"main_table": first["table"], "files": others}
    return parts


def _hmac(parts: dict[str, Any]) -> str:
    key = hmac.digest(base64.b64decode(settings.DEID_MASTER_KEY), b"release-seal", "sha256")
    return hmac.digest(key, canonical_json(parts).encode(), "sha256").hex()


def sha256_of(stream: BinaryIO, tick: Callable[[float], None] | None = None, size: int = 0) -> str:
    """SHA-256 of a whole stream, in hexadecimal; reports its share of ``size`` bytes."""
    digest, done = hashlib.sha256(), 0
    while chunk := stream.read(1 << 20):
        digest.update(chunk)
        done += len(chunk)
        if tick is not None and size:
            tick(min(1.0, done / size))
    return digest.hexdigest()
