"""A sheet that is parsed in parts says what it says as a whole, and takes a bounded memory."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date

import openpyxl
import pytest
from python_calamine import CalamineWorkbook

from techniques.tables import limits
from techniques.tables.readers.sheet_parts import SheetParts
from tests.techniques.tables.support import fault, table

SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


def sparse() -> bytes:
    """Blank rows above, between and below, columns that begin late, dates, numbers, truth values and shared texts."""
    book = openpyxl.Workbook()
    sheet = book.active
    for column, name in enumerate(["甲", "b & c", "日期", "真", "e"], start=2):
        sheet.cell(3, column, name)
    for row in [*range(4, 40), 57, 300, *range(400, 420)]:
        sheet.cell(row, 2, f"text {row % 7}")
        if row % 3:
            sheet.cell(row, 3, row / 4)
            sheet.cell(row, 4, date(2026, 1, 1 + row % 28))
        if row % 5 == 0:
            sheet.cell(row, 5, True)
            sheet.cell(row, 6, "last")
    sheet.cell(500, 1).number_format = "0.00"
    sink = io.BytesIO()
    book.save(sink)
    texts: list[bytes] = []

    def shared(cell: re.Match[bytes]) -> bytes:
        if cell[1] not in texts:
            texts.append(cell[1])
        return b't="s"><v>%d</v>' % texts.index(cell[1])

    data = changed(
        sink.getvalue(),
        SHEET,
        lambda content: re.sub(rb't="inlineStr"><is><t>([^<]*)</t></is>', shared, content),
    )
    sink = io.BytesIO(data)
    with zipfile.ZipFile(sink, "a") as archive:
        items = b"".join(b"<si><t>%s</t></si>" % text for text in texts)
        archive.writestr(
            STRINGS,
            b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%s</sst>' % items,
        )
    return sink.getvalue()


def changed(data: bytes, member: str, change) -> bytes:
    sink = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as whole,
        zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for one in whole.infolist():
            content = whole.read(one)
            archive.writestr(one.filename, change(content) if one.filename == member else content)
    return sink.getvalue()


def numberless(content: bytes) -> bytes:
    """Rows and cells that do not say where they stand."""
    rows = b"".join(
        b"<row><c><v>%d</v></c><c t='s'><v>%d</v></c></row>" % (row, row % 5) for row in range(420)
    )
    return re.sub(rb"<sheetData>.*</sheetData>", b"<sheetData>%s</sheetData>" % rows, content)


@pytest.mark.parametrize("size", [300, 2_000, 10_000])
def test_parts_say_what_the_whole_says(size, monkeypatch):
    data = sparse()
    whole = table(data, kind="xlsx")
    assert list(whole) == ["甲", "b & c", "日期", "真", "e"]
    assert {len(column) for column in whole.values()} == {416}
    assert whole["日期"][0] == "2026-01-05"
    monkeypatch.setattr(limits, "XLSX_PART_BYTES", size)
    assert table(data, kind="xlsx") == whole
    monkeypatch.setattr(limits, "XLSX_PART_CELLS", 26 * 11)
    assert table(data, kind="xlsx") == whole
    # What finds no room to be kept is parsed a second time, and says the same.
    for room in (0, 3_000):
        monkeypatch.setattr(limits, "XLSX_KEPT_BYTES", room)
        assert table(data, kind="xlsx") == whole


def test_each_part_is_parsed_once(monkeypatch):
    parsed = []
    parse = SheetParts._parsed
    monkeypatch.setattr(SheetParts, "_parsed", lambda parts, xml: parsed.append(xml) or parse(parts, xml))
    monkeypatch.setattr(limits, "XLSX_PART_CELLS", 26 * 11)
    table(sparse(), kind="xlsx")
    assert len(set(parsed)) == len(parsed) > 3


@pytest.mark.parametrize("size", [300, 2_000])
def test_rows_without_numbers_are_counted_on_from_part_to_part(size, monkeypatch):
    data = changed(sparse(), SHEET, numberless)
    monkeypatch.setattr(limits, "XLSX_PART_BYTES", size)
    first, second = table(data, kind="xlsx", header=False).values()
    assert first == [str(number) for number in range(420)]
    assert second == ["甲", "b & c", "日期", "真", "e"] * 84


def test_the_whole_is_what_the_parser_says():
    data = sparse()
    rows = (
        CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0).to_python(skip_empty_area=True)
    )
    texts = [row[0] or None for row in rows[1:]]
    assert table(data, kind="xlsx")["甲"] == texts


def repeated(cells: int, text: str) -> bytes:
    """One long text that ``cells`` cells name."""
    data = changed(sparse(), STRINGS, lambda content: content.replace(b"last", text.encode()))
    names = b"".join(
        b'<row r="%d"><c r="A%d" t="s"><v>%d</v></c></row>' % (row, row, 7 if row > 1 else 0)
        for row in range(1, cells)
    )
    return changed(
        data,
        SHEET,
        lambda content: re.sub(rb"<sheetData>.*</sheetData>", b"<sheetData>%s</sheetData>" % names, content),
    )


def test_a_long_text_that_many_cells_name_is_refused_before_it_is_unpacked():
    data = repeated(20_000, "last" * 8_000)
    assert len(data) < limits.MIB
    error = fault(data, kind="xlsx")
    assert (error.code, error.params["line"]) == ("table.xlsx.text", 1)


def test_a_text_that_fits_is_read_however_often_it_is_named():
    cells = table(repeated(20_000, "last" * 100), kind="xlsx")
    assert {len(column) for column in cells.values()} == {19_998}
    assert cells["甲"][-1] == "last" * 100


@pytest.mark.parametrize("limit", [("MAX_XLSX_STRINGS", 3), ("MAX_XLSX_STRINGS_BYTES", 100)])
def test_more_different_texts_than_are_kept_are_refused(limit, monkeypatch):
    monkeypatch.setattr(limits, *limit)
    assert fault(sparse(), kind="xlsx").code == "table.xlsx.strings"


def test_cells_that_say_they_stand_elsewhere_do_not_take_the_memory():
    far = b'<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="Z999999"><v>1</v></c></row></sheetData>'
    data = changed(sparse(), SHEET, lambda content: re.sub(rb"<sheetData>.*</sheetData>", far, content))
    assert fault(data, kind="xlsx", header=False).code == "table.xlsx.bomb"
