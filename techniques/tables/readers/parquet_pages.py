"""What the pages of a Parquet file say of themselves, whatever its footer declares.

A page is unpacked in one piece, into memory of the size that its own header tells; the footer's sums are
never compared with it. So the headers are read first: a few bytes for each page, none of its content.
They are Thrift structures in the compact protocol (parquet.thrift, PageHeader).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from techniques.tables import limits
from techniques.tables.problems import problem

_STEP: Final = 256
"""Bytes that most headers fit in; longer ones (long minima and maxima) are read again, up to the next."""
_AHEAD: Final = 4096
_LONGEST: Final = 4 * 1024 * 1024
_DEPTH: Final = 8
_UNCOMPRESSED, _COMPRESSED = 2, 3
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
"""Kinds of a field in the compact protocol; whole numbers of two to eight bytes are written alike."""


class _Malformed(Exception):
    """No page header."""


class _Short(Exception):
    """The header goes on behind what was read."""


@dataclass(frozen=True)
class _Page:
    header: int
    packed: int
    unpacked: int


@dataclass
class PageGuard:
    """Sizes of one file's pages, added up as its row groups come to be read.

    ``size`` is the file's, in bytes. Raises ``EngineError`` (``table.parquet.bomb``) for a page, a row
    group or a file that unpacks to more than is allowed, ``table.unreadable`` for headers that are none.
    """

    stream: BinaryIO
    size: int
    unpacked: int = 0
    _begin: int = 0
    _ahead: bytes = b""
    """What was read last, from ``_begin`` on: small pages lie side by side."""

    def check(self, group: Any) -> None:
        """Look at the pages of a row group, given as ``pyarrow`` has it from the footer."""
        try:
            self._check(group)
            return
        except (_Malformed, _Short, OSError, ValueError, OverflowError):
            pass
        raise problem("table.unreadable", kind="Parquet")

    def _check(self, group: Any) -> None:
        in_group = 0
        for number in range(group.num_columns):
            column = group.column(number)
            position = column.data_page_offset
            if column.dictionary_page_offset:
                position = min(position, column.dictionary_page_offset)
            end = position + column.total_compressed_size
            if position < 0 or end > self.size:
                raise _Malformed
            while position < end:
                page = self._page(position, end)
                position += page.header + page.packed
                in_group += page.unpacked
                self.unpacked += page.unpacked
                if page.unpacked > limits.MAX_PARQUET_PAGE or in_group > limits.MAX_PARQUET_ROW_GROUP:
                    raise problem("table.parquet.bomb")
                if self.unpacked > max(limits.PARQUET_RATIO_FROM, self.size * limits.MAX_PARQUET_RATIO):
                    raise problem("table.parquet.bomb")

    def _page(self, position: int, end: int) -> _Page:
        wanted = _STEP
        while True:
            data = self._read(position, min(wanted, end - position))
            try:
                return _parse(data)
            except _Short:
                if wanted >= _LONGEST or len(data) < wanted:
                    raise
                wanted *= 16

    def _read(self, position: int, size: int) -> bytes:
        start = position - self._begin
        if not 0 <= start <= len(self._ahead) - size:
            self.stream.seek(position)
            self._begin, self._ahead, start = position, self.stream.read(max(size, _AHEAD)), 0
        return self._ahead[start : start + size]


def _parse(data: bytes) -> _Page:
    """Read one Thrift structure: whole numbers of its own are kept, everything else is stepped over."""
    sizes: dict[int, int | None] = {}
    around: list[int] = []
    """Of the structures that this one lies in, the last field's number."""
    position = number = 0
    try:
        while True:
            kind = data[position]
            position += 1
            if not kind:
                if not around:
                    break
                number = around.pop()
                continue
            if kind >> 4:
                number += kind >> 4
            else:
                value, position = _varint(data, position)
                number = (value >> 1) ^ -(value & 1)
            kind &= 15
            found: int | None = None
            if kind in (_I16, _I32, _I64):
                found = data[position]
                position += 1
                if found > 127:
                    found, position = _varint(data, position - 1)
                found = (found >> 1) ^ -(found & 1)
            elif kind == _BYTE:
                found = data[position]
                position += 1
            elif kind == _DOUBLE:
                position += 8
            elif kind == _BINARY:
                value, position = _varint(data, position)
                position += value
            elif kind == _STRUCT:
                around.append(number)
                if len(around) == _DEPTH:
                    raise _Malformed
                number = 0
                continue
            elif kind not in (_TRUE, _FALSE):  # of these the truth value is in the kind itself
                # Lists, sets and maps: a page header has none.
                raise _Malformed
            if not around:
                sizes[number] = found
    except IndexError:
        raise _Short from None
    if position > len(data):
        raise _Short
    packed, unpacked = sizes.get(_COMPRESSED), sizes.get(_UNCOMPRESSED)
    if packed is None or unpacked is None or packed < 0 or unpacked < 0:
        raise _Malformed
    return _Page(position, packed, unpacked)


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """(the number, where what follows it begins)."""
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
        shift += 7
        if shift > 63:
            raise _Malformed
