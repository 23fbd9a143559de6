"""A table file open for reading, whatever its format: batches of text columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.messages import EngineError
from techniques.tables.coding import coded_text
from techniques.tables.dictionary import codes_of
from techniques.tables.limits import MAX_BATCH_BYTES
from techniques.tables.problems import problem

BATCH_ROWS = 65_536


class TableReader(ABC):
    """One table file, open for reading from its first to its last row.

    ``columns`` are the names in order; ``index_columns`` those of them that pandas wrote as the labels of its rows.
    ``rows`` is the number of data rows where the format tells
    it beforehand, else None. A reader is read once; it does not close the stream, and nothing else
    may use the stream meanwhile.
    """

    columns: list[str]
    index_columns: tuple[str, ...] = ()
    rows: int | None = None
    handed_out: int = 0
    """Rows of the batches so far."""
    types: Mapping[str, pa.DataType] = MappingProxyType({})
    """Types of the columns where the file tells them (Parquet)."""
    missing: tuple[str, ...] = ()
    """Texts that are read as a missing value, as an empty cell is."""

    @abstractmethod
    def progress(self) -> float:
        """The share of the file that the batches so far hold, 0 … 1, as near as the format tells."""

    @abstractmethod
    def _pieces(self) -> Iterator[pa.RecordBatch]:
        """Yield batches of any size, every column of type ``string``."""

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Yield batches of ``rows`` rows; the last is shorter, and so is one of huge cells.

        Every column is a ``string``, an empty cell is null. The cut into batches depends on the
        file and ``rows`` alone, so that a batch can be the unit of restart. Raises ``EngineError``
        with line and column at the first fault of the file.
        """
        for batch in self._cut(rows):
            for number, column in enumerate(batch.columns, start=1):
                if _has_nul(column):
                    raise self._nul(pc.index(pc.match_substring(column, "\0"), True).as_py(), number)
            self.handed_out += batch.num_rows
            yield _without(batch, self.missing) if self.missing else batch

    def coded_batches(
        self, columns: Sequence[str] | None = None, rows: int = BATCH_ROWS
    ) -> Iterator[pa.RecordBatch]:
        """The same rows as :meth:`batches`, of these columns (None: all), each as a dictionary of strings: its different texts in the
        batch, in the order of first appearance; the index of an empty cell is null. A fault of a column that is left out may stay
        unseen. A reader is read by one of the two."""
        numbers = {name: number for number, name in enumerate(self.columns, start=1)}
        for batch in self._coded(self.columns if columns is None else list(columns), rows):
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                if _has_nul(column.dictionary):
                    held = pc.match_substring(column.dictionary, "\0").to_numpy(zero_copy_only=False)
                    raise self._nul(int(np.append(held, False)[codes_of(column)].argmax()), numbers[name])
            self.handed_out += batch.num_rows
            yield _coded_without(batch, self.missing) if self.missing else batch

    def _coded(self, columns: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        """Yield batches as :meth:`coded_batches` does, not yet searched for NUL bytes and missing values."""
        for batch in self._cut(rows):
            yield pa.RecordBatch.from_arrays(
                [batch.column(name).dictionary_encode() for name in columns], names=columns
            )

    def _cut(self, rows: int) -> Iterator[pa.RecordBatch]:
        """Yield the pieces cut and put together into batches."""
        held: list[pa.RecordBatch] = []
        held_rows = 0
        held_bytes = 0
        for piece in self._pieces():
            start = 0
            while start < piece.num_rows:
                part = piece.slice(start, rows - held_rows)
                size = part.get_total_buffer_size() * part.num_rows // max(1, piece.num_rows)
                if held and held_bytes + size > MAX_BATCH_BYTES:
                    yield _one(held)
                    held, held_rows, held_bytes = [], 0, 0
                    continue
                start += part.num_rows
                held.append(part)
                held_rows += part.num_rows
                held_bytes += size
                if held_rows == rows:
                    yield _one(held)
                    held, held_rows, held_bytes = [], 0, 0
        if held:
            yield _one(held)

    def _nul(self, row: int, column: int) -> EngineError:
        return problem("table.nul", line=self.handed_out + row + 2, column=column)

    @abstractmethod
    def close(self) -> None:
        """Stop reading; the stream stays open. Harmless when repeated."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()


def _without(batch: pa.RecordBatch, missing: tuple[str, ...]) -> pa.RecordBatch:
    """The batch with nulls in place of the cells that are one of these texts."""
    texts = pa.array(missing, pa.string())
    columns = [
        pc.if_else(pc.is_in(column, value_set=texts), pa.scalar(None, pa.string()), column)
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _coded_without(batch: pa.RecordBatch, missing: tuple[str, ...]) -> pa.RecordBatch:
    """As :func:`_without`, of a batch of dictionaries."""
    texts = pa.array(missing, pa.string())
    columns = []
    for column in batch.columns:
        values = column.dictionary
        left = pc.if_else(pc.is_in(values, value_set=texts), pa.scalar(None, pa.string()), values)
        columns.append(coded_text(pa.DictionaryArray.from_arrays(column.indices, left)))
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _one(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    return parts[0] if len(parts) == 1 else pa.concat_batches(parts)


def _has_nul(column: pa.StringArray) -> bool:
    """Whether a cell holds a NUL byte, which no CSV file may hold, and so no result that is read again."""
    _null, places, data = column.buffers()
    if data is None or not len(column):
        return False
    first, last = np.frombuffer(places, np.int32)[[column.offset, column.offset + len(column)]]
    return not np.frombuffer(data, np.uint8)[first:last].all()
