"""Forms with types, there and back: any table of every type that a form has."""

from __future__ import annotations

import datetime
import decimal
import io
import json
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import orc

from techniques.core.messages import EngineError
from techniques.tables import limits
from techniques.tables.sources import json_lines, typed
from techniques.tables.sources.forms import Form

UTC = datetime.UTC
DAYS = st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 1, 1))
TIMES = st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2100, 1, 1))
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
CODED = pa.dictionary(pa.int32(), pa.string())
IN_ALL: list[tuple[pa.DataType, st.SearchStrategy[Any]]] = [
    (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    (pa.float64(), st.floats(allow_nan=False, allow_infinity=False)),
    (pa.bool_(), st.booleans()),
    (pa.string(), TEXTS),
]
IN_ORC = [
    *IN_ALL,
    (pa.int8(), st.integers(-128, 127)),
    (pa.int16(), st.integers(-(2**15), 2**15 - 1)),
    (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    (pa.float32(), st.floats(width=32, allow_nan=False)),
    (pa.date32(), DAYS),
    (pa.decimal128(20, 4), st.decimals(-(10**12), 10**12, places=4)),
    (pa.binary(), st.binary(max_size=5)),
    (pa.timestamp("ns"), TIMES),
    (pa.timestamp("ns", "UTC"), TIMES.map(lambda one: one.replace(tzinfo=UTC))),
]
IN_ARROW = [
    *IN_ORC,
    (pa.uint8(), st.integers(0, 255)),
    (pa.uint64(), st.integers(0, 2**64 - 1)),
    (pa.large_string(), TEXTS),
    (pa.timestamp("us", "Asia/Shanghai"), TIMES.map(lambda one: one.replace(tzinfo=UTC))),
    (pa.time64("us"), st.times()),
    (pa.duration("ms"), st.integers(-(10**12), 10**12)),
    (CODED, st.sampled_from(["a", "乙", ""])),
]
BY_FORM: dict[Form, list[tuple[pa.DataType, st.SearchStrategy[Any]]]] = {
    "jsonl": IN_ALL, "orc": IN_ORC, "arrow": IN_ARROW, "arrows": IN_ARROW,
}  # fmt: skip


@st.composite
def tables(draw: st.DrawFn, form: Form) -> pa.Table:
    """One to six rows of columns of every type that the form has."""
    rows = draw(st.integers(1, 6))
    columns = {}
    for number, (kind, values) in enumerate(BY_FORM[form]):
        cells = draw(st.lists(st.none() | values, min_size=rows, max_size=rows))
        if form == "jsonl":
            cells[0] = draw(values)  # a column without any value has no type there
        columns[f"c{number} {kind}"] = pa.array(cells, kind)
    return pa.table(columns)


def _there(table: pa.Table, form: Form, path: Path) -> None:
    if form == "jsonl":
        rows = [json.dumps(row, ensure_ascii=False) for row in table.to_pylist()]
        path.write_text("\n".join(rows), encoding="utf-8")
    elif form == "orc":
        orc.write_table(table, path)
    else:
        new = pa.ipc.new_file if form == "arrow" else pa.ipc.new_stream
        with path.open("wb") as stream, new(stream, table.schema) as writer:
            writer.write_table(table, max_chunksize=2)


def _back(form: Form, content: bytes) -> pa.Table:
    if form == "jsonl":
        stream = io.BytesIO(content)
        schema = json_lines.infer([stream])
        return pa.Table.from_batches(json_lines.read(stream, schema), schema)
    if form == "orc":
        return orc.ORCFile(io.BytesIO(content)).read()
    return (pa.ipc.open_file if form == "arrow" else pa.ipc.open_stream)(content).read_all()


@pytest.mark.parametrize("form", BY_FORM)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_there_and_back_every_type_and_value_is_the_same(form: Form, data: st.DataObject) -> None:
    table = data.draw(tables(form))
    with tempfile.TemporaryDirectory() as folder:
        given_as, between = Path(folder) / "given", Path(folder) / "between.parquet"
        _there(table, form, given_as)
        with typed.opened(given_as, form) as (schema, batches):
            typed.write_parquet(schema, batches, between)
        written = io.BytesIO()
        typed.write_form(between, form, written)
        back = _back(form, written.getvalue())
    assert back.schema.remove_metadata() == table.schema
    assert back.to_pylist() == table.to_pylist()


def test_an_arrow_file_has_one_dictionary_however_many_batches(tmp_path: Path) -> None:
    batches = [pa.record_batch({"c": pa.array(texts).dictionary_encode()}) for texts in (["a", "b"], ["c"])]
    typed.write_parquet(batches[0].schema, iter(batches), tmp_path / "between")
    written = io.BytesIO()
    typed.write_form(tmp_path / "between", "arrow", written)
    back = pa.ipc.open_file(written.getvalue()).read_all()
    assert back.column("c").to_pylist() == ["a", "b", "c"]
    assert back.schema.field("c").type == CODED


def test_orc_takes_what_it_has_no_type_for_as_the_nearest(tmp_path: Path) -> None:
    table = pa.table(
        {
            "whole": pa.array([2**64 - 1], pa.uint64()),
            "code": pa.array(["a"]).dictionary_encode(),
            "time": pa.array([datetime.time(1, 2, 3)], pa.time64("us")),
        }
    )
    typed.write_parquet(table.schema, iter(table.to_batches()), tmp_path / "between")
    written = io.BytesIO()
    typed.write_form(tmp_path / "between", "orc", written)
    (row,) = orc.ORCFile(io.BytesIO(written.getvalue())).read().to_pylist()
    assert row == {"whole": decimal.Decimal(2**64 - 1), "code": "a", "time": "01:02:03.000000"}


def _code(path: Path, form: Form) -> EngineError:
    with pytest.raises(EngineError) as caught, typed.opened(path, form) as (_schema, batches):
        list(batches)
    return caught.value


@pytest.mark.parametrize("form", ["arrow", "arrows", "orc"])
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.95])
def test_half_a_file_is_refused(tmp_path: Path, form: Form, kept: float) -> None:
    table = pa.table({"a": list(range(5000)), "b": [f"secret{i}" for i in range(5000)]})
    _there(table.slice(0, 5000), form, tmp_path / "whole")
    content = (tmp_path / "whole").read_bytes()
    (tmp_path / "half").write_bytes(content[: int(len(content) * kept)])
    error = _code(tmp_path / "half", form)
    assert error.code in ("table.unreadable", "table.arrow.cut")
    assert "secret" not in str(error)


