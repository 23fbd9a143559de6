"""One pass over every row of a file: is it whole, and what do its columns hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pydantic import BaseModel

from techniques.tables.formats import FileFormat
from techniques.tables.limits import DISTINCT_CAP
from techniques.tables.problems import problem
from techniques.tables.readers.reader import TableReader
from techniques.tables.readers.reading import open_table

_NUMBER = r"^\s*[+-]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?\s*$"
_INTEGER = r"^\s*[+-]?\d+\s*$"
_DATE = (
    r"^\s*(?:19|20)\d{2}(?:[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])"
    r"|年(?:0?[1-9]|1[0-2])月(?:(?:0?[1-9]|[12]\d|3[01])日)?"
    r"|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\S*)?\s*$"
)


class ColumnProfile(BaseModel, frozen=True):
    """What one column holds. Shares are of the cells that are not missing, 0 … 1.

    ``distinct`` is exact unless ``distinct_capped``: then there are more values than it says.
    Lengths count characters and are 0 for a column that is empty throughout.
    """

    name: str
    missing: int
    distinct: int
    distinct_capped: bool
    min_length: int
    max_length: int
    numeric_share: float
    integer_share: float
    date_share: float


class TableProfile(BaseModel, frozen=True):
    """The shape of a whole, sound file and its columns in order; holds no cell's value."""

    rows: int
    columns: tuple[ColumnProfile, ...]


class _ColumnTally:
    def __init__(self, name: str) -> None:
        self.name = name
        self.missing = self.present = self.longest = 0
        self.numeric = self.integers = self.dates = 0
        self.shortest: int | None = None
        self.values: set[str] | None = set()

    def add(self, column: pa.Array) -> None:
        self.missing += column.null_count
        self.present += len(column) - column.null_count
        if column.null_count == len(column):
            return
        encoded = column.dictionary_encode()
        values = encoded.dictionary
        codes = encoded.indices.drop_null().to_numpy(zero_copy_only=False)
        counts = np.bincount(codes, minlength=len(values))
        lengths = pc.utf8_length(values)
        extent = pc.min_max(lengths).as_py()
        self.longest = max(self.longest, extent["max"])
        self.shortest = extent["min"] if self.shortest is None else min(self.shortest, extent["min"])
        # Most identifiers are digits alone, which is checked far faster than by an expression.
        digits = _mask(pc.ascii_is_decimal(values))
        whole = int(counts[digits].sum())
        self.numeric += whole
        self.integers += whole
        if extent["min"] <= 8 <= extent["max"]:
            self.dates += _weight(values, counts, digits & (_mask(lengths) == 8), _DATE)
        rest = ~digits
        if rest.any():
            numeric = _weight(values, counts, rest, _NUMBER)
            self.numeric += numeric
            self.integers += _weight(values, counts, rest, _INTEGER) if numeric else 0
            short = rest & (_mask(lengths) >= 6) & (_mask(lengths) <= 40)
            self.dates += _weight(values, counts, short, _DATE)
        if self.values is not None:
            self.values.update(values.to_pylist())
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


def _mask(values: pa.Array) -> NDArray[Any]:
    return np.asarray(values.to_numpy(zero_copy_only=False))


def _weight(values: pa.Array, counts: NDArray[Any], chosen: NDArray[np.bool_], pattern: str) -> int:
    """Count the cells whose value is chosen and matches the expression."""
    if not chosen.any():
        return 0
    matches = _mask(pc.match_substring_regex(values.filter(pa.array(chosen)), pattern))
    return int(counts[chosen][matches].sum())


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


def row_count(reader: TableReader) -> int:
    """The data rows of a table: what the format says, else what is read. Raises ``EngineError`` at the first fault on the way, and
    where there is none.
    """
    rows = reader.rows if reader.rows is not None else sum(batch.num_rows for batch in reader.batches())
    if not rows:
        raise problem("table.rows.none")
    return rows
