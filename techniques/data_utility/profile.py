"""One pass over a table: what each column holds and how pairs of columns go together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.messages import EngineError, _
from techniques.data_utility.numbers import are_none, values_of
from techniques.tables.coding import part_of
from techniques.tables.dictionary import MISSING, EncodedColumn, codes_of

SUPPRESSED = "*"
MAX_VALUES = 500_000
"""Different values of a column, or pairs of a pair of columns, above which they are not counted."""
_MERGE_AT = 250_000


@dataclass
class Moments:
    """Number, mean and sum of squared deviations of the cells that stand for a number, as they come."""

    number: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, texts: pa.Array, counts: npt.NDArray[np.int64]) -> None:
        """Take in ``texts`` with their counts (Chan's update of two samples)."""
        numbers = values_of(texts)
        known = ~np.isnan(numbers)
        numbers, weights = numbers[known], counts[known]
        # The same to the last bit in whatever order they come.
        order = np.lexsort((weights, numbers))
        numbers, weights = numbers[order], weights[order]
        number = int(weights.sum())
        if number == 0:
            return
        mean = float((numbers * weights).sum() / number)
        total, step = self.number + number, mean - self.mean
        self.squares += (
            float((weights * (numbers - mean) ** 2).sum()) + step**2 * self.number * number / total
        )
        self.mean += step * number / total
        self.number = total


@dataclass
class ValueCounts:
    """How often each key occurs; keys are rows of one or more text columns. Bounded memory.

    When there are too many, the counts are given up; of a single column the moments go on.
    """

    width: int = 1
    table: pa.Table | None = None
    overflow: bool = False
    moments: Moments = field(default_factory=Moments)
    _waiting: list[pa.Table] = field(default_factory=list)
    _waiting_rows: int = 0

    def add(self, columns: Sequence[pa.Array]) -> None:
        """Count the rows of a batch."""
        if len(columns[0]) == 0 or (self.overflow and self.width > 1):
            return
        names = [f"v{i}" for i in range(self.width)]
        batch = pa.table(dict(zip(names, columns, strict=True)))
        counted = batch.group_by(names, use_threads=False).aggregate([([], "count_all")])
        counted = counted.rename_columns([*names, "n"])
        if self.overflow:
            self._add_moments(counted)
            return
        self._waiting.append(counted)
        self._waiting_rows += counted.num_rows
        if self._waiting_rows > _MERGE_AT:
            self._merge()

    def _merge(self) -> None:
        if not self._waiting:
            return
        names = [f"v{i}" for i in range(self.width)]
        parts = [*([self.table] if self.table is not None else []), *self._waiting]
        merged = pa.concat_tables(parts).group_by(names, use_threads=False).aggregate([("n", "sum")])
        self.table = merged.select([*names, "n_sum"]).rename_columns([*names, "n"])
        self._waiting, self._waiting_rows = [], 0
        if self.table.num_rows > MAX_VALUES:
            if self.width == 1:
                self._add_moments(self.table)
            self.table, self.overflow = None, True

    def _add_moments(self, counted: pa.Table) -> None:
        counts = counted.column("n").to_numpy().astype(np.int64)
        self.moments.add(counted.column("v0").combine_chunks(), counts)

    def result(self) -> tuple[list[pa.Array], npt.NDArray[np.int64]] | None:
        """(key columns, counts), or None when there were too many to count. They are in the order of the keys, so that what is worked out
        of them is the same to the last bit whatever the order of the rows and however they came."""
        self._merge()
        if self.overflow:
            return None
        if self.table is None:
            return [pa.array([], pa.string())] * self.width, np.empty(0, dtype=np.int64)
        found = self.table.sort_by([(f"v{i}", "ascending") for i in range(self.width)])
        columns = [found.column(i).combine_chunks() for i in range(self.width)]
        return columns, found.column("n").to_numpy().astype(np.int64)


@dataclass
class ColumnProfile:
    """``missing`` and ``suppressed`` cells, and the others' values with their counts (both None when
    there were more than :data:`MAX_VALUES` different ones)."""

    rows: int
    missing: int
    suppressed: int
    values: pa.Array | None
    counts: npt.NDArray[np.int64] | None
    moments: Moments = field(default_factory=Moments)

    @property
    def present(self) -> int:
        """Cells that are neither missing nor suppressed."""
        return self.rows - self.missing - self.suppressed


@dataclass
class TableProfile:
    """Profiles of a table's columns, and counts of pairs of values for the pairs asked for."""

    rows: int
    columns: dict[str, ColumnProfile]
    pairs: dict[tuple[str, str], tuple[list[pa.Array], npt.NDArray[np.int64]] | None]


def profile(
    batches: Iterable[pa.RecordBatch],
    columns: Sequence[str] | None = None,
    pairs: Sequence[tuple[str, str]] = (),
    tick: Callable[[int], None] | None = None,
    known: Mapping[str, ColumnProfile] | None = None,
) -> TableProfile:
    """Read the table once. ``columns`` None: all; a column that the table lacks is left out. Of those that are ``known`` no cell is
    counted.

    Missing is null or the empty text, suppressed is ``*``.
    """
    counters: dict[str, ValueCounts] = {}
    missing: dict[str, int] = {}
    suppressed: dict[str, int] = {}
    pair_counters: dict[tuple[str, str], ValueCounts] = {}
    rows, profiles = 0, dict(known or {})
    for batch in batches:
        names = {*batch.schema.names}
        for column in batch.schema.names if columns is None else [c for c in columns if c in names]:
            if column in profiles:
                continue
            texts = _texts(batch.column(column))
            empty, star = pc.equal(texts, ""), pc.equal(texts, SUPPRESSED)
            missing[column] = missing.get(column, 0) + (pc.sum(empty).as_py() or 0)
            suppressed[column] = suppressed.get(column, 0) + (pc.sum(star).as_py() or 0)
            counter = counters.setdefault(column, ValueCounts())
            counter.add([texts.filter(pc.invert(pc.or_(empty, star)))])
        for pair in pairs:
            if set(pair) <= names:
                both = [_texts(batch.column(column)) for column in pair]
                keep = pc.invert(pc.is_in(both[0], pa.array(["", SUPPRESSED])))
                keep = pc.and_(keep, pc.invert(pc.is_in(both[1], pa.array(["", SUPPRESSED]))))
                pair_counters.setdefault(pair, ValueCounts(width=2)).add([c.filter(keep) for c in both])
        rows += batch.num_rows
        if tick is not None:
            tick(rows)
    for column, counter in counters.items():
        counted = counter.result()
        profiles[column] = ColumnProfile(
            rows=rows,
            missing=missing[column],
            suppressed=suppressed[column],
            values=None if counted is None else counted[0][0],
            counts=None if counted is None else counted[1],
            moments=counter.moments,
        )
    return TableProfile(rows, profiles, {pair: counter.result() for pair, counter in pair_counters.items()})


def column_profile(cells: EncodedColumn, lengths: Sequence[int]) -> ColumnProfile | None:
    """The profile of a column in codes, equal to the last bit to that of its batches of ``lengths`` rows; None where its values are
    of another type than text, for different ones may then be written alike."""
    values = cells.values
    if not pa.types.is_string(values.type):
        return None
    counts = cells.counts()
    places = [pc.index(values, text).as_py() for text in ("", SUPPRESSED)]
    empty, stars = (int(counts[place]) if place >= 0 else 0 for place in places)
    counted = np.ones(len(values), np.bool_)
    counted[[place for place in places if place >= 0]] = False
    texts = values if counted.all() else values.filter(pa.array(counted))
    rows, missing = len(cells), cells.missing + empty
    if len(texts) <= MAX_VALUES:
        order = pc.sort_indices(texts)
        return ColumnProfile(rows, missing, stars, texts.take(order), counts[counted][order.to_numpy()])
    moments = Moments() if are_none(texts) else _moments(cells, counted, lengths)
    return ColumnProfile(rows, missing, stars, None, None, moments)


def _moments(cells: EncodedColumn, counted: npt.NDArray[np.bool_], lengths: Sequence[int]) -> Moments:
    """What :class:`ValueCounts` takes in of a column that has too many values, of which those ``counted`` (distinct,) are counted: those
    of the first batches together as soon as they prove too many, and of each batch after them."""
    moments, beyond, waiting, end = Moments(), False, 0, 0
    for number, length in enumerate(lengths, start=1):
        rows = slice(end, end := end + length)
        part = part_of(cells, rows)
        kept = ~pc.is_in(part.dictionary, pa.array(["", SUPPRESSED])).to_numpy(zero_copy_only=False)
        if beyond:
            counts = EncodedColumn(codes_of(part), part.dictionary).counts()
            moments.add(part.dictionary.filter(pa.array(kept)), counts[kept])
            continue
        waiting += int(kept.sum())
        if waiting > _MERGE_AT or number == len(lengths):
            # Codes are numbers in the order of first appearance, so those of the batches so far are the first ones.
            waiting, seen = 0, int(cells.codes[:end].max(initial=MISSING)) + 1
            beyond = int(counted[:seen].sum()) > MAX_VALUES
            if beyond:
                so_far = EncodedColumn(cells.codes[:end], cells.values.slice(0, seen))
                moments.add(so_far.values.filter(pa.array(counted[:seen])), so_far.counts()[counted[:seen]])
    return moments


def _texts(column: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return pc.fill_null(column if pa.types.is_string(column.type) else column.cast(pa.string()), "")


@dataclass(frozen=True)
class NumericSummary:
    """Moments and quantiles of the cells that stand for a number, and the share that do."""

    share: float
    mean: float
    standard_deviation: float
    quantiles: dict[str, float]


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def numeric_summary(column: ColumnProfile) -> NumericSummary | None:
    """Numbers of a column, or None if it holds none; without quantiles beyond the limit of values."""
    if column.values is None or column.counts is None:
        known_cells = column.moments.number
        if known_cells == 0:
            return None
        return NumericSummary(
            share=known_cells / max(column.present, 1),
            mean=column.moments.mean,
            standard_deviation=(column.moments.squares / max(known_cells - 1, 1)) ** 0.5,
            quantiles={},
        )
    numbers = values_of(column.values)
    known = ~np.isnan(numbers)
    weights = column.counts[known]
    total = int(weights.sum())
    if total == 0:
        return None
    order = np.argsort(numbers[known])
    ordered, weights = numbers[known][order], weights[order]
    mean = float((ordered * weights).sum() / total)
    variance = float((weights * (ordered - mean) ** 2).sum() / (total - 1)) if total > 1 else 0.0
    reached = np.cumsum(weights)
    places = [min(int(np.searchsorted(reached, q * total)), len(ordered) - 1) for q in QUANTILES]
    return NumericSummary(
        share=total / max(column.present, 1),
        mean=mean,
        standard_deviation=variance**0.5,
        quantiles={f"{q:g}": float(ordered[place]) for q, place in zip(QUANTILES, places, strict=True)},
    )


def too_many_values() -> EngineError:
    """The error of a check that needs counts which were not kept."""
    text = _("The column has more than %(limit)d different values; this check cannot run on it.")
    return EngineError("too_many_values", text, limit=MAX_VALUES)
