"""XLSX workbooks: guards against hostile archives, then one sheet's rows as canonical text."""

from __future__ import annotations

import html
import io
import re
import zipfile
import zlib
from collections.abc import Generator, Iterator
from itertools import chain
from typing import IO, BinaryIO

import pyarrow as pa

from techniques.tables import limits
from techniques.tables.formats import FileFormat
from techniques.tables.problems import problem
from techniques.tables.readers.header import numbered_names, validate_names
from techniques.tables.readers.reader import TableReader
from techniques.tables.readers.sheet_parts import SheetParts

PIECE_ROWS = 8_192


def guard_archive(stream: BinaryIO, measure: bool = True) -> None:
    """Raise ``EngineError`` unless the archive is an honest, unprotected workbook.

    Sizes are first read from the directory, which may lie, and then, with ``measure``, measured by
    unpacking every member piece by piece, which costs time but no memory.
    """
    if stream.seek(0, io.SEEK_END) > limits.MAX_XLSX_PACKED:
        raise problem("table.xlsx.large", limit=limits.MAX_XLSX_PACKED)
    stream.seek(0)
    if stream.read(8) == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        raise problem("table.xlsx.encrypted")
    try:
        with zipfile.ZipFile(stream) as archive:
            members = archive.infolist()
            names = {member.filename for member in members}
            if "xl/workbook.xml" not in names:
                raise problem("table.unreadable", kind="XLSX")
            if any(member.flag_bits & 0x1 for member in members):
                raise problem("table.xlsx.encrypted")
            total = sum(member.file_size for member in members)
            if (
                len(members) > limits.MAX_XLSX_MEMBERS
                or len(names) < len(members)
                or total > limits.MAX_XLSX_UNCOMPRESSED
            ):
                raise problem("table.xlsx.bomb")
            for member in members:
                packed = max(1, member.compress_size)
                if (
                    member.file_size > limits.XLSX_RATIO_FROM
                    and member.file_size / packed > limits.MAX_XLSX_RATIO
                ):
                    raise problem("table.xlsx.bomb")
            for member in members if measure else ():
                # A member that unpacks to more than it declares fails its checksum here.
                with archive.open(member) as content:
                    _guard_area(content)
        return
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        pass
    raise problem("table.unreadable", kind="XLSX")


# A reference beyond column Z or row 999,999: below, no rectangle is too large.
_FAR = re.compile(rb"""r\s*=\s*["'](?:[A-Za-z]{2}|[A-Za-z]?[0-9]{7})""")
_REFERENCE = re.compile(rb"""r\s*=\s*["']([A-Za-z]{0,3}[0-9]+)["']""")
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _guard_area(content: IO[bytes]) -> None:
    """Unpack a member to its end; raise ``EngineError`` when it names cells too far apart.

    The parser lays a sheet out as a full rectangle: two cells in opposite corners of a file of a kilobyte
    would take half a terabyte.
    """
    if not any(_FAR.search(text) for text in _tagwise(content)):
        return
    content.seek(0)
    width = height = 1
    for text in _tagwise(content):
        found = b"\n".join(_REFERENCE.findall(text))
        rows = set(found.translate(None, _LETTERS).split())
        columns = set(found.translate(None, b"0123456789").upper().split())
        height = max(height, max(map(int, rows), default=1))
        width = max(width, max(map(_column_number, columns), default=1))
        if width * height > limits.MAX_XLSX_CELLS:
            raise problem("table.xlsx.bomb")


def _tagwise(content: IO[bytes]) -> Iterator[bytes]:
    """Pieces of XML; a tag that one piece cuts off begins the next."""
    rest = b""
    while piece := content.read(limits.MIB):
        text = rest + piece
        yield text
        cut = text.rfind(b"<")
        rest = text[cut:] if 0 <= len(text) - cut <= limits.MIB else b""


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


_SHEET_TAG = re.compile(r"<(?:\w+:)?sheet\s[^>]*>")
_RELATION_TAG = re.compile(r"<(?:\w+:)?Relationship\s[^>]*>")
_ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def list_sheets(stream: BinaryIO) -> list[str]:
    """Return the names of a workbook's sheets of cells, in their order, from its small index alone.

    A page that proposes a format must not load the whole workbook. Raises ``EngineError``.
    """
    guard_archive(stream, measure=False)
    return list(_members(stream))


