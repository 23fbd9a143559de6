"""Rows and persons by their combination of values in a few columns."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.core.subjects import Subjects, different, persons
from techniques.core.tuples import numbered_keys
from techniques.disclosure_risk.subsets import merged
from techniques.tables.dictionary import MISSING, EncodedColumn

_LIMIT = 1 << 62


@dataclass(frozen=True)
class Cells:
    """Codes (m, n) of m columns from 0, which says missing, to below ``sizes``; ``who`` (n,) numbers the person of each row."""

    names: tuple[str, ...]
    codes: NDArray[np.int32]
    sizes: NDArray[np.int64]
    who: NDArray[np.int32]
    persons: int

    @classmethod
    def of(cls, columns: Mapping[str, EncodedColumn], subjects: Subjects | None) -> Cells:
        """``subjects`` (n,) say whose the rows are; None where each row is a person."""
        codes = np.stack([column.codes - np.int32(MISSING) for column in columns.values()])
        sizes = np.array([len(column.values) + 1 for column in columns.values()], np.int64)
        rows = codes.shape[1]
        who, number = (np.arange(rows, dtype=np.int32), rows) if subjects is None else persons(subjects)
        return cls(tuple(columns), codes, sizes, who, number)

    def filled(self, chosen: Iterable[int]) -> NDArray[np.bool_]:
        """The rows that have a value in each column ``chosen``."""
        there: NDArray[np.bool_] = np.logical_and.reduce([self.codes[column] > 0 for column in chosen])
        return there

    def alone(self, chosen: Sequence[int]) -> int:
        """How many persons have a combination in the columns ``chosen`` that nobody else has, and a value in each of them."""
        keys, span = self.codes[chosen[0]].astype(np.int64), int(self.sizes[chosen[0]])
        for column in chosen[1:]:
            size = int(self.sizes[column])
            if span * size > _LIMIT:
                known, keys = numbered_keys(keys)
                span = len(known)
            keys, span = keys * size + self.codes[column], span * size
        there = self.filled(chosen)
        return int(_alone(keys, there, self.who, span, self.persons))

    def shared(self, column: int) -> NDArray[np.bool_]:
        """Which values of a column several persons have, by code."""
        codes = self.codes[column]
        one = np.zeros(int(self.sizes[column]), np.int32)
        one[codes] = self.who
        found = np.zeros(len(one), np.bool_)
        found[codes[one[codes] != self.who]] = True
        return found

    def pairs(self, column: int, other: int) -> Pairs:
        """The pairs of values in two columns, where both are there."""
        chosen = [column, other]
        rows = np.flatnonzero(self.filled(chosen))
        codes = self.codes[chosen][:, rows]
        who = None
        if self.persons < len(self.who):
            cells = np.concatenate([codes, self.who[rows][None]])
            sizes = np.append(self.sizes[chosen], self.persons)
            once, _rows, _place = merged(cells, np.ones(len(rows), np.int64), sizes, 0b111)
            codes, who = np.ascontiguousarray(codes[:, once]), self.who[rows[once]]
        first, counts, place = merged(codes, np.ones(codes.shape[1], np.int64), self.sizes[chosen], 0b11)
        return Pairs(codes[:, first], counts, place, who)


@dataclass(frozen=True)
class Pairs:
    """``codes`` (2, T) of T pairs of values, and how many persons have each (``counts``). A person who has a pair has a ``place`` (U,) that says
    which; ``who`` numbers the persons of these, None where each is another one."""

    codes: NDArray[np.int32]
    counts: NDArray[np.int64]
    place: NDArray[np.int32]
    who: NDArray[np.int32] | None

    def persons(self, chosen: NDArray[np.bool_]) -> int:
        """How many persons have at least one of the pairs ``chosen`` (T,), each counted once."""
        if self.who is None:
            return int(self.counts[chosen].sum())
        return different(self.who[chosen[self.place]])


@compiled
def _alone(keys, there, who, span, persons):
    """How many persons have, in a row that is ``there``, one of the ``keys`` (n,) below ``span`` that no other person has."""
    rows = len(keys)
    hashed = span > 4 * rows
    size = span
    if hashed:
        size = 16
        while size < 2 * rows:
            size *= 2
    # Whose a key is: of nobody yet (-1), or of several (-2).
    owners = np.full(size, -1, np.int32)
    held = np.empty(size if hashed else 0, np.int64)
    for row in range(rows):
        if not there[row]:
            continue
        at = keys[row]
        if hashed:
            spread = np.uint64(keys[row]) * np.uint64(0x9E3779B97F4A7C15)
            at = np.int64((spread >> np.uint64(32)) & np.uint64(size - 1))
            while owners[at] != -1 and held[at] != keys[row]:
                at = (at + 1) & (size - 1)
            held[at] = keys[row]
        if owners[at] == -1:
            owners[at] = who[row]
        elif owners[at] != who[row]:
            owners[at] = -2
    single = np.zeros(persons, np.bool_)
    for owner in owners:
        if owner >= 0:
            single[owner] = True
    return single.sum()
