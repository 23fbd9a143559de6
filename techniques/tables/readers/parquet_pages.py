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
            self.stream.seek(position)
            data = self.stream.read(min(wanted, end - position))
            try:
                return _parse(data)
            except _Short:
                if wanted >= _LONGEST or len(data) < wanted:
                    raise
                wanted *= 16


def _parse(data: bytes) -> _Page:
    reader = _Compact(data)
    fields = reader.struct(_DEPTH)
    packed, unpacked = fields.get(_COMPRESSED), fields.get(_UNCOMPRESSED)
    if not isinstance(packed, int) or not isinstance(unpacked, int) or packed < 0 or unpacked < 0:
        raise _Malformed
    return _Page(reader.position, packed, unpacked)


class _Compact:
    """Reads one Thrift structure: whole numbers and structures are kept, everything else is stepped over."""

    def __init__(self, data: bytes) -> None:
        self.data, self.position = data, 0

    def struct(self, depth: int) -> dict[int, Any]:
        if not depth:
            raise _Malformed
        fields: dict[int, Any] = {}
        name = 0
        while kind := self._byte():
            name = name + (kind >> 4) if kind >> 4 else self._zigzag()
            fields[name] = self._value(kind & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return None  # the truth value is in the kind itself
        if kind == _BYTE:
            return self._byte()
        if kind in (_I16, _I32, _I64):
            return self._zigzag()
        if kind == _DOUBLE:
            return self._step(8)
        if kind == _BINARY:
            return self._step(self._varint())
        if kind == _STRUCT:
            return self.struct(depth - 1)
        # Lists, sets and maps: a page header has none.
        raise _Malformed

    def _byte(self) -> int:
        if self.position >= len(self.data):
            raise _Short
        self.position += 1
        return self.data[self.position - 1]

    def _step(self, size: int) -> None:
        self.position += size
        if self.position > len(self.data):
            raise _Short

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise _Malformed

    def _zigzag(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
