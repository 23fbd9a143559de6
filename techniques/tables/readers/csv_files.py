"""Delimited text as batches of text columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv

from techniques.tables.formats import FileFormat
from techniques.tables.limits import CSV_BLOCK_BYTES
from techniques.tables.problems import problem
from techniques.tables.readers.reader import TableReader


class CsvReader(TableReader):
    """Delimited text, parsed block by block while the next block is read and checked."""

    def __init__(self, stream: BinaryIO, table_format: FileFormat) -> None:
        # The compiled scanner is loaded only where a whole file is read.
        from techniques.tables.readers.text_stream import CheckedTextStream

        self._format = table_format
        self._text = CheckedTextStream(stream, table_format)
        self.columns = self._text.columns

    def progress(self) -> float:
        # The parser reads far ahead: of the text that it has read only what was handed out counts.
        return min(1.0, self._text.progress() * self.handed_out / max(1, self._text.records()))

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
