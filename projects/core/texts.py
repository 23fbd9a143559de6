"""Signs that nobody can read in a text that somebody typed."""

from __future__ import annotations

import unicodedata

_CONTROLS = frozenset({"Cc", "Zl", "Zp"})


def has_controls(text: str, *, lines: bool = False) -> bool:
    """Whether ``text`` holds control characters; ``lines``: it may have several lines."""
    return any(unicodedata.category(one) in _CONTROLS and not (lines and one in "\r\n\t") for one in text)
