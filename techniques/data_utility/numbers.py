"""What number a cell stands for: a number itself, the middle of an interval, the bound of an open end."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Floats = npt.NDArray[np.float64]
_NUMBER = r"[-+]?[0-9]+(?:\.[0-9]+)?"
PLAIN = f"^{_NUMBER}$".replace("?:", "")
_BRACKETS = re.compile(rf"([\[(])\s*({_NUMBER})\s*[,;，]\s*({_NUMBER})\s*([\])])")
_DASHED = re.compile(rf"({_NUMBER})\s*(?:-|~|–|—|～|至|到)\s*({_NUMBER})")
_OPEN = re.compile(rf"(<=|>=|<|>|≤|≥)\s*({_NUMBER})|({_NUMBER})\s*(\+|及以上|以上|及以下|以下)")


_OTHER_SIGN = r"[^-+0-9.,;，\[\]()~–—～至到<>=≤≥及以上下\s\p{Z}\p{C}]"
"""A sign of which none of these is written."""


def are_none(texts: pa.Array) -> bool:
    """Whether each of the texts holds a sign that stands in no number and in no label of an interval."""
    return bool(pc.all(pc.match_substring_regex(texts, _OTHER_SIGN)).as_py())


def interval(label: str) -> tuple[float, float] | None:
    """(low, high), both included, of an interval's label; infinite at an open end; None for others.

    ``[20,30)`` and ``20-29`` become (20, just below 30) and (20, 29).
    """
    text = label.strip()
    if match := _BRACKETS.fullmatch(text):
        low, high = float(match[2]), float(match[3])
        low = np.nextafter(low, np.inf) if match[1] == "(" else low
        high = np.nextafter(high, -np.inf) if match[4] == ")" else high
    elif match := _DASHED.fullmatch(text):
        low, high = float(match[1]), float(match[2])
    elif match := _OPEN.fullmatch(text):
        sign, bound = match[1] or match[4], float(match[2] or match[3])
        if sign in {">=", "≥", "+", "及以上", "以上"}:
            low, high = bound, np.inf
        elif sign == ">":
            low, high = np.nextafter(bound, np.inf), np.inf
        elif sign in {"<=", "≤", "及以下", "以下"}:
            low, high = -np.inf, bound
        else:
            low, high = -np.inf, np.nextafter(bound, -np.inf)
    else:
        return None
    return (float(low), float(high)) if low <= high else None


def values_of(texts: pa.Array) -> Floats:
    """The number each text stands for, NaN where it stands for none. ``texts`` has no nulls."""
    numbers: Floats = np.full(len(texts), np.nan)
    if len(texts) == 0:
        return numbers
    plain = pc.match_substring_regex(texts, PLAIN).to_numpy(zero_copy_only=False)
    if plain.any():
        signless = pc.utf8_ltrim(texts.filter(pa.array(plain)), "+")
        numbers[plain] = signless.cast(pa.float64()).to_numpy(zero_copy_only=False)
    # Labels of intervals are few; a column of many different texts is no column of intervals.
    rest = np.flatnonzero(~plain)
    if len(rest) <= 10_000:
        for place, text in zip(rest.tolist(), texts.take(pa.array(rest)).to_pylist(), strict=True):
            bounds = interval(text)
            if bounds is not None:
                low, high = bounds
                if np.isinf(low) or np.isinf(high):
                    numbers[place] = high if np.isinf(low) else low
                else:
                    numbers[place] = (low + high) / 2
    return numbers
