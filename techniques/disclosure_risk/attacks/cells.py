"""How far what an attacker knows of a person lies from what a result says: column by column, over distinct values.

What a result says of a cell fits a value if it covers it (:mod:`techniques.data_utility.covering`): itself, an interval, a label
of a hierarchy, a mask. Of numbers that do not fit, the distance to the nearest number that would, as a share of the
column's spread; of other values a whole step. ``*`` and an empty cell fit everybody. Among records that fit equally well the
one that says more is nearer: an attacker prefers the record that fewer others fit.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core import faults
from techniques.core.compiling import compiled
from techniques.core.messages import EngineError, _
from techniques.core.tuples import TupleKeys
from techniques.data_utility.covering import Hierarchy, coverings
from techniques.data_utility.numbers import PLAIN, interval
from techniques.tables.dictionary import MISSING, EncodedColumn

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
STEP = 1_000_000
"""The distance of two values that have nothing in common."""
_MISFIT = 1 << 21
"""So much more counts a misfit than all that fitting records say more or less: 60 columns of at most 31,000."""
_MOST_COLUMNS = 60
_MOST_COVERED = 200_000_000
_FAR = int(np.iinfo(np.int64).max)
_BLOCK = 4_000_000
"""Distances of one column that are held at a time."""
_NUMBERS = 0.95
"""Share of a column's cells that must be numbers for it to be one of numbers."""
SUPPRESSED = "*"


@dataclass(frozen=True)
class Column:
    """One column of source and result.

    ``source`` and ``released`` are its cells; ``number`` (values,) what each value of the source is, NaN where it is none;
    ``low`` and ``high`` (labels,) what numbers a label stands for, NaN where it is none. ``own`` (labels,) is the value that a
    label is, -1 for others; ``foreign`` the labels that stand for several values, with these. ``open`` (labels,) marks ``*``.
    ``covered`` (labels,) says how many rows of the source a label fits.
    """

    name: str
    source: EncodedColumn
    released: EncodedColumn
    number: Floats
    low: Floats
    high: Floats
    own: Integers
    foreign: Mapping[int, Integers]
    open: NDArray[np.bool_]
    covered: Integers

    @classmethod
    def of(
        cls, name: str, source: EncodedColumn, released: EncodedColumn, hierarchy: Hierarchy | None = None
    ) -> Column:
        """Values and labels beside each other. EngineError ``too_many_values`` where too many labels stand for too many values."""
        values, labels = _texts(source), _texts(released)
        counts = source.counts()
        number = _plain_numbers(values)
        is_numeric = counts.sum() > 0 and counts[~np.isnan(number)].sum() >= _NUMBERS * counts.sum()
        low = high = np.full(len(labels), np.nan)
        if is_numeric:
            low, high = _bounds(labels)
        else:
            number = np.full(len(values), np.nan)
        open_ = np.asarray(pc.equal(labels, SUPPRESSED)).astype(bool) if len(labels) else np.zeros(0, bool)
        rest = np.flatnonzero(np.isnan(low) & ~open_)
        own, foreign = np.full(len(labels), -1, dtype=np.int64), {}
        if len(rest):
            found, covers = coverings(values, labels.take(pa.array(rest)), hierarchy)
            own[rest] = found
            room = _MOST_COVERED
            for place, covered in covers:
                foreign[int(rest[place])] = covered
                room -= len(covered)
                if room < 0:
                    text = _("Column %(column)s has too many different values to attack by.")
                    raise EngineError("too_many_values", text, column=name)
        column = cls(name, source, released, number, low, high, own, foreign, open_, np.zeros(0, np.int64))
        return _with_covered(column, counts)

    @property
    def is_numeric(self) -> bool:
        return bool((~np.isnan(self.number)).any())

    @cached_property
    def width(self) -> float:
        """How far apart the numbers of the source lie at most; 1 where they are all one."""
        known = self.number[~np.isnan(self.number)]
        return float(known.max() - known.min()) or 1.0 if len(known) else 1.0

    @cached_property
    def by_number(self) -> NDArray[np.int64]:
        """The values of the source that are numbers, in their order."""
        known = np.flatnonzero(~np.isnan(self.number))
        return known[np.argsort(self.number[known], kind="stable")]

    @cached_property
    def comparable(self) -> NDArray[np.bool_]:
        """(labels,): whether a label says anything that can be compared with a value of the source."""
        found: NDArray[np.bool_] = (self.own >= 0) | ~np.isnan(self.low)
        for place, covered in self.foreign.items():
            found[place] = len(covered) > 0
        return found & ~self.open

    @property
    def tells(self) -> bool:
        """Whether most cells of the result can be compared at all: pseudonyms and ciphers cannot."""
        counts = self.released.counts()
        said = counts[~self.open].sum()
        return bool(said) and bool(counts[self.comparable].sum() * 2 > said)

    def distances(self, values: Integers) -> Integers:
        """(values, labels + 1): how far each label is from each of these values of the source, a missing label last; 0 for
        a missing value, of which nothing is known."""
        found = np.full((len(values), len(self.own) + 1), STEP, dtype=np.int64)
        known = values != MISSING
        if self.is_numeric:
            numeric = np.flatnonzero(~np.isnan(self.low))
            with np.errstate(invalid="ignore"):
                number = np.where(known, self.number[values], np.nan)[:, None]
                away = np.maximum(np.maximum(self.low[numeric] - number, number - self.high[numeric]), 0.0)
                share = np.minimum(away / self.width, 1.0)
            found[:, numeric] = np.where(np.isnan(share), STEP, np.ceil(share * STEP)).astype(np.int64)
        at = np.flatnonzero(known)
        places = np.flatnonzero(self.own >= 0)
        by_value = np.full(len(self.source.values) + 1, -1, dtype=np.int64)
        by_value[self.own[places]] = places
        same = by_value[values[at]]
        found[at[same >= 0], same[same >= 0]] = 0
        member = np.zeros(len(self.source.values) + 1, dtype=np.bool_)
        for place, covered in self.foreign.items():
            member[covered] = True
            found[at[member[values[at]]], place] = 0
            member[covered] = False
        found[:, :-1][:, self.open] = 0
        found[:, -1] = 0
        rows = self.source.codes.size
        said = np.append(self.covered, rows)
        # What does not fit says no more than a record that fits everybody.
        fits = np.round(1000 * np.log2(np.maximum(said, 1))).astype(np.int64)
        total: Integers = found * _MISFIT + np.where(found == 0, fits, round(1000 * np.log2(max(rows, 1))))
        total[~known] = 0
        return total

    def noisy(self, values: Integers, by: float, generator: np.random.Generator) -> Integers:
        """What an attacker takes for these values: numbers moved by up to ``by``, to the nearest number that the source has."""
        found, order = values.copy(), self.by_number
        is_known = (values != MISSING) & ~np.isnan(np.where(values != MISSING, self.number[values], np.nan))
        moved = generator.uniform(-by, by, len(values)) + np.where(is_known, self.number[values], 0.0)
        numbers = self.number[order]
        after = np.clip(np.searchsorted(numbers, moved), 0, len(order) - 1)
        before = np.maximum(after - 1, 0)
        nearer = np.where(np.abs(numbers[before] - moved) <= np.abs(numbers[after] - moved), before, after)
        found[is_known] = order[nearer[is_known]]
        return found


