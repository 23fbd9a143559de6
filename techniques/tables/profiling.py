"""One pass over every row of a file: is it whole, and what do its columns hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel, ConfigDict

from techniques.tables.formats import FileFormat
from techniques.tables.limits import DISTINCT_CAP
from techniques.tables.problems import problem
from techniques.tables.reading import open_table

_NUMBER = r"^\s*[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][+-]?\d+)?%?\s*$"
_HAS_DIGIT = r"\d"
_INTEGER = r"^\s*[+-]?\d+\s*$"
_DATE = (
    r"^\s*(?:19|20)\d{2}(?:[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])"
    r"|年(?:0?[1-9]|1[0-2])月(?:(?:0?[1-9]|[12]\d|3[01])日)?"
    r"|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\S*)?\s*$"
)


class ColumnProfile(BaseModel):
    """What one column holds. Shares are of the cells that are not missing, 0 … 1.

    ``distinct`` is exact unless ``distinct_capped``: then there are more values than it says.
    Lengths count characters and are 0 for a column that is empty throughout.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    missing: int
    distinct: int
    distinct_capped: bool
    min_length: int
    max_length: int
    numeric_share: float
    integer_share: float
    date_share: float


class TableProfile(BaseModel):
    """The shape of a whole, sound file and its columns in order; holds no cell's value."""

    model_config = ConfigDict(frozen=True)

    rows: int
    columns: tuple[ColumnProfile, ...]


class _ColumnTally:
    def __init__(self, name: str) -> None:
        self.name = name
        self.missing = self.present = self.longest = 0
        self.numeric = self.integers = self.dates = 0
        self.shortest: int | None = None
        self.values: set[bytes] | None = set()

    def add(self, column: pa.Array) -> None:
        self.missing += column.null_count
        self.present += len(column) - column.null_count
        if column.null_count == len(column):
            return
        encoded = column.dictionary_encode()
        values = encoded.dictionary
        weights = pc.value_counts(encoded.indices.drop_null())
        # Counts come in the order of first appearance, as the dictionary does.
        counts = weights.field("counts").take(pc.sort_indices(weights.field("values")))
        lengths = pc.min_max(pc.utf8_length(values)).as_py()
        self.longest = max(self.longest, lengths["max"])
        self.shortest = lengths["min"] if self.shortest is None else min(self.shortest, lengths["min"])
        numeric = _weight(pc.and_(_matches(values, _NUMBER), _matches(values, _HAS_DIGIT)), counts)
        self.numeric += numeric
        if numeric:
            self.integers += _weight(_matches(values, _INTEGER), counts)
        self.dates += _weight(_matches(values, _DATE), counts)
        if self.values is not None:
            # Bytes of a fixed digest would lose nothing here, but texts are exact.
            self.values.update(pc.cast(values, pa.binary()).to_pylist())
            if len(self.values) > DISTINCT_CAP:
                self.values = None

    def profile(self) -> ColumnProfile:
        present = self.present or 1
        return ColumnProfile(
            name=self.name,
            missing=self.missing,
            distinct=DISTINCT_CAP if self.values is None else len(self.values),
            distinct_capped=self.values is None,
            min_length=self.shortest or 0,
            max_length=self.longest,
            numeric_share=self.numeric / present,
            integer_share=self.integers / present,
            date_share=self.dates / present,
        )


def _matches(values: pa.Array, pattern: str) -> pa.Array:
    return pc.match_substring_regex(values, pattern)


def _weight(mask: pa.Array, counts: pa.Array) -> int:
    return int(pc.sum(counts.filter(mask)).as_py() or 0)


def check(
    stream: BinaryIO, table_format: FileFormat, tick: Callable[[float], None] | None = None
) -> TableProfile:
    """Read every row of the file once and return its profile.

    ``tick`` gets the share done, 0 … 1, rising, after every batch and may raise to cancel. Raises
    ``EngineError`` with line and column at the first fault: a broken file is refused whole. Memory
    is bounded by a few batches and ``DISTINCT_CAP`` values a column.
    """
    with open_table(stream, table_format) as reader:
        tallies = [_ColumnTally(name) for name in reader.columns]
        rows = 0
        for batch in reader.batches():
            rows += batch.num_rows
            for tally, column in zip(tallies, batch.columns, strict=True):
                tally.add(column)
            if tick is not None:
                tick(reader.progress())
        if not rows:
            raise problem("table.rows.none")
        return TableProfile(rows=rows, columns=tuple(tally.profile() for tally in tallies))