def _members(stream: BinaryIO) -> dict[str, str]:
    """The sheets of cells by name, and where the archive holds each."""
    try:
        with zipfile.ZipFile(stream) as archive:
            index, relations = (_small_part(archive, path) for path in _INDEX_PARTS)
    except (zipfile.BadZipFile, zlib.error, KeyError, UnicodeDecodeError, EOFError):
        index = None
    if index is None or "<!DOCTYPE" in index:
        raise problem("table.unreadable", kind="XLSX")
    kinds = {tag.get("Id", ""): tag for tag in _tags(_RELATION_TAG, relations)}
    found = {}
    for tag in _tags(_SHEET_TAG, index):
        relation = kinds.get(tag.get("r:id", ""), {})
        if "name" in tag and relation.get("Type", "/worksheet").endswith("/worksheet"):
            target = relation.get("Target", "")
            found[tag["name"]] = target.lstrip("/") if target.startswith(("/xl/", "xl/")) else f"xl/{target}"
    return found


_INDEX_PARTS = ("xl/workbook.xml", "xl/_rels/workbook.xml.rels")


def _small_part(archive: zipfile.ZipFile, path: str) -> str:
    with archive.open(path) as content:
        return content.read(4 * limits.MIB).decode("utf-8-sig")


def _tags(pattern: re.Pattern[str], text: str) -> Iterator[dict[str, str]]:
    for tag in pattern.findall(text):
        yield {key: html.unescape(one or other) for key, one, other in _ATTRIBUTE.findall(tag)}


class XlsxReader(TableReader):
    """One sheet; its used range begins with the header row and every row in it counts."""

    def __init__(self, stream: BinaryIO, table_format: FileFormat) -> None:
        guard_archive(stream)
        members = _members(stream)
        wanted = table_format.sheet if table_format.sheet is not None else next(iter(members), "")
        if wanted not in members:
            raise problem("table.xlsx.sheet")
        self._parts = SheetParts(stream, members[wanted], wanted)
        bounds = self._parts.bounds()
        if bounds is None:
            raise problem("table.empty")
        first_row, self._left, last_row, self._right = bounds
        height, width = last_row - first_row + 1, self._right - self._left + 1
        if height > limits.MAX_XLSX_ROWS:
            raise problem("table.xlsx.rows", limit=limits.MAX_XLSX_ROWS - 1)
        self._wide = self._of_all_parts(first_row)
        self._done = 0
        self.rows = height
        self._rest: list[list[pa.Array]] = []
        if table_format.header:
            first = next(self._wide)
            self.columns = validate_names([cells[0].as_py() or "" for cells in first], line=first_row + 1)
            self._rest = [[cells[1:] for cells in first]]
            self.rows -= 1
        else:
            self.columns = numbered_names(width)

    def progress(self) -> float:
        return self._done / self.rows if self.rows else 1.0

    def _pieces(self) -> Iterator[pa.RecordBatch]:
        schema = pa.schema([(name, pa.string()) for name in self.columns])
        held: list[list[pa.Array]] = []
        missing = PIECE_ROWS
        for block in chain(self._rest, self._wide):
            begin, end = 0, len(block[0])
            while begin < end:
                rows = min(missing, end - begin)
                held.append([cells[begin : begin + rows] for cells in block])
                begin, missing = begin + rows, missing - rows
                if not missing:
                    yield self._piece(held, schema)
                    held, missing = [], PIECE_ROWS
        if held:
            yield self._piece(held, schema)

    def _piece(self, held: list[list[pa.Array]], schema: pa.Schema) -> pa.RecordBatch:
        made = [pa.concat_arrays(cells) for cells in zip(*held, strict=True)]
        self._done += len(made[0])
        return pa.RecordBatch.from_arrays(made, schema=schema)

    def _of_all_parts(self, row: int) -> Generator[list[pa.Array], None, None]:
        """The columns of the used range, some rows at a time, from ``row`` to the last; rows between two parts are blank."""
        width = self._right - self._left + 1
        for part in self._parts:
            while row < part.row:
                blank = _blank(min(part.row - row, PIECE_ROWS))
                yield [blank] * width
                row += len(blank)
            rows = len(part.cells[0])
            before = part.column - self._left
            blank = _blank(rows)
            yield [*[blank] * before, *part.cells, *[blank] * (width - before - len(part.cells))]
            row += rows

    def close(self) -> None:
        self._wide.close()


def _blank(rows: int) -> pa.Array:
    return pa.nulls(rows, pa.string())