def test_a_stream_without_its_end_mark_is_refused_though_all_its_messages_are_whole(tmp_path: Path) -> None:
    _there(pa.table({"a": [1, 2, 3]}), "arrows", tmp_path / "whole")
    (tmp_path / "cut").write_bytes((tmp_path / "whole").read_bytes()[:-8])
    assert _code(tmp_path / "cut", "arrows").code == "table.arrow.cut"


def _lines(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "lines"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ('{"a": 1}\n\n{"a": secret}\n', "table.json.line", 3, None),
        ('{"a": 1}\n[1, 2]\n', "table.json.line", 2, None),
        ('{"a": 1}\n{"a": 2', "table.json.line", 2, None),
        ('{"a": 1}\n\n{"a": "secret"}\n', "table.json.mixed", 3, "a"),
        ('{"a": 1}\n{"b": 1, "b": 2}\n', "table.json.twice", 2, "b"),
        ('{"a": 123456789012345678901234, "b": "x"}\n', "table.json.digits", 1, "a"),
    ],
)
def test_a_fault_is_named_by_its_line_and_column(
    tmp_path: Path, text: str, code: str, line: int, column: str | None
) -> None:
    error = _code(_lines(tmp_path, text), "jsonl")
    assert (error.code, error.params["line"], error.params.get("column")) == (code, line, column)
    assert "secret" not in str(error)


def test_what_comes_late_counts_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A column of a late line, and a type that only a late line needs; what looks like a time stays the text that it is."""
    monkeypatch.setattr(limits, "JSON_BLOCK_BYTES", 64)
    rows = ['{"n": null, "d": "2020-01-01 00:00:00"}'] * 9 + ['{"n": 1.5, "late": true}', '{"n": 2}']
    with typed.opened(_lines(tmp_path, "\r\n".join(rows)), "jsonl") as (schema, batches):
        found = [row for batch in batches for row in batch.to_pylist()]
    assert {field.name: field.type for field in schema} == {
        "n": pa.float64(),
        "d": pa.string(),
        "late": pa.bool_(),
    }
    assert found[0] == {"n": None, "d": "2020-01-01 00:00:00", "late": None}
    assert found[9:] == [{"n": 1.5, "d": None, "late": True}, {"n": 2.0, "d": None, "late": None}]


def test_mixed_values_far_apart_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JSON_BLOCK_BYTES", 64)
    path = _lines(tmp_path, '{"a": 1}\n' * 50 + '{"a": "x"}\n')
    assert _code(path, "jsonl").code == "table.json.mixed"


def test_a_type_that_cannot_be_kept_is_named(tmp_path: Path) -> None:
    column = pa.array([pa.MonthDayNano([1, 2, 3])])
    with pytest.raises(EngineError) as caught:
        typed.write_parquet(pa.schema([("span", column.type)]), iter(()), tmp_path / "out")
    assert caught.value.code == "table.typed.type"
    assert caught.value.params["column"] == "span"
