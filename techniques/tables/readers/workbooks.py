"""XLSX workbooks: guards against hostile archives, then one sheet's rows as canonical text."""

from __future__ import annotations

import html
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any, BinaryIO

import pyarrow as pa
from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    ZipError,
)

from techniques.tables import limits
from techniques.tables.canonical import cells_column
from techniques.tables.formats import FileFormat
from techniques.tables.problems import problem
from techniques.tables.readers.header import numbered_names, validate_names
from techniques.tables.readers.reader import TableReader

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


def open_workbook(stream: BinaryIO) -> CalamineWorkbook:
    """Guard, then open a workbook. Raises ``EngineError``."""
    guard_archive(stream)
    stream.seek(0)
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(stream.read()))
    except PasswordError:
        fault = problem("table.xlsx.encrypted")
    except (CalamineError, ZipError, OSError, ValueError):
        fault = problem("table.unreadable", kind="XLSX")
    raise fault


def sheet_names(workbook: CalamineWorkbook) -> list[str]:
    """Return the names of the sheets that hold cells (not charts or macros), in order."""
    return [sheet.name for sheet in workbook.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]


def _open_sheet(workbook: CalamineWorkbook, name: str) -> CalamineSheet:
    try:
        return workbook.get_sheet_by_name(name)
    except (CalamineError, ValueError):
        fault = problem("table.unreadable", kind="XLSX")
    raise fault


_SHEET_TAG = re.compile(r"<(?:\w+:)?sheet\s[^>]*>")
_RELATION_TAG = re.compile(r"<(?:\w+:)?Relationship\s[^>]*>")
_ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def list_sheets(stream: BinaryIO) -> list[str]:
    """Return the names of a workbook's sheets of cells from its small index alone.

    A page that proposes a format must not load the whole workbook. Raises ``EngineError``.
    """
    guard_archive(stream, measure=False)
    try:
        with zipfile.ZipFile(stream) as archive:
            index, relations = (_small_part(archive, path) for path in _INDEX_PARTS)
    except (zipfile.BadZipFile, zlib.error, KeyError, UnicodeDecodeError, EOFError):
        index = None
    if index is None or "<!DOCTYPE" in index:
        raise problem("table.unreadable", kind="XLSX")
    kinds = {tag.get("Id", ""): tag.get("Type", "") for tag in _tags(_RELATION_TAG, relations)}
    return [
        tag["name"]
        for tag in _tags(_SHEET_TAG, index)
        if "name" in tag and kinds.get(tag.get("r:id", ""), "/worksheet").endswith("/worksheet")
    ]


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
        self._workbook = open_workbook(stream)
        names = sheet_names(self._workbook)
        wanted = table_format.sheet if table_format.sheet is not None else (names[0] if names else "")
        if wanted not in names:
            raise problem("table.xlsx.sheet")
        self._sheet = _open_sheet(self._workbook, wanted)
        if self._sheet.start is None or self._sheet.end is None:
            raise problem("table.empty")
        first_row, first_column = self._sheet.start
        height, width = self._sheet.end[0] - first_row + 1, self._sheet.end[1] - first_column + 1
        if height > limits.MAX_XLSX_ROWS:
            raise problem("table.xlsx.rows", limit=limits.MAX_XLSX_ROWS - 1)
        # Rows come from the sheet's first row on, but only the columns of the used range.
        self._rows: Iterator[list[Any]] = islice(self._sheet.iter_rows(), first_row, None)
        self._done = 0
        self.rows = height
        if table_format.header:
            head = cells_column(next(self._rows)).to_pylist()
            self.columns = validate_names([name or "" for name in head], line=first_row + 1)
            self.rows -= 1
        else:
            self.columns = numbered_names(width)

    def progress(self) -> float:
        return self._done / self.rows if self.rows else 1.0

    def _pieces(self) -> Iterator[pa.RecordBatch]:
        schema = pa.schema([(name, pa.string()) for name in self.columns])
        while piece := list(islice(self._rows, PIECE_ROWS)):
            columns = [cells_column(cells) for cells in zip(*piece, strict=True)]
            self._done += len(piece)
            yield pa.RecordBatch.from_arrays(columns, schema=schema)

    def close(self) -> None:
        self._workbook.close()
