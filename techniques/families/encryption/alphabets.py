"""Alphabets of format-preserving encryption. Their order is part of the format: never change it."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

_DIGITS = "0123456789"
_SMALL = "abcdefghijklmnopqrstuvwxyz"
CODE_POINTS = 0x110000


def _gb2312() -> str:
    """The 6,763 Chinese characters of GB 2312 in its order: rows 16 to 87 of its table."""
    cells = [bytes([row + 0xA0, cell + 0xA0]) for row in range(16, 88) for cell in range(1, 95)]
    return b"".join(cells).decode("gb2312", errors="ignore")


@cache
def letters(name: str) -> str:
    """The characters of an alphabet in order."""
    if name == "han_common":
        return _gb2312()
    if name == "han":
        return "".join(map(chr, range(0x4E00, 0xA000)))
    return {
        "digits": _DIGITS,
        "lower36": _DIGITS + _SMALL,
        "upper36": _DIGITS + _SMALL.upper(),
        "base62": _DIGITS + _SMALL.upper() + _SMALL,
    }[name]


@cache
def code_points(name: str) -> NDArray[np.uint32]:
    """Numeral → code point."""
    return np.array([ord(letter) for letter in letters(name)], dtype=np.uint32)


@cache
def numerals(name: str) -> NDArray[np.int32]:
    """Code point → numeral, -1 outside the alphabet."""
    table = np.full(CODE_POINTS, -1, dtype=np.int32)
    table[code_points(name)] = np.arange(len(code_points(name)), dtype=np.int32)
    return table
