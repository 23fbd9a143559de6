"""Parquet files: row groups one after another, every cell as canonical text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from techniques.tables.canonical import column_text, is_plain
from techniques.tables.header import validate_names
from techniques.tables.limits import (
    MAX_BATCH_BYTES,
    MAX_FIELD_BYTES,
    MAX_PARQUET_ROW_GROUP,
    MAX_PARQUET_ROWS,
    MAX_PARQUET_TEXT,
)
from techniques.tables.problems import problem
from techniques.tables.reading import TableReader

PIECE_ROWS = 16_384


class ParquetReader(TableReader):
    """A Parquet file whose text columns stay dictionary-encoded until their size has been weighed."""

    def __init__(self, stream: BinaryIO) -> None:
        stream.seek(0)
        self._done = 0
        self._text_bytes = 0
        self._file = self._open(stream)
        metadata = self._file.metadata
        schema = self._file.schema_arrow
        if not metadata.num_columns:
            raise problem("table.columns.none")
        self.columns = validate_names(schema.names)
        for number, field in enumerate(schema, start=1):
            if not is_plain(field.type):
                raise problem("table.parquet.type", column=number, type=_type_name(field.type))
        groups = (metadata.row_group(index) for index in range(metadata.num_row_groups))
        if metadata.num_rows > MAX_PARQUET_ROWS or any(
            group.total_byte_size > MAX_PARQUET_ROW_GROUP for group in groups
        ):
            raise problem("table.parquet.bomb")
        self.rows = metadata.num_rows

    @staticmethod
    def _open(stream: BinaryIO) -> pq.ParquetFile:
        try:
            plain = pq.ParquetFile(stream)
            texts = [f.name for f in plain.schema_arrow if pa.types.is_string(f.type)]
            return pq.ParquetFile(stream, read_dictionary=texts, metadata=plain.metadata, pre_buffer=False)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError):
            pass
        raise problem("table.unreadable", kind="Parquet")

    def progress(self) -> float:
        return self._done / self.rows if self.rows else 1.0

    def _pieces(self) -> Iterator[pa.RecordBatch]:
        schema = pa.schema([(name, pa.string()) for name in self.columns])
        try:
            for piece in self._file.iter_batches(PIECE_ROWS, use_threads=True):
                for part in self._affordable(piece):
                    columns = [column_text(column) for column in part.columns]
                    self._done += part.num_rows
                    yield pa.RecordBatch.from_arrays(columns, schema=schema)
            return
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError):
            pass  # Arrow's texts may quote cells
        raise problem("table.unreadable", kind="Parquet")

    def _affordable(self, piece: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Cut a batch so that no part unpacks to more text than a batch may hold."""
        size = 0
        for number, column in enumerate(piece.columns, start=1):
            values = column.dictionary if pa.types.is_dictionary(column.type) else column
            if not (pa.types.is_string(values.type) or pa.types.is_binary(values.type)):
                size += 32 * piece.num_rows
                continue
            lengths = pc.binary_length(values)
            if (pc.max(lengths).as_py() or 0) > MAX_FIELD_BYTES:
                raise problem("table.field.long", line=self._done + 1, column=number, limit=MAX_FIELD_BYTES)
            if values is not column:
                lengths = lengths.take(column.indices)
            size += pc.sum(pc.cast(lengths, pa.int64())).as_py() or 0
        if size > MAX_BATCH_BYTES and piece.num_rows > 1:
            half = piece.num_rows // 2
            yield from self._affordable(piece.slice(0, half))
            yield from self._affordable(piece.slice(half))
            return
        self._text_bytes += size
        if self._text_bytes > MAX_PARQUET_TEXT:
            raise problem("table.parquet.bomb")
        yield piece

    def close(self) -> None:
        self._file.close(force=False)


def _type_name(kind: pa.DataType) -> str:
    """Return the kind of a nested type without its field names."""
    return str(kind).split("<", 1)[0]
