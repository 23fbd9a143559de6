"""Matching, replacing and taking apart texts by a regular expression, without the cost of compiling it where there is little to read.

Arrow compiles an expression anew at each call. For classes of Chinese characters that takes a millisecond or
more: nothing beside a column, much beside the few values of one masking call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

FEW = 256
"""Up to so many values are read by Python's own engine, which keeps what it has compiled."""


def extract(values: Any, pattern: str, names: Sequence[str]) -> list[Any]:
    r"""The named groups of n texts (null allowed) as string arrays of n; "" where there is no match.

    Here as in the other functions ``pattern`` keeps to what both engines read alike: it has neither ``\s``,
    ``\w``, ``\b`` nor a look-around, and ``$`` only at its end. This one begins with ``^``.
    """
    if len(values) > FEW:
        found = pc.extract_regex(values, pattern)
        return [pc.struct_field(found, name).fill_null("") for name in names]
    match = compiled(pattern).match
    parts: list[list[str]] = [[] for _ in names]
    for text in values.to_pylist():
        one = None if text is None else match(text)
        for part, name in zip(parts, names, strict=True):
            part.append("" if one is None else one[name] or "")
    return [pa.array(part, pa.string()) for part in parts]


def matches(values: Any, pattern: str) -> NDArray[np.bool_]:
    """Which of n texts (no nulls) match ``pattern``, which begins with ``^``."""
    if len(values) > FEW:
        return np.asarray(pc.match_substring_regex(values, pattern)).astype(bool)
    match = compiled(pattern).match
    return np.array([match(text) is not None for text in values.to_pylist()], dtype=bool)


def replaced(values: Any, pattern: str, text: str) -> Any:
    """n texts (null allowed) with ``text``, which has no backslash, in place of every match of ``pattern``."""
    if len(values) > FEW:
        return pc.replace_substring_regex(values, pattern, text)
    substitute = compiled(pattern).sub
    found = [None if one is None else substitute(text, one) for one in values.to_pylist()]
    return pa.array(found, pa.string())


@lru_cache(maxsize=32)
def compiled(pattern: str) -> re.Pattern[str]:
    """``pattern`` for Python's engine, which reads it as Arrow's does."""
    # Python's $ also stands before a last line feed, Arrow's does not.
    whole = pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern
    return re.compile(whole, re.ASCII)
