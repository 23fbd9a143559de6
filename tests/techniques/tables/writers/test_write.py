"""What is written is read back equal, has the same bytes each time, and runs in no spreadsheet."""

from __future__ import annotations

import gc
import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path

import openpyxl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.tables import FileFormat, TableWriter, check, detect, neutralise_column, read_sample
from techniques.tables.writers import sheets as sheet_writing
from tests.techniques.tables.support import batch, table, written

ENCODINGS = ["utf-8", "gb18030", "utf-16-le", "utf-16-be"]

# Any character but NUL, which no file may hold, and lone surrogates, which are no text.
CELLS = st.one_of(
    st.none(),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=12),
    st.text(st.sampled_from("张李,;|\t\n\r\"'=+-@ _x0D&<>\ufeff😀"), min_size=1, max_size=8),
)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=6)
)


def content_of(rows: list[list[str | None]]) -> pa.RecordBatch:
    names = [f"第{number}列姓名" for number in range(1, len(rows[0]) + 1)]
    return pa.record_batch([pa.array(cells, pa.string()) for cells in zip(*rows, strict=True)], names=names)


@pytest.mark.parametrize("bom", [False, True])
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=TABLES, delimiter=st.sampled_from(",;\t|"))
def test_csv_round_trip(encoding: str, bom: bool, rows: list[list[str | None]], delimiter: str) -> None:
    content = content_of(rows)
    facts = {"encoding": encoding, "bom": bom, "delimiter": delimiter}
    data = written(content, neutralise=False, **facts)
    assert table(data, **facts) == content.to_pydict()
    assert read_sample(io.BytesIO(data), FileFormat(**facts), 10).to_pydict() == content.to_pydict()
    if bom or encoding in ("utf-8", "gb18030"):  # without a mark, wild characters in UTF-16 look like noise
        assert detect(io.BytesIO(data), "t.csv").encoding == encoding
    assert check(io.BytesIO(data), FileFormat(**facts)).rows == content.num_rows


NAMED = st.text(st.sampled_from('张伟李娜内科外科abc ,;|\t"\n=1'), min_size=1, max_size=8)


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.lists(NAMED, min_size=3, max_size=3), min_size=3, max_size=9),
    delimiter=st.sampled_from(",;\t|"),
)
def test_what_is_written_is_detected(encoding: str, rows: list[list[str]], delimiter: str) -> None:
    content = content_of(rows)
    data = written(content, neutralise=False, encoding=encoding, delimiter=delimiter)
    proposal = detect(io.BytesIO(data), "t.csv")
    assert (proposal.encoding, proposal.delimiter, proposal.header) == (encoding, delimiter, True)
    assert table(data, **proposal.model_dump()) == content.to_pydict()


@pytest.mark.parametrize("kind", ["xlsx", "parquet"])
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=TABLES)
def test_sheet_and_parquet_round_trip(kind: str, rows: list[list[str | None]]) -> None:
    content = content_of(rows)
    data = written(content, neutralise=False, kind=kind)
    proposal = detect(io.BytesIO(data), f"t.{kind}")
    assert proposal.kind == kind
    assert table(data, **proposal.model_dump()) == content.to_pydict()


@pytest.mark.parametrize("kind", ["csv", "xlsx", "parquet"])
def test_the_bytes_do_not_depend_on_the_batches(kind: str) -> None:
    rows = 70_000
    cells = pa.array([f"值{number * 7919 % 1000},{number}" for number in range(rows)])
    whole = pa.record_batch([cells, cells], names=["a", "b"])
    digests = set()
    for size in (rows, 65_536, 777):
        stream = io.BytesIO()
        with TableWriter(stream, FileFormat(kind=kind, encoding="gb18030"), ["a", "b"]) as writer:
            for start in range(0, rows, size):
                writer.write(whole.slice(start, size))
        digests.add(hashlib.sha256(stream.getvalue()).hexdigest())
    assert len(digests) == 1
    assert table(stream.getvalue(), kind=kind, encoding="gb18030")["b"] == cells.to_pylist()


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "=cmd|' /C calc'!A0",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "＝1",
        "＋a",
        "－2",
        "＠x",
        " =1",
        "\u3000=1",
        "\ufeff=1",
        "-",
        "+",
        "--5",
        "-3.5x",
        "+86 138",
        "-1\n=2",
        "-5\n",
        "-٣",
    ],
)
def test_dangerous_cells_get_an_apostrophe(cell: str) -> None:
    assert neutralise_column(pa.array([cell])).to_pylist() == ["'" + cell]


