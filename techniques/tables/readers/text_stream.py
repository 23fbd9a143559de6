"""A file's bytes as checked UTF-8 text: decoding and structure errors carry their line."""

from __future__ import annotations

import io
import threading
from typing import BinaryIO

from techniques.core.messages import EngineError
from techniques.tables.formats import BOMS, FileFormat
from techniques.tables.limits import MAX_RECORD_BYTES, MIB
from techniques.tables.problems import ENCODING_NAMES, problem
from techniques.tables.readers.decoding import utf8_decoder
from techniques.tables.readers.header import (
    first_record,
    line_ends,
    numbered_names,
    refuse_endless,
    validate_names,
)
from techniques.tables.readers.scanning import ForeignLineFinder, RecordScanner

READ_BYTES = 1 * MIB


class CheckedTextStream(io.RawIOBase):
    """A readable file of UTF-8 bytes made from ``source``, without its mark and its header record.

    After construction ``columns`` holds the column names. Every byte that is read has been decoded
    strictly and has passed the structure scan; a fault raises ``EngineError`` from ``read``.
    ``source`` must be seekable and is not closed. Memory is bounded by a few ``READ_BYTES``.
    """

    def __init__(self, source: BinaryIO, table_format: FileFormat) -> None:
        super().__init__()
        self._lock = threading.RLock()
        self._source = source
        self._format = table_format
        source.seek(0, io.SEEK_END)
        self.size = source.tell()
        if not self.size:
            raise problem("table.empty")
        source.seek(0)
        mark = BOMS[table_format.encoding]
        self._skipped = len(mark) if source.read(len(mark)) == mark else 0
        source.seek(self._skipped)
        self.consumed = self._skipped
        self._decoder = utf8_decoder(table_format.codec)
        self._foreign = (
            ForeignLineFinder(table_format.delimiter) if table_format.encoding == "gb18030" else None
        )
        self._scanner: RecordScanner | None = None
        self._ended = False
        self._fault = False
        self._buffer = b""
        self.columns = self._take_header()

    # The file protocol

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes of UTF-8; empty at the end of the file or after ``close``."""
        with self._lock:
            return b"" if self.closed else self._read(size)

    def close(self) -> None:
        """Stop: no read is under way and none touches the source afterwards.

        The parser reads ahead in a thread of its own; without the lock that thread would go on
        moving the source while somebody else reads it.
        """
        with self._lock:
            super().close()

    def _read(self, size: int) -> bytes:
        pieces = [self._buffer]
        length = len(self._buffer)
        while size < 0 or length < size:
            piece = self._next()
            if piece is None:
                break
            pieces.append(piece)
            length += len(piece)
        # Only the last piece reaches beyond what is wanted: what is left of it is cut off before the pieces are put together.
        last = pieces.pop()
        cut = len(last) if size < 0 else len(last) - max(0, length - size)
        self._buffer = last[cut:]
        return b"".join([*pieces, memoryview(last)[:cut]])

    def peek(self) -> bytes:
        """Return text that is read next, at least a byte; empty at the end of the file."""
        if not self._buffer:
            self._buffer = self._next() or b""
        return self._buffer

    def records(self) -> int:
        """Whole records after the header that have been read so far."""
        return self._scanner.records if self._scanner else 0

    def progress(self) -> float:
        """The share of the file's bytes read so far, 0 … 1."""
        return min(1.0, self.consumed / self.size)

    # Decoding

    def _decode_piece(self) -> bytes | None:
        """The next raw piece as UTF-8; None after the last. A fault sets ``_fault``."""
        if self._ended:
            return None
        raw = self._source.read(READ_BYTES)
        self.consumed += len(raw)
        self._ended = not raw
        try:
            if self._foreign is not None:
                self._foreign.feed(raw) if raw else self._foreign.finish()
            return self._decoder.decode(raw, final=self._ended)
        except UnicodeDecodeError as fault:
            self._ended = True
            good = fault.object[: fault.start].decode(self._format.codec)
            # Where the fault lies is known only once the good text before it has been scanned.
            self._fault = True
            return good.encode()

    def _next(self) -> bytes | None:
        data = self._decode_piece()
        scanner = self._scanner
        if data is None or scanner is None:
            return None
        scanner.feed(data)
        if self._fault:
            raise self._located(scanner)
        if self._ended:
            scanner.finish()
        return data

    def _located(self, scanner: RecordScanner) -> EngineError:
        """Return the decoding fault at the place where the scanned good text ends."""
        line, column = scanner.position
        name = ENCODING_NAMES[self._format.encoding]
        return problem("table.bytes.undecodable", line=line, column=column, encoding=name)

    # The header

    def _take_header(self) -> list[str]:
        delimiter, quote = self._format.delimiter, self._format.quote
        text = ""
        record = None
        while record is None:
            # Parsed anew each time: by doubling what is there, a header of any length costs its length.
            wanted = 2 * len(text)
            while True:
                text += (self._decode_piece() or b"").decode()
                if self._ended or len(text) >= wanted:
                    break
            record = first_record(text, delimiter, quote, self._ended and not self._fault)
            if record is None and (self._ended or len(text) >= MAX_RECORD_BYTES):
                self._refuse_header(text)
        fields, end, blank_lines = record
        if not fields:
            raise problem("table.columns.none")
        line = 1
        if self._format.header:
            # Scanned on its own, so that a fault in it is reported by its own lines.
            head, text = text[:end], text[end:]
            probe = RecordScanner(delimiter, quote, len(fields))
            probe.feed(head.encode())
            probe.finish()
            names = validate_names(fields, line=blank_lines + 1)
            line += line_ends(head)
        else:
            names = numbered_names(len(fields))
        self._scanner = RecordScanner(delimiter, quote, len(fields), line)
        self._buffer = text.encode()
        self._scanner.feed(self._buffer)
        if self._fault:
            raise self._located(self._scanner)
        if self._ended:
            self._scanner.finish()
        return names

    def _refuse_header(self, text: str) -> None:
        """Raise the fault of a header record that does not end or cannot be decoded."""
        # No record is complete, so no count can be wrong: expect more fields than there are.
        probe = RecordScanner(self._format.delimiter, self._format.quote, len(text) + 2)
        probe.feed(text.encode())
        if self._fault:
            raise self._located(probe)
        if self._ended:
            probe.finish()
        refuse_endless(text, 1)
