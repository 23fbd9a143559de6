"""Every cell arrives as the text it was, in batches of a fixed cut."""

from __future__ import annotations

import datetime
import decimal
import io
import zipfile

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.core.messages import EngineError
from techniques.tables import FileFormat, check, detect, limits, open_table, read_sample
from techniques.tables.readers import workbooks
from tests.techniques.tables.support import batch, fault, table, written


def test_text_is_never_interpreted() -> None:
    data = b"id,phone,n,d\n0012,013800000000,1.50,1e5\nNA,null,NaN,true\n , x,\"\",'a'\n"
    assert table(data) == {
        "id": ["0012", "NA", " "],
        "phone": ["013800000000", "null", " x"],
        "n": ["1.50", "NaN", None],
        "d": ["1e5", "true", "'a'"],
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("encoding", "bom"),
    [("utf-8", False), ("utf-8", True), ("gb18030", False), ("utf-16-le", True), ("utf-16-be", False)],
)
def test_line_ends_and_encodings(end: str, encoding: str, bom: bool) -> None:
    text = f'姓名,备注{end}张,"一{end}二"{end}{end}李,"说""好"""'
    table_format = FileFormat(encoding=encoding, bom=bom)
    data = table_format.bom_bytes + text.encode(encoding)
    expected = {"姓名": ["张", "李"], "备注": [f"一{end}二", '说"好"']}
    assert table(data, encoding=encoding, bom=bom) == expected
    assert read_sample(io.BytesIO(data), table_format, 5).to_pydict() == expected


def test_one_column_keeps_blank_lines_as_missing_cells() -> None:
    assert table(b"a\n1\n\n2\n\n") == {"a": ["1", None, "2", None]}
    assert read_sample(io.BytesIO(b"a\n1\n\n2\n\n"), FileFormat(), 9).to_pydict() == {
        "a": ["1", None, "2", None]
    }


def test_without_header_the_columns_are_numbered() -> None:
    assert table(b"1;2\n3;4\n", header=False, delimiter=";") == {
        "column_1": ["1", "3"],
        "column_2": ["2", "4"],
    }


def test_batches_have_a_fixed_cut() -> None:
    data = b"a,b\n" + b"".join(b"%d,x\n" % number for number in range(1_000_003))
    with open_table(io.BytesIO(data), FileFormat()) as reader:
        sizes, first = [], []
        for piece in reader.batches(100_000):
            sizes.append(piece.num_rows)
            first.append(piece.column(0)[0].as_py())
            assert piece.schema == pa.schema([("a", pa.string()), ("b", pa.string())])
    assert sizes == [100_000] * 10 + [3]
    assert first == [str(number) for number in range(0, 1_000_001, 100_000)]


def test_a_sample_does_not_see_faults_below_it() -> None:
    data = b"a,b\n1,2\n3,4\n5\n"
    assert read_sample(io.BytesIO(data), FileFormat(), 2).to_pydict() == {"a": ["1", "3"], "b": ["2", "4"]}
    with pytest.raises(EngineError) as caught:
        read_sample(io.BytesIO(data), FileFormat(), 3)
    assert caught.value.params["line"] == 4
    assert read_sample(io.BytesIO(b"a,b\n"), FileFormat()).num_rows == 0


# Parquet


def parquet_file(**columns: pa.Array) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def test_parquet_cells_are_spelled_canonically() -> None:
    moment = datetime.datetime(2024, 1, 2, 3, 4, 5, 600_000)
    data = parquet_file(
        whole=pa.array([1, None, -3]),
        real=pa.array([1.0, 0.1, float("nan")]),
        huge=pa.array([1e22, -0.0, 1e-7]),
        exact=pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-2.00")]),
        day=pa.array([datetime.date(2024, 1, 2), None, datetime.date(1999, 12, 31)]),
        moment=pa.array([moment, datetime.datetime(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4)]),
        truth=pa.array([True, False, None]),
        text=pa.array(["", "0012", "张"]),
        coded=pa.array(["x", "y", "x"]).dictionary_encode(),
    )
    assert table(data, kind="parquet") == {
        "whole": ["1", None, "-3"],
        "real": ["1", "0.1", None],
        "huge": ["10000000000000000000000", "0", "0.0000001"],
        "exact": ["1.50", None, "-2.00"],
        "day": ["2024-01-02", None, "1999-12-31"],
        "moment": ["2024-01-02T03:04:05.6", "2024-01-02", "2024-01-02T03:04:00"],
        "truth": ["true", "false", None],
        "text": [None, "0012", "张"],
        "coded": ["x", "y", "x"],
    }


