"""Opening a table file as its format says, and reading its first rows."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa

from techniques.tables.formats import FileFormat
from techniques.tables.readers.csv_files import CsvReader
from techniques.tables.readers.reader import TableReader
from techniques.tables.readers.sampling import sample_text


def open_table(stream: BinaryIO, table_format: FileFormat, first_group: int = 0) -> TableReader:
    """Open a seekable binary ``stream`` as the confirmed ``table_format`` says; of Parquet from a row group on.

    Raises ``EngineError`` when the head of the file is already at fault: no columns, names that
    cannot stand, a workbook that is protected or unpacks too far.
    """
    reader = _reader(stream, table_format, first_group)
    reader.missing = table_format.missing
    return reader


def _reader(stream: BinaryIO, table_format: FileFormat, first_group: int) -> TableReader:
    if table_format.kind == "xlsx":
        from techniques.tables.readers.workbooks import XlsxReader

        return XlsxReader(stream, table_format)
    if table_format.kind == "parquet":
        from techniques.tables.readers.parquet import ParquetReader

        return ParquetReader(stream, first_group)
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
