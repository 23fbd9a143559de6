"""Reading a table file as batches of text columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import TracebackType
from typing import BinaryIO, Self

import pyarrow as pa
import pyarrow.csv

from techniques.tables.formats import FileFormat
from techniques.tables.limits import CSV_BLOCK_BYTES, MAX_BATCH_BYTES
from techniques.tables.problems import problem
from techniques.tables.sampling import sample_text

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

    @abstractmethod
    def progress(self) -> float:
        """The share of the file read so far, 0 … 1."""

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
                    yield _joined(held)
                    held, held_rows, held_bytes = [], 0, 0
                    continue
                start += part.num_rows
                held.append(part)
                held_rows += part.num_rows
                held_bytes += size
                if held_rows == rows:
                    yield _joined(held)
                    held, held_rows, held_bytes = [], 0, 0
        if held:
            yield _joined(held)

    @abstractmethod
    def close(self) -> None:
        """Stop reading; the stream stays open. Harmless when repeated."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _joined(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    return parts[0] if len(parts) == 1 else pa.concat_batches(parts)


class CsvReader(TableReader):
    """Delimited text, parsed block by block while the next block is read and checked."""

    def __init__(self, stream: BinaryIO, table_format: FileFormat) -> None:
        # The compiled scanner is loaded only where a whole file is read.
        from techniques.tables.readers.text_stream import CheckedTextStream

        self._format = table_format
        self._text = CheckedTextStream(stream, table_format)
        self.columns = self._text.columns

    def progress(self) -> float:
        return self._text.progress()

    def _pieces(self) -> Iterator[pa.RecordBatch]:
        head = self._text.peek()
        if not head:
            return
        fields = [f"f{number}" for number in range(len(self.columns))]
        schema = pa.schema([(name, pa.string()) for name in self.columns])
        parse = pyarrow.csv.ParseOptions(
            delimiter=self._format.delimiter,
            quote_char=self._format.quote or False,
            double_quote=True,
            newlines_in_values=bool(self._format.quote),
            # In a table of one column a blank line is a missing value; elsewhere it is nothing.
            ignore_empty_lines=len(fields) > 1,
        )
        convert = pyarrow.csv.ConvertOptions(
            check_utf8=False,  # the text has just been encoded
            column_types=dict.fromkeys(fields, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        )
        read = pyarrow.csv.ReadOptions(column_names=fields, block_size=CSV_BLOCK_BYTES)
        try:
            with pyarrow.csv.open_csv(
                self._text, read_options=read, parse_options=parse, convert_options=convert
            ) as parser:
                for batch in parser:
                    if batch.num_rows:
                        yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)
            return
        except pa.ArrowInvalid:
            # Arrow's texts quote the row: nothing of them may travel on, not even as the cause.
            pass
        if self._text.records():  # else there were blank lines only, which is no fault
            raise problem("table.unreadable", kind="CSV")

    def close(self) -> None:
        self._text.close()


def open_table(stream: BinaryIO, table_format: FileFormat) -> TableReader:
    """Open a seekable binary ``stream`` as the confirmed ``table_format`` says.

    Raises ``EngineError`` when the head of the file is already at fault: no columns, names that
    cannot stand, a workbook that is protected or unpacks too far.
    """
    if table_format.kind == "xlsx":
        from techniques.tables.readers.workbooks import XlsxReader

        return XlsxReader(stream, table_format)
    if table_format.kind == "parquet":
        from techniques.tables.readers.parquet import ParquetReader

        return ParquetReader(stream)
    return CsvReader(stream, table_format)


def read_sample(stream: BinaryIO, table_format: FileFormat, rows: int = 100) -> pa.RecordBatch:
    """Return the first ``rows`` rows (fewer in a shorter file) without reading the rest.

    Of shape (≤ rows, columns), with no rows for a file of a header alone.
    """
    if table_format.kind == "csv":
        names, body = sample_text(stream, table_format, rows)
        columns = list(zip(*body, strict=True)) or [()] * len(names)
        return pa.RecordBatch.from_arrays([pa.array(cells, pa.string()) for cells in columns], names=names)
    with open_table(stream, table_format) as reader:
        for batch in reader.batches(rows):
            return batch
        return pa.RecordBatch.from_arrays([pa.array([], pa.string()) for _ in reader.columns], reader.columns)
