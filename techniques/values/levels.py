"""Protection levels that persons ask for, as they stand in a column."""

from __future__ import annotations

import re

MOST_LEVEL = 20
"""No form offers a greater level; greater numbers are an age, an amount or a key, and are not counted one by one."""
_LEVEL = re.compile(r"\s*\+?0*([1-9][0-9]{0,8})(?:\.0+)?\s*")


def level_of(text: str) -> int | None:
    """The level that a cell asks for: a whole number from 1 on, 0 for an empty cell, None for what is no level."""
    if not text.strip():
        return 0
    match = _LEVEL.fullmatch(text)
    return int(match[1]) if match else None
