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
    "subject_hash", "reason", "facts", "rows",
)  # fmt: skip


def canonical(row: dict[str, Any]) -> bytes:
    """The bytes that are hashed: the fields in FIELDS as sorted, compact JSON; time in UTC microseconds.

    ``rows`` is left out where it is empty, as it was before there was any.
    """
    plain: dict[str, Any] = {}
    for name in FIELDS:
        value = row.get(name) if name == "rows" else row[name]
        if name == "rows" and not value:
            continue
        if isinstance(value, datetime):
            value = value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        elif value is not None and name in {"act", "project_id"}:
            value = str(value)
        plain[name] = value
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def link(previous_hash: str, row: dict[str, Any]) -> str:
    """SHA-256 over the previous hash and the canonical row, in hexadecimal."""
    return hashlib.sha256(previous_hash.encode() + b"\n" + canonical(row)).hexdigest()


def _seal(purpose: bytes, master_key: str, said: str) -> str:
    key = hmac.digest(base64.b64decode(master_key), purpose, "sha256")
    return hmac.digest(key, said.encode(), "sha256").hex()


def seal(master_key: str, seq: int, head_hash: str) -> str:
    """HMAC-SHA-256 of the chain's end under a key derived from the master key."""
    return _seal(b"audit-head", master_key, f"{seq}:{head_hash}")


def row_seal(master_key: str, seq: int, row_hash: str) -> str:
    """HMAC-SHA-256 of a row under a key of its own. The hash covers the row before, so does the seal."""
    return _seal(b"audit-row", master_key, f"{seq}:{row_hash}")


def key_check(master_key: str) -> str:
    """What tells whether a key is the one that the data were written under; opens nothing."""
    return _seal(b"audit-key-check", master_key, "")


def check_seal(master_key: str, said: str) -> str:
    """HMAC-SHA-256 of what a check of the whole log has found so far."""
    return _seal(b"audit-check", master_key, said)


def row_is_ours(master_key: str, row: dict[str, Any]) -> bool:
    """Whether the row is as it was written by who has the key."""
    whole = link(row["previous_hash"], row) == row["hash"]
    return whole and str(row["seal"]) == row_seal(master_key, row["seq"], row["hash"])
