"""Types from Parquet to Parquet: an untouched column is the same to the bit, a treated one keeps its type where its values do."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.secrets import Secrets
from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
from techniques.recipe.recipe import Recipe
from techniques.tables import FileFormat, check
from techniques.tables.canonical import column_text
from techniques.tables.readers.parquet import carried_batches
from techniques.tables.types import fitting, possible_types, typed

MOMENT = dt.datetime(2026, 3, 1, 12, 30, 15, 120000)
NOT_A_NUMBER = struct.unpack("<d", bytes.fromhex("010000000000f87f"))[0]
CELLS: list[tuple[pa.DataType, list[Any]]] = [
    (pa.int8(), [-128, 127]),
    (pa.int16(), [-5, 300]),
    (pa.int32(), [0, 70_000]),
    (pa.int64(), [2**63 - 1, -(2**63)]),
    (pa.uint8(), [255, 0]),
    (pa.uint64(), [2**64 - 1, 1]),
    (pa.float32(), [0.1, -0.0]),
    (pa.float64(), [1e300, NOT_A_NUMBER]),
    (pa.decimal128(10, 2), [Decimal("1.50"), Decimal("-3.00")]),
    (pa.decimal256(40, 3), [Decimal("1.500"), Decimal("0.001")]),
    (pa.bool_(), [True, False]),
    (pa.date32(), [dt.date(2026, 3, 1), dt.date(1900, 1, 1)]),
    (pa.time32("ms"), [dt.time(1, 2, 3), dt.time(23, 59, 59)]),
    (pa.time64("us"), [dt.time(1, 2, 3, 500), dt.time(0)]),
    (pa.timestamp("ms"), [MOMENT, dt.datetime(2026, 3, 1)]),
    (pa.timestamp("us"), [MOMENT, dt.datetime(2026, 3, 1)]),
    (pa.timestamp("ns"), [MOMENT, dt.datetime(2026, 3, 1)]),
    (pa.timestamp("us", "Asia/Shanghai"), [MOMENT.replace(tzinfo=dt.UTC), dt.datetime(2026, 3, 1, tzinfo=dt.UTC)]),
    (pa.duration("us"), [dt.timedelta(seconds=5), dt.timedelta(days=2)]),
    (pa.string(), ["", " x "]),
    (pa.large_string(), ["北京", ""]),
    (pa.binary(), [b"ab", b""]),
    (pa.large_binary(), [b"\x89PNG\r\n\0\xff", b"\\x00"]),
    (pa.binary(2), [b"ab", b"cd"]),
    (pa.dictionary(pa.int32(), pa.string()), ["甲", "乙"]),
]  # fmt: skip
NAMES = [str(kind) for kind, _cells in CELLS]


def _run(
    tmp_path: Path, table: pa.Table, steps: str, order: str = "kept", part: int | None = None
) -> pa.Table:
    path = tmp_path / "source.parquet"
    pq.write_table(table, path)
    with path.open("rb") as stream:
        rows = check(stream, FileFormat(kind="parquet"), lambda *_: None).rows
    size = 0 if part is None else 64 * 1024 * 1024 * rows // part
    source = Source(lambda: path.open("rb"), FileFormat(kind="parquet"), rows, size)
    recipe = Recipe.parse(f"recipe: 1\nunlisted: keep\nsteps:\n{steps}")
    run = LocalRun(
        recipe,
        source,
        DirectoryWorkspace(tmp_path / "work"),
        Secrets(key=b"k" * 32, seed=b"s" * 32),
        order=order,  # type: ignore[arg-type]
    )
    run.execute_all()
    run.discard()
    assert sorted(path.name for path in (tmp_path / "work").iterdir()) == ["report", "result.parquet"]
    return pq.read_table(tmp_path / "work" / "result.parquet")


def _bits(column: pa.ChunkedArray) -> list[bytes | None]:
    """Each cell as the bytes that stand for it, null as None."""
    array = column.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_floating(array.type):
        wide = {32: pa.int32(), 64: pa.int64()}[array.type.bit_width]
        array = array.view(wide)
    return [None if cell is None else repr(cell).encode() for cell in array.to_pylist()]


ROUND = "  - {technique: generalization.rounding, columns: [number], parameters: {base: 10}}\n"


@pytest.mark.parametrize(("kind", "cells"), CELLS, ids=NAMES)
def test_an_untouched_column_is_the_same_to_the_bit(
    tmp_path: Path, kind: pa.DataType, cells: Sequence[Any]
) -> None:
    column = pa.array([*cells, None] * 3, kind)
    table = pa.table({"untouched": column, "number": pa.array(range(9), pa.int32())})
    result = _run(tmp_path, table, ROUND)
    assert result.schema.field("untouched").type == kind
    assert _bits(result["untouched"]) == _bits(pa.chunked_array([column]))
    assert result.schema.field("number").type == pa.int32()
    assert result["number"].to_pylist() == [0, 0, 0, 0, 0, 10, 10, 10, 10]


@pytest.mark.parametrize(("kind", "cells"), CELLS, ids=NAMES)
def test_rows_that_go_and_rows_in_another_order(
    tmp_path: Path, kind: pa.DataType, cells: Sequence[Any]
) -> None:
    """Over several parts the carried cells stay in the rows of the treated ones."""
    column = pa.array([*cells, None] * 400, kind)
    which = pa.array([str(number % 3) for number in range(1200)])
    table = pa.table({"untouched": column, "which": which, "number": pa.array(range(1200), pa.int64())})
    result = _run(tmp_path, table, ROUND, order="shuffled", part=256)
    assert result.num_rows == 1200
    by_kind = dict(zip(["0", "1", "2"], _bits(pa.chunked_array([column]))[:3], strict=True))
    assert _bits(result["untouched"]) == [by_kind[name] for name in result["which"].to_pylist()]
    assert result["which"].to_pylist() != which.to_pylist()


def test_a_category_holds_no_value_of_a_row_that_went(tmp_path: Path) -> None:
    names = ["common"] * 6 + ["only one"]
    table = pa.table(
        {
            "category": pa.array(names).dictionary_encode(),
            "town": ["A"] * 6 + ["B"],
            "number": pa.array(range(7), pa.int32()),
        }
    )
    steps = (
        "  - {technique: suppression.rare_records, columns: [town], parameters: {minimum_count: 2, maximum_share: 0.5}}\n"
        + ROUND
    )
    result = _run(tmp_path, table, steps)
    assert result.num_rows == 6
    assert b"only one" not in (tmp_path / "work" / "result.parquet").read_bytes()


def test_long_texts_that_repeat_are_held_once(tmp_path: Path) -> None:
    """Eighty rows of a text of a megabyte are a megabyte of it in each file between, and eighty in no array."""
    long = "长" * 333_000
    table = pa.table({"note": [long, "short"] * 40, "number": pa.array(range(80), pa.int32())})
    before = pa.total_allocated_bytes()
    most = 0
    path = tmp_path / "source.parquet"
    pq.write_table(table, path)
    with path.open("rb") as stream:
        for batch in carried_batches(stream, ["note"], 80):
            most = max(most, pa.total_allocated_bytes() - before)
            assert batch.column(0).type.value_type == pa.string()
    assert most < 8_000_000
    result = _run(tmp_path, table, ROUND)
    assert result["note"].to_pylist() == [long, "short"] * 40


def test_notes_of_the_source_are_not_carried(tmp_path: Path) -> None:
    field = pa.field("untouched", pa.int64(), metadata={"owner": "王小明"})
    schema = pa.schema([field, pa.field("number", pa.int32())], metadata={"author": "王小明"})
    table = pa.table([pa.array([1, 2]), pa.array([3, 4], pa.int32())], schema=schema)
    _run(tmp_path, table, ROUND)
    assert "王小明".encode() not in (tmp_path / "work" / "result.parquet").read_bytes()


@pytest.mark.parametrize(
    ("source", "steps", "kind", "cells"),
    [
        (pa.array([1, 2, 14], pa.int8()), ROUND, pa.int8(), [0, 0, 10]),
        (pa.array([126, 2, 14], pa.int8()), ROUND, pa.int64(), [130, 0, 10]),
        (pa.array([Decimal("1.50"), Decimal("26.00")]), ROUND, pa.decimal128(4, 2), [Decimal("0.00"), Decimal("30.00")]),
        (
            pa.array([3, 25, 31], pa.int64()),
            "  - {technique: generalization.intervals, columns: [number], parameters: {width: 10}}\n",
            pa.string(),
            ["[0,10)", "[20,30)", "[30,40)"],
        ),
        (
            pa.array([dt.date(2026, 3, 7), dt.date(2026, 4, 1)]),
            "  - {technique: generalization.date, columns: [number], parameters: {unit: month}}\n",
            pa.string(),
            ["2026-03", "2026-04"],
        ),
        (
            pa.array(["a", "a", "b"]).dictionary_encode(),
            "  - {technique: suppression.rare_values, columns: [number], parameters: {minimum_count: 2, maximum_share: 0.5, replacement: 其他}}\n",
            pa.dictionary(pa.int32(), pa.string()),
            ["a", "a", "其他"],
        ),
    ],
)  # fmt: skip
def test_a_treated_column(
    tmp_path: Path, source: pa.Array, steps: str, kind: pa.DataType, cells: list[Any]
) -> None:
    result = _run(tmp_path, pa.table({"number": source}), steps)
    assert result.schema.field("number").type == kind
    assert result["number"].to_pylist() == cells


def test_one_part_that_does_not_fit_makes_text_of_all(tmp_path: Path) -> None:
    """A star in the last part only: the column is text from its first row."""
    numbers = pa.array([*range(0, 600)], pa.int32())
    towns = pa.array(["A"] * 599 + ["B"])
    steps = (
        "  - technique: model.k_anonymity\n    columns: [town, number]\n    parameters:\n      k: 2\n"
        "      suppression_limit: 0.5\n      hierarchies: {town: {kind: star}, number: {kind: star}}\n"
    )
    result = _run(tmp_path, pa.table({"town": towns, "number": numbers}), steps, part=256)
    assert result.schema.field("number").type == pa.string()
    assert set(result["number"].to_pylist()) == {"*"}


@settings(max_examples=60)
@given(
    st.sampled_from([kind for kind, _cells in CELLS if not pa.types.is_binary(kind)]),
    st.lists(st.sampled_from(["1", "-7", "300", "1.5", "2.50", "*", "true", "2026-03-01", "2026-03", "01", "1e3", "x", None])),
)  # fmt: skip
def test_what_fits_reads_as_the_same_text(kind: pa.DataType, texts: list[str | None]) -> None:
    """A type is given back only where the reader finds the very texts that the step produced (numbers by their value)."""
    column = pa.array(texts, pa.string())
    for place in fitting(column, kind):
        values = typed(column, possible_types(kind)[place])
        if values is None:
            continue
        again = column_text(values).to_pylist()
        same = [
            a == b or (None not in (a, b) and Decimal(a) == Decimal(b))
            for a, b in zip(again, texts, strict=True)
        ]
        assert all(same)