def _with_covered(column: Column, counts: Integers) -> Column:
    """The column with how many rows of the source each label fits."""
    rows = int(counts.sum())
    covered = np.where(column.open, rows, 1).astype(np.int64)
    is_own = column.own >= 0
    covered[is_own] = counts[column.own[is_own]]
    for place, values in column.foreign.items():
        covered[place] = counts[values].sum()
    if column.is_numeric:
        order = column.by_number
        sums = np.concatenate([[0], np.cumsum(counts[order])])
        numbers = column.number[order]
        numeric = np.flatnonzero(~np.isnan(column.low))
        first = np.searchsorted(numbers, column.low[numeric], side="left")
        last = np.searchsorted(numbers, column.high[numeric], side="right")
        covered[numeric] = sums[last] - sums[first]
    return Column(
        column.name, column.source, column.released, column.number, column.low, column.high, column.own,
        column.foreign, column.open, np.maximum(covered, 1),
    )  # fmt: skip


def _texts(column: EncodedColumn) -> pa.Array:
    return column.values.cast(pa.string())


def _plain_numbers(texts: pa.Array) -> Floats:
    numbers = np.full(len(texts), np.nan)
    if len(texts):
        plain = pc.match_substring_regex(texts, PLAIN).to_numpy(zero_copy_only=False).astype(bool)
        signless = pc.utf8_ltrim(texts.filter(pa.array(plain)), "+")
        numbers[plain] = signless.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return numbers


def _bounds(labels: pa.Array) -> tuple[Floats, Floats]:
    """(low, high) of each label, both a number's own; NaN where it is neither a number nor an interval."""
    low = _plain_numbers(labels)
    high = low.copy()
    rest = np.flatnonzero(np.isnan(low))
    for place, text in zip(rest.tolist(), labels.take(pa.array(rest)).to_pylist(), strict=True):
        if (found := interval(text)) is not None:
            low[place], high[place] = found
    return low, high