def test_parquet_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = fault(parquet_file(a=pa.array([1]), b=pa.array([[1, 2]])), kind="parquet")
    assert (nested.code, nested.params["column"]) == ("table.parquet.type", 2)
    assert fault(parquet_file(a=pa.array([], pa.string())), kind="parquet").code == "table.rows.none"
    good = parquet_file(a=pa.array(["x" * 1000] * 50_000))
    for broken in (good[:-100], good[:50] + b"\xff" * 60 + good[110:], b"PAR1", b"a,b\n1,2\n"):
        assert fault(broken, kind="parquet").code == "table.unreadable"
    assert len(good) < 10_000
    with open_table(io.BytesIO(good), FileFormat(kind="parquet")) as reader:
        assert sum(piece.num_rows for piece in reader.batches()) == 50_000
    monkeypatch.setattr(limits, "MAX_PARQUET_TEXT", 10_000_000)
    assert fault(good, kind="parquet").code == "table.parquet.bomb"


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_what_calls_itself_a_text_is_one(kind: pa.DataType) -> None:
    """Bytes that are no UTF-8 under the name of a text, and a NUL, which a CSV file may not hold either."""
    if kind != pa.string_view():
        raw = pa.large_binary() if kind == pa.large_string() else pa.binary()
        halves = pa.array([b"a", b"\xed\xa0\x80"], raw).view(kind)
        assert fault(parquet_file(a=halves), kind="parquet").code == "table.unreadable"
    found = fault(parquet_file(a=pa.array(["a", "b"], kind), b=pa.array(["c", "d\0"], kind)), kind="parquet")
    assert (found.code, found.params) == ("table.nul", {"line": 3, "column": 2})


def test_parquet_parts_stay_affordable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BATCH_BYTES", 1_000_000)
    with open_table(
        io.BytesIO(parquet_file(a=pa.array(["x" * 1000] * 5_000))), FileFormat(kind="parquet")
    ) as reader:
        pieces = [piece.num_rows for piece in reader._pieces()]
    assert sum(pieces) == 5_000
    assert max(pieces) <= 1_000


# XLSX


def workbook(*rows: list[object], sheet: str = "Sheet") -> bytes:
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


def test_sheet_cells_are_spelled_canonically() -> None:
    data = workbook(
        ["编号", 2024, "日", "时", "真"],
        ["0012", 13800000000, datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5), True],
        [None] * 5,
        [1, 2.5, datetime.time(3, 4), "", False],
    )
    found = detect(io.BytesIO(data), "表.xlsx")
    assert (found.kind, found.sheet, found.confidence) == ("xlsx", "Sheet", 1.0)
    assert table(data, kind="xlsx") == {
        "编号": ["0012", None, "1"],
        "2024": ["13800000000", None, "2.5"],
        "日": ["2024-01-02", None, "03:04:00"],
        "时": ["2024-01-02T03:04:05", None, None],
        "真": ["true", None, "false"],
    }


def test_a_sheet_may_begin_below_and_right_of_its_corner() -> None:
    book = openpyxl.Workbook()
    for column, cells in enumerate([["a", "1"], ["", "2"]], start=3):
        for row, cell in enumerate(cells, start=4):
            book.active.cell(row, column, cell or None)
    sink = io.BytesIO()
    book.save(sink)
    error = fault(sink.getvalue(), kind="xlsx")
    assert (error.code, error.params["line"], error.params["column"]) == ("table.name.empty", 4, 2)


