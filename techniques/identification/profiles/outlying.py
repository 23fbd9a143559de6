"""Values that catch the eye (GB/T 37964 5.3.4 b): how many a column has and how many persons have them, without a value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from techniques.core.subjects import Subjects, different, persons, persons_of_groups
from techniques.identification.profiles.profile import FEW, places_of
from techniques.tables.dictionary import MISSING, EncodedColumn

_REACH = 1.5
"""How far the fences lie from the quartiles, in distances between these."""


@dataclass(frozen=True)
class Striking:
    """How many different values, and how many persons have at least one of them."""

    values: int
    persons: int


@dataclass(frozen=True)
class Outlying:
    """What of a column catches the eye: numbers ``below`` and ``above`` the fences, and values that fewer than :data:`FEW`
    persons have. Without fences ``below`` and ``above`` are None: for what is no number, and where half of the rows or
    more have one number."""

    below: Striking | None
    above: Striking | None
    rare: Striking


def outlying(column: EncodedColumn, subjects: Subjects | None) -> Outlying:
    """``subjects`` (n,) say whose the rows are; None where each row is a person. The quartiles are those of the rows."""
    there = np.flatnonzero(column.codes != MISSING)
    codes = column.codes[there]
    who = there.astype(np.int32) if subjects is None else persons(subjects)[0][there]
    held = persons_of_groups(codes, len(column.values), None if subjects is None else who)

    def struck(chosen: NDArray[np.bool_]) -> Striking:
        return Striking(int(chosen.sum()), different(who[chosen[codes]]))

    below = above = None
    rows = column.counts()
    read = places_of(column.values, rows) if len(there) else None
    if read is not None and read[0] == "number":
        _sort, places, valid = read
        fences = _fences(places[valid], rows[valid])
        if fences is not None:
            below, above = (struck(valid & beyond) for beyond in (places < fences[0], places > fences[1]))
    return Outlying(below, above, struck((held > 0) & (held < FEW)))


def _fences(places: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[float, float] | None:
    """The bounds beyond which a number is outlying; None where the quartiles are one number."""
    order = np.argsort(places)
    passed = np.cumsum(rows[order])
    first, third = (int(places[order][np.searchsorted(passed, share * passed[-1])]) for share in (0.25, 0.75))
    if first == third:
        return None
    reach = _REACH * (third - first)
    return first - reach, third + reach
