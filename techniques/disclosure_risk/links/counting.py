"""Rows and persons by their combination of values in a few columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from techniques.core.subjects import Subjects, different, persons
from techniques.disclosure_risk.subsets import merged
from techniques.tables.dictionary import MISSING, EncodedColumn


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

    def grouped(self, chosen: Sequence[int]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """A row of each combination in the columns ``chosen``, and which combination each row has."""
        weights = np.ones(self.codes.shape[1], np.int64)
        first, _rows, place = merged(self.codes, weights, self.sizes, sum(1 << column for column in chosen))
        return first, place

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
