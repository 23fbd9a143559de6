"""Hashing of the audit chain; needs nothing but the rows (and the key for the seal)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime
from typing import Any

GENESIS = "0" * 64
FIELDS = (
    "seq", "at", "act", "actor_id", "actor", "action", "project_id", "subject_kind", "subject_id", "subject",
    "subject_hash", "reason", "facts",
)  # fmt: skip


def canonical(row: dict[str, Any]) -> bytes:
    """The bytes that are hashed: the fields in FIELDS as sorted, compact JSON; time in UTC microseconds."""
    plain: dict[str, Any] = {}
    for name in FIELDS:
        value = row[name]
        if isinstance(value, datetime):
            value = value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        elif value is not None and name in {"act", "project_id"}:
            value = str(value)
        plain[name] = value
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def link(previous_hash: str, row: dict[str, Any]) -> str:
    """SHA-256 over the previous hash and the canonical row, in hexadecimal."""
    return hashlib.sha256(previous_hash.encode() + b"\n" + canonical(row)).hexdigest()


def seal(master_key: str, seq: int, head_hash: str) -> str:
    """HMAC-SHA-256 of the chain's end under a key derived from the master key."""
    key = hmac.digest(base64.b64decode(master_key), b"audit-head", "sha256")
    return hmac.digest(key, f"{seq}:{head_hash}".encode(), "sha256").hex()
