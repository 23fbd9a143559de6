"""The head of a text file for a preview, in plain Python: no compiled scanner, no parser threads.

A web page that shows a few rows should neither wait for a compiler nor carry its memory. The rules
are the scanner's, but faults below the last row asked for are left for the check to find.
"""

from __future__ import annotations

import codecs
from typing import BinaryIO

from techniques.tables.formats import BOMS, FileFormat
from techniques.tables.limits import KIB, MAX_RECORD_BYTES
from techniques.tables.problems import ENCODING_NAMES, problem
from techniques.tables.readers.header import (
    first_record,
    line_ends,
    numbered_names,
    refuse_endless,
    validate_names,
)

_PIECE = 64 * KIB


class _Head:
    """Decoded text of a file's head, growing on demand and cut off where a record ends."""

    def __init__(self, stream: BinaryIO, table_format: FileFormat) -> None:
        mark = BOMS[table_format.encoding]
        stream.seek(0)
        stream.seek(len(mark) if stream.read(len(mark)) == mark else 0)
        self._stream = stream
        self._format = table_format
        self._decoder = codecs.getincrementaldecoder(table_format.codec)("strict")
        self._text = ""
        self._ended = False
        self._fault = False
        self.line = 1
        self.blank_lines = 0

    def _grow(self) -> None:
        # What is there is parsed anew each time: by doubling it, a record of any length costs its length.
        raw = self._stream.read(max(_PIECE, len(self._text)))
        self._ended = not raw
        try:
            self._text += self._decoder.decode(raw, final=self._ended)
        except UnicodeDecodeError as fault:
            self._text += fault.object[: fault.start].decode(self._format.codec)
            self._ended = self._fault = True

    def record(self) -> tuple[list[str], int] | None:
        """Return the next record and its line; None at the end. Raises ``EngineError``."""
        while True:
            whole = self._ended and not self._fault
            found = first_record(self._text, self._format.delimiter, self._format.quote, whole)
            if found is not None:
                break
            if self._ended:
                name = ENCODING_NAMES[self._format.encoding]
                line = self.line + line_ends(self._text)
                raise problem("table.bytes.undecodable", line=line, column=1, encoding=name)
            if len(self._text) >= MAX_RECORD_BYTES:
                refuse_endless(self._text, self.line)
            self._grow()
        fields, end, blank_lines = found
        head, self._text = self._text[:end], self._text[end:]
        line = self.line + blank_lines
        self.line += line_ends(head)
        if "\x00" in head:
            column = 1 + next((number for number, field in enumerate(fields) if "\x00" in field), 0)
            raise problem("table.nul", line=line, column=column)
        self.blank_lines = blank_lines
        return (fields, line) if fields else None


def sample_text(
    stream: BinaryIO, table_format: FileFormat, rows: int
) -> tuple[list[str], list[list[str | None]]]:
    """Return the column names and the first ``rows`` rows, an empty cell as None.

    Raises ``EngineError`` for a fault in the header or in the rows looked at.
    """
    head = _Head(stream, table_format)
    first = head.record()
    if first is None:
        raise problem("table.columns.none")
    fields, line = first
    none = {"", *table_format.missing}
    body: list[list[str | None]] = []
    if table_format.header:
        names = validate_names(fields, line)
    else:
        names = numbered_names(len(fields))
        body.append([None if cell in none else cell for cell in fields])
    while len(body) < rows:
        record = head.record()
        if len(names) == 1:
            body += [[None]] * head.blank_lines  # where there is one column, a blank line is a row
        if record is None:
            break
        fields, line = record
        if len(fields) != len(names):
            column = min(len(fields), len(names)) + 1
            raise problem(
                "table.row.ragged", line=line, column=column, expected=len(names), found=len(fields)
            )
        body.append([None if cell in none else cell for cell in fields])
    return names, body[:rows]
