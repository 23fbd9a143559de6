"""The one way in which content is written down to be hashed: what is signed and sealed rests on every letter of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any


def canonical_json(content: Any) -> str:
    """``content`` as compact JSON with sorted keys."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canonical_hash(content: Any) -> str:
    """SHA-256, in hexadecimal, of the canonical JSON of ``content``."""
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def set_hash(tables: Sequence[str], links: Sequence[Any], whole: str) -> str:
    """The hash of a set: ``whole``, or of one table and no links that table's, so that earlier signatures stay valid."""
    return tables[0] if len(tables) == 1 and not links else whole
