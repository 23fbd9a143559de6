"""A table file open for reading, whatever its format: batches of text columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from techniques.tables.coding import coded_text, codes_of
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
        held: list[pa.RecordBatch] = []
        held_rows = 0
        held_bytes = 0
        for piece in self._pieces():
            start = 0
            while start < piece.num_rows:
                part = piece.slice(start, rows - held_rows)
                size = part.get_total_buffer_size() * part.num_rows // max(1, piece.num_rows)
                if held and held_bytes + size > MAX_BATCH_BYTES:
                    yield self._handed(held)
                    held, held_rows, held_bytes = [], 0, 0
                    continue
                start += part.num_rows
                held.append(part)
                held_rows += part.num_rows
                held_bytes += size
                if held_rows == rows:
                    yield self._handed(held)
                    held, held_rows, held_bytes = [], 0, 0
        if held:
            yield self._handed(held)

    def coded_batches(
        self, columns: Sequence[str] | None = None, rows: int = BATCH_ROWS
    ) -> Iterator[pa.RecordBatch]:
        """The same rows as :meth:`batches`, of these columns (None: all), each as a dictionary of strings: its different texts in the
        batch, in the order of first appearance; the index of an empty cell is null. A reader is read by one of the two."""
        for batch in self.batches(rows):
            names = batch.schema.names if columns is None else columns
            yield pa.RecordBatch.from_arrays(
                [batch.column(name).dictionary_encode() for name in names], names=list(names)
            )

    def _handed_out(self, batch: pa.RecordBatch, numbers: Sequence[int]) -> pa.RecordBatch:
        """A batch of dictionaries as :meth:`_handed` gives one of texts; ``numbers`` are those of its columns in the file, from 1."""
        for number, column in zip(numbers, batch.columns, strict=True):
            if _has_nul(column.dictionary):
                held = pc.match_substring(column.dictionary, "\0").to_numpy(zero_copy_only=False)
                row = int(np.append(held, False)[codes_of(column)].argmax())
                raise problem("table.nul", line=self.handed_out + row + 2, column=number)
        self.handed_out += batch.num_rows
        if not self.missing:
            return batch
        texts = pa.array(self.missing, pa.string())
        columns = []
        for column in batch.columns:
            values = column.dictionary
            left = pc.if_else(pc.is_in(values, value_set=texts), pa.scalar(None, pa.string()), values)
            columns.append(coded_text(pa.DictionaryArray.from_arrays(column.indices, left)))
        return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)

    def _handed(self, parts: list[pa.RecordBatch]) -> pa.RecordBatch:
        batch = parts[0] if len(parts) == 1 else pa.concat_batches(parts)
        for number, column in enumerate(batch.columns, start=1):
            if _has_nul(column):
                row: int = pc.index(pc.match_substring(column, "\0"), True).as_py()
                raise problem("table.nul", line=self.handed_out + row + 2, column=number)
        self.handed_out += batch.num_rows
        return _without(batch, self.missing) if self.missing else batch

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


def _has_nul(column: pa.StringArray) -> bool:
    """Whether a cell holds a NUL byte, which no CSV file may hold, and so no result that is read again."""
    _null, places, data = column.buffers()
    if data is None or not len(column):
        return False
    first, last = np.frombuffer(places, np.int32)[[column.offset, column.offset + len(column)]]
    return not np.frombuffer(data, np.uint8)[first:last].all()