def test_workbook_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fault(workbook(), kind="xlsx").code == "table.empty"
    assert fault(workbook(["a", "b"]), kind="xlsx").code == "table.rows.none"
    assert fault(workbook(["a"], [1]), kind="xlsx", sheet="none").code == "table.xlsx.sheet"
    assert fault(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), kind="xlsx").code == "table.xlsx.encrypted"
    good = workbook(["a"], [1])
    for broken in (
        good[:-30],
        good[: len(good) // 2],
        b"a,b\n",
        good.replace(b"xl/workbook.xml", b"xl/workbooc.xml"),
    ):
        assert fault(broken, kind="xlsx").code == "table.unreadable"
    monkeypatch.setattr(limits, "MAX_XLSX_ROWS", 1)
    assert fault(good, kind="xlsx").code == "table.xlsx.rows"


def test_sheets_are_listed_from_the_index_alone() -> None:
    book = openpyxl.Workbook()
    book.active.title = "甲 & 乙"
    book.active.append(["a"])
    book.create_chartsheet("图")
    book.create_sheet("丙'<>").append(["b"])
    sink = io.BytesIO()
    book.save(sink)
    names = workbooks.list_sheets(sink)
    assert names == ["甲 & 乙", "丙'<>"]
    proposal = detect(sink, "t.xlsx")
    assert (proposal.sheet, proposal.confidence) == ("甲 & 乙", 0.7)


def bomb(size: int) -> bytes:
    sink = io.BytesIO(workbook(["a"], [1]))
    with (
        zipfile.ZipFile(sink, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/media/x.bin", "w") as member,
    ):
        for _ in range(size // limits.MIB):
            member.write(bytes(limits.MIB))
    return sink.getvalue()


def test_a_workbook_that_unpacks_too_far_is_refused_before_it_is_opened() -> None:
    data = bomb(100 * limits.MIB)
    assert len(data) < limits.MIB
    assert fault(data, kind="xlsx").code == "table.xlsx.bomb"
    with pytest.raises(EngineError) as caught:
        detect(io.BytesIO(data), "x.xlsx")
    assert caught.value.code == "table.xlsx.bomb"


def far_apart(*references: str) -> bytes:
    """A workbook of a kilobyte whose few cells stand at ``references``."""
    sink = io.BytesIO()
    cells = "".join(
        f'<row><c r="{at}" t="inlineStr"><is><t>x</t></is></c></row>' for at in ("A1", *references)
    )
    with zipfile.ZipFile(io.BytesIO(workbook(["a"], [1]))) as whole, zipfile.ZipFile(sink, "w") as archive:
        for member in whole.infolist():
            content = whole.read(member)
            if member.filename.startswith("xl/worksheets/"):
                content = (
                    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
                    f"<sheetData>{cells}</sheetData></worksheet>"
                ).encode()
            archive.writestr(member.filename, content)
    return sink.getvalue()


@pytest.mark.parametrize("references", [("XFD1048576",), ("XFD1", "A1048576"), ("a4294967295",)])
def test_cells_in_opposite_corners_do_not_take_the_memory(references: tuple[str, ...]) -> None:
    assert fault(far_apart(*references), kind="xlsx").code == "table.xlsx.bomb"


def test_a_wide_sheet_is_no_bomb() -> None:
    cells = table(far_apart("ZZ100"), kind="xlsx", header=False)
    assert len(cells) == 702
    assert {len(column) for column in cells.values()} == {100}
    assert (cells["column_1"][0], cells["column_702"][99]) == ("x", "x")


def test_a_directory_that_lies_about_sizes_is_found_out() -> None:
    data = bomb(100 * limits.MIB)
    honest = (100 * limits.MIB).to_bytes(4, "little")
    assert fault(data.replace(honest, (1000).to_bytes(4, "little")), kind="xlsx").code == "table.unreadable"


def test_real_tables(real_data_dir) -> None:  # type: ignore[no-untyped-def]
    files = sorted(real_data_dir.glob("*.csv"))
    assert files
    for path in files:
        with path.open("rb") as stream:
            found = detect(stream, path.name)
            profile = check(stream, found)
            assert profile.rows > 30_000
            assert len(profile.columns) > 5
            assert "sex" in [column.name for column in profile.columns]


def test_our_own_sheet_is_read_back() -> None:
    content = batch(a=["1", None, None], b=["x", "y", None])
    assert table(written(content, kind="xlsx"), kind="xlsx") == content.to_pydict()