@dataclass(frozen=True)
class Records:
    """The different records of a result by some columns: ``codes`` (columns, d), -1 where missing, ``of_row`` (m,) which each
    row is, ``rows`` (d,) how many rows are each."""

    columns: tuple[Column, ...]
    codes: NDArray[np.int32]
    of_row: Integers
    rows: Integers

    @classmethod
    def of(cls, columns: Sequence[Column]) -> Records:
        """EngineError ``no_quasi_identifier`` where no column is known, ``too_many_columns``."""
        if not columns:
            raise faults.no_quasi_identifier()
        if len(columns) > _MOST_COLUMNS:
            text = _("An attack by more than %(most)d columns is not worked out.")
            raise EngineError("too_many_columns", text, most=_MOST_COLUMNS)
        coded = [one.released.codes for one in columns]
        keys = TupleKeys([len(one.released.values) for one in columns]).encode(coded)
        _keys, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
        of_row = of_row.reshape(-1).astype(np.int64)
        return cls(
            tuple(columns),
            np.vstack([one[first] for one in coded]),
            of_row,
            np.bincount(of_row, minlength=len(first)).astype(np.int64),
        )

    def nearest(self, known: Sequence[Integers], without: Pairs | None = None) -> Pairs:
        """The nearest records to what is ``known`` of each target, a value of the source for each column; ``without`` are
        records that are not looked at."""
        targets, widths = len(known[0]), [len(one.own) + 1 for one in self.columns]
        labels = np.where(self.codes < 0, np.array(widths)[:, None] - 1, self.codes).astype(np.int32)
        labels = np.ascontiguousarray(labels.T)
        begin = np.zeros(targets + 1, np.int64) if without is None else without.begin
        excluded = np.zeros(0, np.int64) if without is None else without.record
        found = []
        step = max(1, _BLOCK // max(widths))
        for start in range(0, targets, step):
            stop = min(start + step, targets)
            distances, places = self._distances([one[start:stop] for one in known])
            found.append(_nearest(distances, places, labels, begin[start : stop + 1], excluded))
        counts = np.concatenate([np.diff(ends) for ends, _record in found])
        return Pairs(
            np.concatenate([[0], np.cumsum(counts)]), np.concatenate([record for _ends, record in found])
        )

    def _distances(self, known: Sequence[Integers]) -> tuple[Integers, Integers]:
        """(the tables of distances of all columns one after another, where the line of each target begins in each)."""
        tables, start = [], 0
        places = np.empty((len(known[0]), len(self.columns)), dtype=np.int64)
        for number, (column, values) in enumerate(zip(self.columns, known, strict=True)):
            different, at = np.unique(values, return_inverse=True)
            table = column.distances(different)
            places[:, number] = start + at.reshape(-1) * table.shape[1]
            tables.append(table.reshape(-1))
            start += table.size
        return np.concatenate(tables), places


@dataclass(frozen=True)
class Pairs:
    """Records of each target, one target after another: those of t are ``record[begin[t]:begin[t + 1]]``."""

    begin: Integers
    record: Integers

    @property
    def target(self) -> Integers:
        """(pairs,): of which target each is."""
        return np.repeat(np.arange(len(self.begin) - 1), np.diff(self.begin))

    @classmethod
    def of(cls, target: Integers, record: Integers, targets: int) -> Pairs:
        """From pairs in the order of their targets."""
        return cls(np.searchsorted(target, np.arange(targets + 1)).astype(np.int64), record)


@compiled
def _nearest(distances, places, labels, begin, excluded):
    """(where the records of each target begin, the nearest records): the sums of ``distances`` are whole numbers, so records
    are equally near or not."""
    targets, records = len(places), len(labels)
    starts = np.zeros(targets + 1, np.int64)
    held, size = np.empty(max(4 * targets, 16), np.int64), 0
    left_out = np.zeros(records, np.bool_)
    for target in range(targets):
        for at in range(begin[target], begin[target + 1]):
            left_out[excluded[at]] = True
        least, first = _FAR, size
        for record in range(records):
            if left_out[record]:
                continue
            away = 0
            for column in range(labels.shape[1]):
                away += distances[places[target, column] + labels[record, column]]
                if away > least:
                    break
            if away > least:
                continue
            if away < least:
                least, size = away, first
            if size == len(held):
                more = np.empty(2 * len(held), np.int64)
                more[:size] = held
                held = more
            held[size] = record
            size += 1
        starts[target + 1] = size
        for at in range(begin[target], begin[target + 1]):
            left_out[excluded[at]] = False
    return starts, held[:size].copy()