@pytest.mark.parametrize(
    "cell", ["-3.5", "+86", "-1e-3", "-.5", "+5%", "a=1", "1-2", "", "张", "'=1", "3.", None]
)
def test_harmless_cells_stay(cell: str | None) -> None:
    assert neutralise_column(pa.array([cell], pa.string())).to_pylist() == [cell]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_formulas_are_neutralised_on_export_in_names_too(kind: str) -> None:
    content = batch(**{"=HYPERLINK(1)": ["=1+1", "-3.5", None], "b": ["x", "@y", "+1"]})
    expected = {"'=HYPERLINK(1)": ["'=1+1", "-3.5", None], "b": ["x", "'@y", "+1"]}
    assert table(written(content, kind=kind), kind=kind) == expected
    assert table(written(content, neutralise=False, kind=kind), kind=kind) == content.to_pydict()
    assert table(written(content, kind="parquet"), kind="parquet") == content.to_pydict()


def test_a_spreadsheet_library_reads_our_sheet_as_text() -> None:
    content = batch(a=["0012", "110101199003070031", "a & <b>\n张"], b=["=1+1", "2024-01-01", None])
    sheet = openpyxl.load_workbook(io.BytesIO(written(content, kind="xlsx", sheet="结果[1]"))).active
    assert sheet.title == "结果_1_"
    assert list(sheet.values) == [
        ("a", "b"),
        ("0012", "'=1+1"),
        ("110101199003070031", "2024-01-01"),
        ("a & <b>\n张", None),
    ]
    assert {cell.data_type for row in sheet.rows for cell in row} <= {"s", "inlineStr", "n"}


def test_limits_of_a_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EngineError) as caught:
        written(batch(a=["x", "y" * 32_768]), kind="xlsx")
    assert (caught.value.code, caught.value.params["line"]) == ("table.xlsx.cell", 2)
    monkeypatch.setattr(sheet_writing, "MAX_XLSX_ROWS", 3)
    written(batch(a=["1", "2"]), kind="xlsx")
    with pytest.raises(EngineError) as caught:
        written(batch(a=["1", "2", "3"]), kind="xlsx")
    assert caught.value.code == "table.xlsx.rows"


@pytest.mark.parametrize("kind", ["xlsx", "parquet"])
def test_a_writer_that_breaks_off_leaves_no_whole_file(kind: str) -> None:
    stream = io.BytesIO()

    def break_off() -> None:
        with TableWriter(stream, FileFormat(kind=kind), ["a"]) as writer:
            writer.write(batch(a=["1"] * 70_000))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        break_off()
    gc.collect()
    with pytest.raises(EngineError):
        check(io.BytesIO(stream.getvalue()), FileFormat(kind=kind))


def test_batches_of_other_columns_are_refused() -> None:
    with pytest.raises(EngineError) as caught:
        TableWriter(io.BytesIO(), FileFormat(), ["a"]).write(batch(b=["1"]))
    assert caught.value.code == "table.write.columns"
    with pytest.raises(EngineError):
        TableWriter(io.BytesIO(), FileFormat(), ["a", "a"])


def test_dictionary_columns_may_be_written() -> None:
    cells = pa.array(["x", None, "x"]).dictionary_encode()
    stream = io.BytesIO()
    with TableWriter(stream, FileFormat(), ["a"]) as writer:
        writer.write(pa.record_batch([cells], names=["a"]))
    assert stream.getvalue() == b'"a"\n"x"\n\n"x"\n'


MEMORY = """
import sys
import pyarrow as pa
from techniques.tables import FileFormat, TableWriter, check, detect
path = sys.argv[1]
rows = 65_536
cells = [pa.array([f"张{n * 31 % 997}病人{c}" for n in range(rows)]) for c in range(12)]
names = [f"列{c}" for c in range(12)]
part = pa.record_batch(cells, names=names)
with open(path, "wb") as stream, TableWriter(stream, FileFormat(encoding="gb18030"), names) as writer:
    for start in range(0, 400_000, rows):
        writer.write(part.slice(0, min(rows, 400_000 - start)))
with open(path, "rb") as stream:
    profile = check(stream, detect(stream, path))
assert profile.rows == 400_000 and profile.columns[0].distinct == 997
# Not ru_maxrss, which begins with the memory of the process that started this one.
[peak] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(peak) // 1024)
"""


@pytest.mark.slow
def test_many_rows_pass_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(path)],
        check=True,
        capture_output=True,
        text=True,
        env=dict(os.environ),
    )
    assert path.stat().st_size > 50_000_000
    assert int(done.stdout) < 600
