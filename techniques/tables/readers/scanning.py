"""Compiled scanners: the structure of delimited text, and foreign lines in GB18030 bytes.

Both keep their state between pieces of a file, so a file of any size is scanned in small pieces.
The grammar is RFC 4180 with any line end (LF, CRLF, CR): a quote opens a cell only at its head, two
quotes inside stand for one, and after the closing quote only a delimiter or a line end may follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.core.messages import EngineError
from techniques.tables.limits import MAX_FIELD_BYTES, MAX_RECORD_BYTES
from techniques.tables.problems import ENCODING_NAMES, problem

START, PLAIN, QUOTED, CLOSED = 0, 1, 2, 3
OK, NUL, RAGGED, STRAY, FIELD_LONG, RECORD_LONG = 0, 1, 2, 3, 4, 5

# Slots of the state vector.
MODE, LINE, RECORD_LINE, FIELDS, FIELD_BYTES, RECORD_BYTES, AFTER_CR = 0, 1, 2, 3, 4, 5, 6
QUOTE_LINE, RECORDS, FAULT_LINE, FAULT_FIELD, FAULT_FOUND = 7, 8, 9, 10, 11
SLOTS = 12


@compiled
def _scan(
    data: NDArray[np.uint8],
    state: NDArray[np.int64],
    delimiter: int,
    quote: int,
    expected: int,
    field_limit: int,
    record_limit: int,
) -> int:
    mode, line, record_line = state[MODE], state[LINE], state[RECORD_LINE]
    fields, field_bytes, record_bytes = state[FIELDS], state[FIELD_BYTES], state[RECORD_BYTES]
    after_cr, quote_line, records = state[AFTER_CR], state[QUOTE_LINE], state[RECORDS]
    fault, fault_line = OK, line
    for byte in data:
        if byte > 44 and byte != delimiter and byte != quote and mode in (PLAIN, QUOTED):
            # Most bytes of most files: nothing but length changes.
            field_bytes += 1
            record_bytes += 1
            after_cr = 0
            if field_bytes > field_limit or record_bytes > record_limit:
                fault = FIELD_LONG if field_bytes > field_limit else RECORD_LONG
                fault_line = quote_line if mode == QUOTED and fault == FIELD_LONG else record_line
                break
            continue
        if byte == 10 and after_cr == 1:
            after_cr = 0
            if mode == QUOTED:
                field_bytes += 1
                record_bytes += 1
            continue
        after_cr = 0
        if byte == 0:
            fault, fault_line = NUL, line
            break
        if mode == QUOTED:
            if byte == quote:
                mode = CLOSED
            elif byte == 10 or byte == 13:
                line += 1
                after_cr = 1 if byte == 13 else 0
        elif byte == delimiter:
            fields += 1
            mode = START
            field_bytes = -1
        elif byte == 10 or byte == 13:
            line += 1
            after_cr = 1 if byte == 13 else 0
            if record_bytes > 0:
                if fields + 1 != expected:
                    fault, fault_line = RAGGED, record_line
                    break
                records += 1
            elif expected == 1:
                records += 1
            mode, fields, field_bytes, record_bytes, record_line = START, 0, 0, 0, line
            continue
        elif mode == CLOSED:
            if byte != quote:
                fault, fault_line = STRAY, quote_line
                break
            mode = QUOTED
        elif mode == START:
            if byte == quote:
                mode, quote_line = QUOTED, line
            else:
                mode = PLAIN
        field_bytes += 1
        record_bytes += 1
        if field_bytes > field_limit or record_bytes > record_limit:
            fault = FIELD_LONG if field_bytes > field_limit else RECORD_LONG
            fault_line = quote_line if mode == QUOTED and fault == FIELD_LONG else record_line
            break
    state[MODE], state[LINE], state[RECORD_LINE] = mode, line, record_line
    state[FIELDS], state[FIELD_BYTES], state[RECORD_BYTES] = fields, field_bytes, record_bytes
    state[AFTER_CR], state[QUOTE_LINE], state[RECORDS] = after_cr, quote_line, records
    state[FAULT_LINE], state[FAULT_FIELD], state[FAULT_FOUND] = fault_line, fields + 1, fields + 1
    return fault


class RecordScanner:
    """Follows delimited UTF-8 text piece by piece and stops at its first fault.

    ``expected`` is the number of fields of every record, ``line`` the physical line at which the
    first piece begins.
    """

    def __init__(self, delimiter: str, quote: str, expected: int, line: int = 1) -> None:
        self._delimiter = ord(delimiter)
        self._quote = ord(quote) if quote else 256
        self._expected = expected
        self._state = np.zeros(SLOTS, dtype=np.int64)
        self._state[LINE] = self._state[RECORD_LINE] = line

    @property
    def records(self) -> int:
        """Whole records seen so far; blank lines count only in a table of one column."""
        return int(self._state[RECORDS])

    @property
    def position(self) -> tuple[int, int]:
        """The physical line and the field number at which the scanned text ends."""
        return int(self._state[LINE]), int(self._state[FIELDS]) + 1

    def feed(self, data: bytes) -> None:
        """Scan the next piece; raise ``EngineError`` at the first fault."""
        fault = _scan(
            np.frombuffer(data, dtype=np.uint8),
            self._state,
            self._delimiter,
            self._quote,
            self._expected,
            MAX_FIELD_BYTES,
            MAX_RECORD_BYTES,
        )
        if fault != OK:
            raise self._error(fault)

    def finish(self) -> None:
        """Close the last record at the end of the file; raise ``EngineError`` when it is not whole."""
        state = self._state
        if state[MODE] == QUOTED:
            raise problem("table.quote.unclosed", line=int(state[QUOTE_LINE]), column=int(state[FIELDS]) + 1)
        if state[RECORD_BYTES] > 0:
            self.feed(b"\n")

    def _error(self, fault: int) -> EngineError:
        line, field, found = (int(self._state[slot]) for slot in (FAULT_LINE, FAULT_FIELD, FAULT_FOUND))
        if fault == RAGGED:
            column = min(found, self._expected) + 1
            return problem("table.row.ragged", line=line, column=column, expected=self._expected, found=found)
        if fault == FIELD_LONG:
            return problem("table.field.long", line=line, column=field, limit=MAX_FIELD_BYTES)
        if fault == RECORD_LONG:
            return problem("table.row.long", line=line, column=field, limit=MAX_RECORD_BYTES)
        return problem("table.nul" if fault == NUL else "table.quote.stray", line=line, column=field)


# Foreign lines: slots of the state vector.
F_LINE, F_CR, F_LEFT, F_LEAD, F_VALID, F_CJK, F_PAIR, F_RARE, F_FIELD = 0, 1, 2, 3, 4, 5, 6, 7, 8


@compiled
def _find_foreign(data: NDArray[np.uint8], state: NDArray[np.int64], delimiter: int) -> int:
    """Return 1 when a line ends that is UTF-8 though the file is GB18030, else 0."""
    line, after_cr = state[F_LINE], state[F_CR]
    left, lead, valid = state[F_LEFT], state[F_LEAD], state[F_VALID]
    cjk, pair, rare, field = state[F_CJK], state[F_PAIR], state[F_RARE], state[F_FIELD]
    found = 0
    for byte in data:
        if byte == 10 or byte == 13:
            if byte == 10 and after_cr == 1:
                after_cr = 0
                continue
            if valid == 1 and left == 0 and cjk >= 2 and rare >= 1:
                found = 1
                break
            after_cr = 1 if byte == 13 else 0
            line += 1
            left = cjk = pair = rare = field = 0
            valid = 1
            continue
        after_cr = 0
        if valid == 0:
            # Whatever follows in it, the line is none: so it is of nearly all that have Chinese characters.
            continue
        if byte < 0x80 and pair == 0:
            if left > 0:
                valid = cjk = 0
            if byte == delimiter and cjk == 0:
                field += 1
            continue
        # As UTF-8: lead byte, then continuation bytes.
        if left > 0:
            if byte & 0xC0 == 0x80:
                left -= 1
                if left == 0 and 0xE3 <= lead <= 0xE9:
                    cjk += 1
            else:
                valid = 0
        elif 0xC2 <= byte < 0xE0:
            left, lead = 1, np.int64(byte)
        elif 0xE0 <= byte < 0xF0:
            left, lead = 2, np.int64(byte)
        elif 0xF0 <= byte < 0xF5:
            left, lead = 3, np.int64(byte)
        elif byte >= 0x80:
            valid = 0
        if valid == 0:
            cjk = pair = 0
            continue
        # As GB18030: pairs; those outside GB 2312 are rare in real text and common in misread UTF-8.
        if pair == 0:
            pair = np.int64(byte)
        else:
            if pair < 0xA1 or pair > 0xF7 or byte < 0xA1:
                rare += 1
            pair = 0
    state[F_LINE], state[F_CR] = line, after_cr
    state[F_LEFT], state[F_LEAD], state[F_VALID] = left, lead, valid
    state[F_CJK], state[F_PAIR], state[F_RARE], state[F_FIELD] = cjk, pair, rare, field
    return found


class ForeignLineFinder:
    """Finds UTF-8 lines in a file that is read as GB18030, which decodes them to nonsense.

    A line is foreign when all its bytes form valid UTF-8 with at least two Chinese characters and
    its reading as GB18030 holds characters outside GB 2312. One line in millions of genuine GB18030
    could look so, and then the message names it.
    """

    def __init__(self, delimiter: str) -> None:
        self._delimiter = ord(delimiter)
        self._state: NDArray[Any] = np.zeros(9, dtype=np.int64)
        self._state[F_LINE] = self._state[F_VALID] = 1

    def feed(self, data: bytes) -> None:
        """Scan the next bytes; raise ``EngineError`` at the end of the first foreign line."""
        if data.isascii() and self._state[F_CJK] == 0 and self._state[F_PAIR] == 0 and b"\r" not in data:
            self._skip_ascii(data)
            return
        if _find_foreign(np.frombuffer(data, dtype=np.uint8), self._state, self._delimiter):
            raise problem(
                "table.encoding.mixed",
                line=int(self._state[F_LINE]),
                column=int(self._state[F_FIELD]) + 1,
                encoding=ENCODING_NAMES["gb18030"],
                other=ENCODING_NAMES["utf-8"],
            )

    def finish(self) -> None:
        """Judge the last line when no line end follows it."""
        self.feed(b"\n")

    def _skip_ascii(self, data: bytes) -> None:
        lines = data.count(b"\n")
        if lines and self._state[F_CR] == 1 and data.startswith(b"\n"):
            lines -= 1
        self._state[F_LINE] += lines
        self._state[F_CR] = 0
        tail = data[data.rfind(b"\n") + 1 :]
        fields = tail.count(bytes([self._delimiter]))
        self._state[F_FIELD] = fields if lines else self._state[F_FIELD] + fields
        if lines:
            self._state[F_LEFT] = self._state[F_RARE] = 0
            self._state[F_VALID] = 1
