"""A sheet in parts: cut between its rows into workbooks of their own, each small enough to be parsed whole.

The parser keeps all cells of a sheet at once, some 70 bytes each, and a text as often as cells name it. In parts, a workbook
takes a few hundred megabytes however long its sheet is; what would take more in one part is refused before it is parsed.
How wide a sheet is its last row may tell. So the text of the parts is kept packed meanwhile, and only a part for which there is
no more room is parsed a second time.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import IO, BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, ZipError

from techniques.core.messages import EngineError
from techniques.tables import limits
from techniques.tables.canonical import cells_column
from techniques.tables.problems import problem

# What the parser looks into beside the sheet.
_FRAME = (
    "[content_types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/sharedstrings.xml",
)  # fmt: skip
_STRINGS = _FRAME[-1]
_STRING_END = re.compile(rb"</(?:\w+:)?si\s*>|<(?:\w+:)?si\s*/>")
_DATA_TAG = re.compile(rb"<(\w+:)?sheetData\s*(/?)>")
_ROOT = re.compile(rb"<((?:\w+:)?worksheet)[\s>]")
_ROW_NUMBER = re.compile(rb"""\sr\s*=\s*["']([0-9]{1,7})["']""")
_NAME = re.compile(rb"""\st\s*=\s*["']s["'][^>]*>\s*<(?:\w+:)?v[^>]*>\s*([0-9]{1,9})\s*<""")
_COLUMN = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]{2,3})[0-9]""")


_PACKED = pa.ipc.IpcWriteOptions(compression="zstd")


class Part(NamedTuple):
    """Cells as text, those of a sheet from ``row`` and ``column`` on, which are counted from 0."""

    row: int
    column: int
    cells: list[pa.Array]


class _Extent(NamedTuple):
    """Where a part lies in the XML of the sheet, as bytes from its beginning."""

    begin: int
    end: int
    line: int
    """The row that it begins with, where that does not say so itself, else 0."""


class SheetParts:
    """The parts of one sheet of a guarded workbook that have cells in them, once :meth:`bounds` went through it.

    ``member`` is the name under which the archive holds the sheet. Raises ``EngineError`` for texts that take too much.
    """

    def __init__(self, stream: BinaryIO, member: str, name: str) -> None:
        self._archive = zipfile.ZipFile(stream)
        self._member, self._name = member, name
        names = {one.lower(): one for one in reversed(self._archive.namelist())}
        self._lengths = self._text_lengths(names.get(_STRINGS))
        self._longest = int(self._lengths.max(initial=0))
        frame = io.BytesIO()
        with zipfile.ZipFile(frame, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
            for one in _FRAME:
                if one in names:
                    with self._archive.open(names[one]) as source, target.open(names[one], "w") as copy:
                        while piece := source.read(limits.MIB):
                            copy.write(piece)
        self._frame = frame.getvalue()
        self._found: list[tuple[_Extent, tuple[int, int], pa.Buffer | None]] = []
        """The parts that hold cells, the first row and column of each, and its cells where these are kept."""
        self._room = limits.XLSX_KEPT_BYTES
        self._head = self._tail = b""
        self._text = 0

    def __iter__(self) -> Iterator[Part]:
        with self._archive.open(self._member) as content:
            for extent, start, kept in self._found:
                if kept is not None:
                    yield Part(*start, pa.ipc.open_stream(kept).read_next_batch().columns)
                    continue
                content.seek(extent.begin)
                rows = content.read(extent.end - extent.begin)
                yield Part(*start, _as_text(self._parsed(self._whole(rows, extent.line))))

    def bounds(self) -> tuple[int, int, int, int] | None:
        """The first row and column that hold a cell, and the last ones, counted from 0; None in an empty sheet."""
        corners: list[tuple[int, int, int, int]] = []
        for extent, part in self._cut():
            sheet = self._parsed(part)
            if sheet.start is None:
                continue
            assert sheet.end is not None
            if corners and sheet.start[0] <= corners[-1][2]:
                raise problem("table.unreadable", kind="XLSX")  # rows are not in their order
            corners.append((*sheet.start, *sheet.end))
            self._found.append((extent, sheet.start, self._packed(sheet)))
        if not corners:
            return None
        tops, lefts, bottoms, rights = zip(*corners, strict=True)
        return min(tops), min(lefts), max(bottoms), max(rights)

    def _packed(self, sheet: CalamineSheet) -> pa.Buffer | None:
        """The cells of a part, or None from where they find no room on."""
        if not self._room:
            return None
        cells = _as_text(sheet)
        batch = pa.RecordBatch.from_arrays(cells, names=[str(number) for number in range(len(cells))])
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema, options=_PACKED) as writer:
            writer.write_batch(batch)
        made = sink.getvalue()
        fits = made.size <= self._room
        self._room = self._room - made.size if fits else 0
        return made if fits else None

    def _text_lengths(self, member: str | None) -> NDArray[np.int64]:
        """For each shared text the bytes that it takes, markup included."""
        if member is None:
            return np.zeros(0, dtype=np.int64)
        if self._archive.getinfo(member).file_size > limits.MAX_XLSX_STRINGS_BYTES:
            raise _too_many_texts()
        ends: list[NDArray[np.int64]] = [np.zeros(1, dtype=np.int64)]
        found = position = 0
        with self._archive.open(member) as content:
            for piece in _closed(content):
                here = [match.end() for match in _STRING_END.finditer(piece)]
                ends.append(np.array(here, dtype=np.int64) + position)
                position += len(piece)
                found += len(here)
                if found > limits.MAX_XLSX_STRINGS:
                    raise _too_many_texts()
        places = np.concatenate(ends)
        return places[1:] - places[:-1]

    def _guard(self, part: bytes, lines: tuple[int, int], width: int) -> None:
        """Refuse a part that would take far more than its own length; ``lines`` are its first and its last row."""
        # The parser lays cells out where they say they stand, not where their row does.
        digits = len(str(limits.XLSX_PART_CELLS // width)) - 1
        heads = range(lines[0] // 10**digits, lines[1] // 10**digits + 1)
        near = "|".join(
            f"{head or ''}[0-9]{{{digits if head else f'1,{digits}'}}}" for head in heads if head or digits
        )
        elsewhere = rb"""\sr\s*=\s*["'][A-Za-z]{1,3}(?!(?:%s)["'])[0-9]""" % near.encode()
        if re.search(elsewhere, part):
            raise problem("table.xlsx.bomb")
        text = named = part.count(b'"s"') + part.count(b"'s'")
        text *= self._longest
        if text > limits.MAX_XLSX_PART_TEXT // 8:
            found = np.array(_NAME.findall(part), dtype="S9").astype(np.int64)
            inside = found[found < len(self._lengths)]
            text = int(self._lengths[inside].sum()) + max(0, named - len(found)) * self._longest
        self._text += text
        if text > limits.MAX_XLSX_PART_TEXT or self._text > limits.MAX_XLSX_UNCOMPRESSED:
            raise problem("table.xlsx.text", line=lines[0], limit=limits.MAX_XLSX_PART_TEXT)

    def _cut(self) -> Iterator[tuple[_Extent, bytes]]:
        """Where the sheet is cut, and the XML of each part, which is guarded."""
        with self._archive.open(self._member) as content:
            rest = content.read(4 * limits.MIB)
            tag, root = _DATA_TAG.search(rest), _ROOT.search(rest)
            if tag is None or root is None:
                raise problem("table.unreadable", kind="XLSX")
            prefix = tag[1] or b""
            self._head, self._tail = rest[: tag.end()], b"</%ssheetData></%s>" % (prefix, root[1])
            # Nearly every row says first which it is.
            row_tag = re.compile(b"<" + prefix + rb"""row(?=[\s/>])(?:\sr=["']([0-9]{1,7})["'])?[^>]*>""")
            position, rest, line, ended = tag.end(), rest[tag.end() :], 0, bool(tag[2])
            while not ended:
                more = content.read(limits.XLSX_PART_BYTES)
                ended, rest = not more, rest + more
                tags = list(row_tag.finditer(rest))
                if not ended and len(tags) < 2:
                    if len(rest) > 2 * limits.XLSX_PART_BYTES:
                        raise problem("table.row.long", line=line + 1, limit=limits.XLSX_PART_BYTES)
                    continue
                if not tags:
                    break
                stop = tags[-1].start()
                if ended:
                    end = rest.rfind(b"</%ssheetData" % prefix)
                    stop = len(rest) if end < stop else end
                else:
                    tags = tags[:-1]
                lines = []
                for found in tags:
                    number = found[1] or _row_number(found[0])
                    line = int(number) if number else line + 1
                    lines.append(line)
                width = _width(rest, stop)
                for first, last in _runs(lines, width):
                    begin, end = tags[first].start(), tags[last].start() if last < len(lines) else stop
                    # Rows without a number are counted from the one before, which may be in another part.
                    begins = 0 if _row_number(tags[first][0]) else lines[first]
                    self._guard(rest[begin:end], (lines[first], lines[last - 1]), width)
                    extent = _Extent(position + begin, position + end, begins)
                    yield extent, self._whole(rest[begin:end], begins)
                position, rest = position + stop, rest[stop:]

    def _whole(self, rows: bytes, begins: int) -> bytes:
        """A sheet of ``rows``, of which the first is the row ``begins`` if it does not say so itself."""
        if begins:
            rows = re.sub(rb"row", b'row r="%d"' % begins, rows, count=1)
        return self._head + rows + self._tail

    def _parsed(self, part: bytes) -> CalamineSheet:
        book = io.BytesIO()
        book.write(self._frame)
        with zipfile.ZipFile(book, "a", zipfile.ZIP_STORED) as archive:
            archive.writestr(self._member, part)
        book.seek(0)
        workbook = opened(book)
        try:
            return workbook.get_sheet_by_name(self._name)
        except (CalamineError, ZipError, OSError, ValueError):
            fault = problem("table.unreadable", kind="XLSX")
        raise fault


def _as_text(sheet: CalamineSheet) -> list[pa.Array]:
    """The used range of a part, column by column."""
    return [cells_column(cells) for cells in zip(*sheet.to_python(skip_empty_area=True), strict=True)]


def opened(book: BinaryIO) -> CalamineWorkbook:
    """A workbook that was guarded. Raises ``EngineError``."""
    fault: EngineError
    try:
        return CalamineWorkbook.from_filelike(book)
    except PasswordError:
        fault = problem("table.xlsx.encrypted")
    except (CalamineError, ZipError, OSError, ValueError):
        fault = problem("table.unreadable", kind="XLSX")
    raise fault


def _too_many_texts() -> EngineError:
    return problem("table.xlsx.strings", limit=limits.MAX_XLSX_STRINGS_BYTES, many=limits.MAX_XLSX_STRINGS)


def _closed(content: IO[bytes]) -> Iterator[bytes]:
    """Pieces of XML that end behind a tag."""
    rest = b""
    while piece := content.read(limits.MIB):
        text = rest + piece
        cut = text.rfind(b">") + 1 or (len(text) if len(text) > 4 * limits.MIB else 0)
        yield text[:cut]
        rest = text[cut:]
    yield rest


def _row_number(tag: bytes) -> bytes | None:
    """The number that a row says, if it does."""
    found = _ROW_NUMBER.search(tag)
    return found[1] if found else None


def _width(rows: bytes, stop: int) -> int:
    """The number of the last column that is named, at least 26."""
    width = 26
    for letters in set(_COLUMN.findall(rows, 0, stop)):
        number = 0
        for letter in letters.upper():
            number = number * 26 + letter - 64
        width = max(width, number)
    return width


def _runs(lines: list[int], width: int) -> Iterator[tuple[int, int]]:
    """Begin and end of runs of rows that span no more cells than one part may."""
    rows = max(1, limits.XLSX_PART_CELLS // width)
    first = 0
    for place, line in enumerate(lines):
        if not 0 <= line - lines[first] < rows:
            yield first, place
            first = place
    yield first, len(lines)
