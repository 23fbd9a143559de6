"""A workbook of one sheet, streamed: cells become XML column by column, without a loop over rows.

Every cell is an inline string, so that no spreadsheet turns a number-like identifier into a number.
The archive carries no time stamps. A fully missing row still holds one empty text, because a reader
would otherwise lose it at the end of the sheet.
"""

from __future__ import annotations

import re
import zipfile
from typing import IO
from xml.sax.saxutils import quoteattr

import pyarrow as pa
import pyarrow.compute as pc

from techniques.tables.limits import MAX_XLSX_CELL_CHARACTERS, MAX_XLSX_ROWS, MIB
from techniques.tables.problems import problem

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml"

# What XML 1.0 cannot carry, and the carriage return, which it would turn into a line feed.
_UNSPEAKABLE = "[\\x{00}-\\x{08}\\x{0B}-\\x{1F}\\x{FFFE}\\x{FFFF}]"
_UNSPEAKABLE_CODES = [*range(0x09), *range(0x0B, 0x20), 0xFFFE, 0xFFFF]
_ESCAPE = r"_(x[0-9A-Fa-f]{4}_)"

_STAMP = (1980, 1, 1, 0, 0, 0)
_PIECE = 1 * MIB
_ROWS_AT_ONCE = 16_384


class SheetSink:
    """Writes string batches as the rows of one sheet; ``names`` is the header row, None for none."""

    def __init__(self, stream: IO[bytes], names: list[str] | None, sheet: str | None) -> None:
        self._archive = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED)
        self._rows = 0
        self._header_rows = 0
        self._pending = bytearray()
        for path, text in _fixed_parts(_sheet_name(sheet)).items():
            self._archive.writestr(_member(path), _HEAD + text)
        self._part = self._archive.open(_member("xl/worksheets/sheet1.xml"), "w", force_zip64=True)
        self._push(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
        if names is not None:
            self.write(pa.record_batch([pa.array([name], pa.string()) for name in names], names=names))
            self._header_rows = 1

    def write(self, batch: pa.RecordBatch) -> None:
        """Append rows. Raises ``EngineError`` beyond the limits of a sheet or of a cell."""
        if self._rows + batch.num_rows > MAX_XLSX_ROWS:
            raise problem("table.xlsx.rows", limit=MAX_XLSX_ROWS - 1)
        for start in range(0, batch.num_rows, _ROWS_AT_ONCE):
            part = batch.slice(start, _ROWS_AT_ONCE)
            cells = [self._cells(column, number) for number, column in enumerate(part.columns, start=1)]
            rows = pc.binary_join_element_wise("<row>", *cells, "</row>", "")
            self._rows += part.num_rows
            self._push("".join(rows.to_pylist()).encode())

    def _cells(self, column: pa.Array, number: int) -> pa.Array:
        """Return each cell's XML; an absent cell keeps its place as an empty element."""
        lengths = pc.utf8_length(column)
        if (pc.max(lengths).as_py() or 0) > MAX_XLSX_CELL_CHARACTERS:
            row = pc.index(pc.greater(lengths, MAX_XLSX_CELL_CHARACTERS), True).as_py()
            raise problem(
                "table.xlsx.cell",
                line=self._rows - self._header_rows + row + 1,
                column=number,
                limit=MAX_XLSX_CELL_CHARACTERS,
            )
        text = _escaped(column)
        filled = pc.binary_join_element_wise(
            '<c t="inlineStr"><is><t xml:space="preserve">', text, "</t></is></c>", ""
        )
        # The first cell of a row is always there: a row without any cell could vanish on reading.
        absent = '<c t="inlineStr"><is><t></t></is></c>' if number == 1 else "<c/>"
        return pc.fill_null(filled, absent)

    def _push(self, data: bytes) -> None:
        """Compress in pieces of one size, so that the bytes do not depend on the batches."""
        self._pending += data
        while len(self._pending) >= _PIECE:
            self._part.write(bytes(self._pending[:_PIECE]))
            del self._pending[:_PIECE]

    def close(self) -> None:
        """Write the sheet's end and the archive's directory."""
        self._pending += b"</sheetData></worksheet>"
        self._push(b"")
        self._part.write(bytes(self._pending))
        self._part.close()
        self._archive.close()


def _escaped(column: pa.Array) -> pa.Array:
    if _any(column, _ESCAPE):
        column = pc.replace_substring_regex(column, _ESCAPE, r"_x005F_\1")
        # Two that share an underscore: the second is seen only now.
        column = pc.replace_substring_regex(column, r"(x[0-9A-Fa-f]{4})_(x[0-9A-Fa-f]{4}_)", r"\1_x005F_\2")
    for plain, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        column = pc.replace_substring(column, plain, entity)
    if _any(column, _UNSPEAKABLE):
        for code in _UNSPEAKABLE_CODES:
            column = pc.replace_substring(column, chr(code), f"_x{code:04X}_")
    return column


def _any(column: pa.Array, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(column, pattern)).as_py())


def _sheet_name(wanted: str | None) -> str:
    """Return a name that a workbook accepts: at most 31 characters, none of ``[]:*?/\\``."""
    return re.sub(r"[\[\]:*?/\\\x00-\x1f]", "_", wanted or "")[:31].strip("'") or "Sheet1"


def _member(path: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(path, _STAMP)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.create_system = 0
    return member


def _fixed_parts(sheet: str) -> dict[str, str]:
    types = f"{_CONTENT}.sheet.main+xml", f"{_CONTENT}.worksheet+xml"
    relation = '<Relationships xmlns="{0}/relationships"><Relationship Id="rId1" Type="{1}/{2}" Target="{3}"/></Relationships>'
    return {
        "[Content_Types].xml": (
            f'<Types xmlns="{_PACKAGE}/content-types">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{types[0]}"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types[1]}"/></Types>'
        ),
        "_rels/.rels": relation.format(_PACKAGE, _OFFICE, "officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": (
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
            f'<sheet name={quoteattr(sheet)} sheetId="1" r:id="rId1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": relation.format(
            _PACKAGE, _OFFICE, "worksheet", "worksheets/sheet1.xml"
        ),
    }
