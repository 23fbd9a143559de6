"""The one way in which content is written down to be hashed: what is signed and sealed rests on every letter of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(content: Any) -> str:
    """``content`` as compact JSON with sorted keys."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canonical_hash(content: Any) -> str:
    """SHA-256, in hexadecimal, of the canonical JSON of ``content``."""
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()
