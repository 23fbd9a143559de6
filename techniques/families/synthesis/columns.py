"""What synthesis learns of a column: its kind, the order of its values, and bins of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.operations import StringArray
from techniques.core.tuples import Codes
from techniques.families.randomization.columns import encoded_numbers
from techniques.values.dates import day_texts, parse_days
from techniques.values.numbers import format_numbers, parse_numbers

Reals = NDArray[np.float64]
Bins = NDArray[np.uint8]
NUMBER, DATE, CATEGORY = "number", "date", "category"


@dataclass(frozen=True)
class LearnedColumn:
    """One column: the place of each of its d distinct values on a line, in units of 10^-``scale`` or days.

    ``codes`` (n, -1 where missing) are those of the table. A category has no line: its places are the codes.
    """

    name: str
    kind: str
    dictionary: StringArray
    codes: Codes
    places: Reals
    scale: int = 0

    @property
    def smooth(self) -> bool:
        """Whether other values may lie between two of them."""
        return self.kind != CATEGORY

    def line(self) -> Reals:
        """The place of each of n rows, NaN where missing."""
        found: Reals = np.append(self.places, np.nan)[self.codes]
        return found

    def written(self, line: Reals) -> tuple[StringArray, Codes]:
        """Dictionary and codes of places between which values may lie, NaN missing."""
        known = ~np.isnan(line)
        numbers = np.rint(np.where(known, line, 0)).astype(np.int64)
        if self.kind == DATE:
            return encoded_numbers(numbers, known, day_texts)
        return encoded_numbers(numbers, known, lambda x: format_numbers(x, self.scale))

    def keys(self, made: tuple[StringArray, Codes]) -> tuple[Codes, Codes]:
        """Real and made-up rows as codes that are equal for equal values; -2 for a value that nobody has."""
        if not self.smooth:
            return self.codes, lookup(self.dictionary, *made)
        written, own = self.written(self.places)
        return np.append(own, np.int32(-1))[self.codes], lookup(written, *made)


def lookup(dictionary: StringArray, values: StringArray, codes: Codes) -> Codes:
    """Codes of rows in another dictionary: -1 where missing, -2 where it has no such value."""
    if values is dictionary:
        return codes
    place = np.asarray(pc.index_in(values, dictionary).fill_null(-2)).astype(np.int32)
    found: Codes = np.append(place, np.int32(-1))[codes]
    return found


def learn(name: str, dictionary: StringArray, codes: Codes, as_category: bool) -> LearnedColumn:
    """Dates where all values are dates, numbers where all are numbers, else categories."""
    counts = np.bincount(codes[codes >= 0], minlength=len(dictionary))
    used = counts > 0
    if not as_category and used.any():
        # Dates first: 20240301 is a number too, but nothing lies between it and 20240401 that is not a date.
        days, valid = parse_days(dictionary)
        if valid[used].all():
            return LearnedColumn(name, DATE, dictionary, codes, days.astype(np.float64))
        numbers = parse_numbers(dictionary)
        if numbers.valid[used].all():
            scale = _scale(numbers.unscaled[used], numbers.scale)
            places = (numbers.unscaled // 10 ** (numbers.scale - scale)).astype(np.float64)
            return LearnedColumn(name, NUMBER, dictionary, codes, places, scale)
    return LearnedColumn(name, CATEGORY, dictionary, codes, np.arange(len(dictionary), dtype=np.float64))


def _scale(unscaled: NDArray[np.int64], scale: int) -> int:
    """Decimal places that the numbers really have."""
    for places in range(scale):
        if not (unscaled % 10 ** (scale - places)).any():
            return places
    return scale


@dataclass(frozen=True)
class Binning:
    """How the values of one column fall into at most 256 bins; bin 0 is that of a missing value."""

    edges: Reals
    """The beginning of each bin but the first, for numbers and dates."""
    of_code: Bins
    """The bin of each code, for categories; the last is that of a missing value."""
    count: int

    def of(self, column: LearnedColumn, codes: Codes, line: Reals | None) -> Bins:
        """The bins of rows given by codes, or by places where values may lie in between."""
        if column.kind == CATEGORY:
            return self.of_code[codes]
        places = np.append(column.places, np.nan)[codes] if line is None else line
        found = np.searchsorted(self.edges, places, side="right") + 1
        return np.where(np.isnan(places), 0, found).astype(np.uint8)


def binning(column: LearnedColumn, rows: NDArray[np.int64], most: int) -> Binning:
    """At most ``most`` bins (and one of missing values) that hold about as many of ``rows`` each."""
    counts = np.bincount(column.codes[rows][column.codes[rows] >= 0], minlength=len(column.dictionary))
    nothing = np.zeros(0)
    if column.kind == CATEGORY:
        order = np.argsort(-counts, kind="stable")
        of_code = np.zeros(len(counts) + 1, dtype=np.uint8)
        of_code[order] = 1 + np.minimum(np.arange(len(order)), most - 1)
        return Binning(nothing, of_code, int(of_code.max(initial=0)) + 1)
    used = np.flatnonzero(counts)
    order = used[np.argsort(column.places[used], kind="stable")]
    if not len(order):
        return Binning(nothing, np.zeros(1, dtype=np.uint8), 2)
    middle = np.cumsum(counts[order]) - counts[order] / 2
    wanted = np.floor(middle / counts.sum() * most)
    begins = np.flatnonzero(np.diff(wanted)) + 1
    edges = np.unique(column.places[order[begins]])
    return Binning(edges, np.zeros(1, dtype=np.uint8), len(edges) + 2)


def spread(
    learned: list[LearnedColumn], train: NDArray[np.int64], lines: list[Reals | None], codes: list[Codes]
) -> tuple[Any, Any]:
    """Rows as numbers (n, a) from 0 to 1 and category codes (n, b), for distances between rows.

    A number is the share of the rows learned from that lie below it, in between by proportion, so that it does not
    matter whether the number itself was learned. A missing number lies one whole range away from every number.
    """
    numbers, categories = [], []
    for column, line, here in zip(learned, lines, codes, strict=True):
        if column.kind == CATEGORY:
            categories.append(here)
            continue
        own = column.line()[train]
        found, counts = np.unique(own[~np.isnan(own)], return_counts=True)
        places = np.append(column.places, np.nan)[here] if line is None else line
        middle = (np.cumsum(counts) - counts / 2) / max(counts.sum(), 1)
        rank = np.interp(places, found, middle) if len(found) else np.zeros(len(places))
        numbers.append(np.where(np.isnan(places), 2.0, rank))
    rows = len(codes[0])
    stacked = np.stack(numbers, axis=1) if numbers else np.zeros((rows, 0))
    held = np.stack(categories, axis=1) if categories else np.zeros((rows, 0), dtype=np.int32)
    return np.ascontiguousarray(stacked, dtype=np.float64), np.ascontiguousarray(held, dtype=np.int32)
