"""Writing result files: the same batches give the same bytes, however they are cut.

Cells that a spreadsheet would run as formulas are neutralised in CSV and XLSX (see ``formulas``).
Parquet is left as it is, because no spreadsheet opens it by itself.
"""

from __future__ import annotations

import codecs
import io
from typing import IO, BinaryIO, Protocol, Self, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from techniques.tables.formats import FileFormat
from techniques.tables.problems import ENCODING_NAMES, problem
from techniques.tables.readers.header import validate_names
from techniques.tables.types import Types, as_type, written_type
from techniques.tables.writers.formulas import neutralise_column, neutralise_name

CHUNK_ROWS = 65_536


class _Sink(Protocol):
    def write(self, batch: pa.RecordBatch) -> None: ...

    def close(self) -> None: ...


class _Tap(io.RawIOBase):
    """Passes writes to the caller's stream until it is shut; afterwards they come to nothing.

    The Parquet and ZIP writers put their directory to the end even while being destroyed, which
    would make a file that broke off look whole.
    """

    def __init__(self, target: BinaryIO) -> None:
        super().__init__()
        self._target = target
        self._position = target.tell() if target.seekable() else 0
        self.shut = False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._target.seekable()

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_CUR:
            offset += self._position
        if whence == io.SEEK_END:
            offset = self._target.seek(0, io.SEEK_END) + offset
        if not self.shut:
            self._target.seek(offset)
        self._position = offset
        return offset

    def write(self, data: object) -> int:
        raw = bytes(data)  # type: ignore[call-overload]
        if not self.shut:
            self._target.write(raw)
        self._position += len(raw)
        return len(raw)


class _EncodingFile(io.RawIOBase):
    """Takes UTF-8 bytes and writes them to ``target`` in another encoding."""

    def __init__(self, target: _Tap, encoding: str) -> None:
        super().__init__()
        self._target = target
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raw = bytes(data)  # type: ignore[call-overload]
        if self._encoding == "utf-8":
            self._target.write(raw)
            return len(raw)
        try:
            encoded = self._decoder.decode(raw).encode(self._encoding)
        except UnicodeEncodeError:
            encoded = None
        if encoded is None:
            raise problem("table.write.encoding", encoding=ENCODING_NAMES[self._encoding])
        self._target.write(encoded)
        return len(raw)


class _CsvSink:
    def __init__(self, stream: _Tap, table_format: FileFormat, columns: list[str]) -> None:
        stream.write(table_format.bom_bytes)
        self._file = _EncodingFile(stream, table_format.codec)
        self._format = table_format
        self._schema = pa.schema([(f"f{number}", pa.string()) for number in range(len(columns))])
        self._writer = self._open()
        if table_format.header:
            # The names are written as a row: the same quoting rule holds for them.
            self.write(pa.record_batch([pa.array([name]) for name in columns], schema=self._schema))

    def _open(self) -> pyarrow.csv.CSVWriter:
        options = pyarrow.csv.WriteOptions(
            include_header=False, delimiter=self._format.delimiter, quoting_style="needed"
        )
        return pyarrow.csv.CSVWriter(self._file, self._schema, write_options=options)

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write(pa.RecordBatch.from_arrays(batch.columns, schema=self._schema))

    def close(self) -> None:
        self._writer.close()


class _ParquetSink:
    def __init__(self, stream: _Tap, columns: list[str], types: Types) -> None:
        schema = pa.schema([(name, written_type(types.get(name, pa.string()))) for name in columns])
        # Only Arrow's own notes tell of a dictionary or a zone; a table of texts needs none.
        other = any(kind != pa.string() for kind in schema.types)
        self._writer = pq.ParquetWriter(stream, schema, compression="zstd", store_schema=other)

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch, row_group_size=CHUNK_ROWS)

    def close(self) -> None:
        self._writer.close()


class TableWriter:
    """Writes one table file to a binary ``stream``, which it does not close.

    ``columns`` are the names in order; every batch must have them, as ``string`` (or dictionary of
    ``string``) columns. The file is whole only after ``close`` or the end of the ``with`` block
    without an exception. Null and the empty text both become an empty cell. CSV is written with LF
    line ends, quotation marks around every cell that is not empty (so that no other delimiter can
    split it), and the encoding, delimiter and mark of the format. Raises
    ``EngineError`` for a sheet's limits. ``types`` are those of columns of a Parquet file that are not text: their batches hold
    texts of its values, or such values themselves (:mod:`techniques.tables.types`).
    """

    def __init__(
        self,
        stream: BinaryIO,
        table_format: FileFormat,
        columns: list[str],
        *,
        neutralise_formulas: bool = True,
        types: Types | None = None,
    ) -> None:
        self._columns = validate_names(columns)
        self._types = (types or {}) if table_format.kind == "parquet" else {}
        self._neutralise = neutralise_formulas and table_format.kind != "parquet"
        self._held: list[pa.RecordBatch] = []
        self._held_rows = 0
        self._closed = False
        self.rows = 0
        self._tap = _Tap(stream)
        # Neutralised names could become equal to others.
        names = validate_names([neutralise_name(name) if self._neutralise else name for name in columns])
        self._sink: _Sink
        if table_format.kind == "parquet":
            self._sink = _ParquetSink(self._tap, names, self._types)
        elif table_format.kind == "xlsx":
            from techniques.tables.writers.sheets import SheetSink

            self._sink = SheetSink(
                cast(IO[bytes], self._tap), names if table_format.header else None, table_format.sheet
            )
        else:
            self._sink = _CsvSink(self._tap, table_format, names)

    def write(self, batch: pa.RecordBatch) -> None:
        """Append a batch. It may be held back until a whole chunk is there or the file closes."""
        if batch.schema.names != self._columns:
            raise problem("table.write.columns")
        self.rows += batch.num_rows
        while batch.num_rows:
            part = batch.slice(0, CHUNK_ROWS - self._held_rows)
            batch = batch.slice(part.num_rows)
            self._held.append(part)
            self._held_rows += part.num_rows
            if self._held_rows == CHUNK_ROWS:
                self._flush()

    def _flush(self) -> None:
        if not self._held:
            return
        columns = []
        for number, name in enumerate(self._columns):
            if name in self._types:
                columns.append(self._typed(number, self._types[name]))
                continue
            pieces = [pc.cast(part.column(number), pa.string()) for part in self._held]
            column = pa.concat_arrays(pieces)
            # An empty cell is missing in every format, as it is for the reader.
            empty = pc.fill_null(pc.equal(pc.binary_length(column), 0), False)
            column = pc.if_else(empty, pa.scalar(None, pa.string()), column)
            columns.append(neutralise_column(column) if self._neutralise else column)
        self._held, self._held_rows = [], 0
        self._sink.write(pa.RecordBatch.from_arrays(columns, names=self._columns))

    def _typed(self, number: int, kind: pa.DataType) -> pa.Array:
        return as_type(pa.concat_arrays([part.column(number) for part in self._held]), kind)

    def close(self) -> None:
        """Write what is held and the file's end. Harmless when repeated."""
        if self._closed:
            return
        try:
            self._flush()
            self._sink.close()
            self._closed = True
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Write nothing any more: unless it was closed before, the file is not whole."""
        self._tap.shut = True
        self._held = []
        if not self._closed:
            self._closed = True
            self._sink.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()
