"""Batches of dictionaries hold what batches of text do, encoded: the same texts in the same order, the same faults."""

from __future__ import annotations

import datetime
import io
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.classes import encode
from techniques.tables import FileFormat, limits, open_table
from techniques.tables.coding import coded_text, part_of
from techniques.tables.dictionary import ValueCounter, dictionary_encode
from techniques.tables.readers import parquet
from tests.techniques.tables.support import batch, written

ROWS = 3000
DAY = datetime.date(2024, 1, 1)


def stored(table: pa.Table, rows: int = 700) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, row_group_size=rows)
    return stream.getvalue()


def of_all_types() -> pa.Table:
    whole = range(ROWS)
    days = [DAY + datetime.timedelta(n % 90) for n in whole]
    return pa.table(
        {
            "number": pa.array([None if n % 7 == 0 else n % 50 for n in whole]),
            "a.b": pa.array([[0.0, -0.0, float("nan"), 1.5, 1e20, 1e-9, 3.0][n % 7] for n in whole]),
            "a": pa.array([n % 9 for n in whole], pa.uint8()),
            "text": pa.array(["" if n % 5 == 0 else None if n % 11 == 0 else f"值{n % 400}" for n in whole]),
            "long": pa.array([f"l{n}" for n in whole], pa.large_string()),
            "coded": pa.array([None if n % 9 == 0 else f"q{n % 13}" for n in whole]).dictionary_encode(),
            "day": pa.array(days),
            "time": pa.array([datetime.datetime(2024, 1, 1 + n % 9, n % 24) for n in whole]),
            "truth": pa.array([n % 3 == 0 for n in whole]),
            "exact": pa.array([Decimal(n % 40) / 4 for n in whole], pa.decimal128(9, 2)),
            "bytes": pa.array([b"\xff" if n % 3 == 0 else b"ab" for n in whole]),
            "half": pa.array(np.arange(ROWS) % 9, pa.float16()),
            "none": pa.nulls(ROWS),
        }
    )


def assert_alike(content: bytes, rows: int, columns: list[str] | None = None, **facts: object) -> int:
    """The batches of both are cut alike and hold the same; how many there are."""
    form = FileFormat(**facts)
    with open_table(io.BytesIO(content), form) as text, open_table(io.BytesIO(content), form) as coded:
        number = 0
        for plain, made in zip(text.batches(rows), coded.coded_batches(columns, rows), strict=True):
            assert made.schema.names == (columns or text.columns)
            for name in made.schema.names:
                wanted, found = plain.column(name).dictionary_encode(), made.column(name)
                assert found.type == wanted.type
                assert found.dictionary.equals(wanted.dictionary), name
                assert found.indices.equals(wanted.indices), name
            assert coded.handed_out == text.handed_out
            number += 1
        assert coded.progress() == text.progress() == 1.0
    return number


@pytest.mark.parametrize("rows", [1, 500, 1000, 65_536])
def test_a_parquet_file(rows: int) -> None:
    content = stored(of_all_types().slice(0, 40 if rows == 1 else ROWS))
    assert assert_alike(content, rows, kind="parquet")
    assert assert_alike(content, rows, ["text", "a"], kind="parquet")
    assert assert_alike(content, rows, kind="parquet", missing=("值3", "7", "1.5"))


@pytest.mark.parametrize("kind", [pa.float32(), pa.float64()])
@pytest.mark.parametrize(
    "numbers",
    [
        [2.5, 0.0, 2.5],
        [0.0, 1.0, -0.0],
        [-0.0, 7.0],
        [float("nan"), 1.0],
        [None, 0.1, 0.30000000000000004],
        [0.0, None],
    ],
)
def test_decimal_numbers_that_are_spelled_alike_or_apart(
    numbers: list[float | None], kind: pa.DataType
) -> None:
    assert assert_alike(stored(pa.table({"number": pa.array(numbers, kind)})), 10, kind="parquet")


def test_a_dictionary_of_numbers_that_names_one_twice() -> None:
    twice = pa.DictionaryArray.from_arrays(pa.array([1, 0, 2], pa.int8()), pa.array([5, 5, 6]))
    assert coded_text(twice).equals(pa.array(["5", "5", "6"]).dictionary_encode())


def test_long_cells_cut_batches_in_the_same_places(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"text": [f"{n % 10}" * 500 for n in range(9000)], "number": range(9000)})
    monkeypatch.setattr(limits, "MAX_BATCH_BYTES", 1_000_000)
    monkeypatch.setattr("techniques.tables.readers.reader.MAX_BATCH_BYTES", 1_000_000)
    for rows in (1000, 4000, 9000):
        assert assert_alike(stored(table, 300), rows, kind="parquet") > 4


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.uint32(), pa.int64()])
def test_indices_of_any_type_are_read(kind: pa.DataType) -> None:
    places = [*range(128), None] if kind != pa.int8() else [*range(127), None, 127]
    column = pa.DictionaryArray.from_arrays(pa.array(places, kind), pa.array([f"v{n}" for n in range(128)]))
    texts = [None if place is None else f"v{place}" for place in places]
    assert coded_text(column).cast(pa.string()).to_pylist() == texts
    found = encode([pa.record_batch([column], names=["a"])], ["a"])
    assert [None if code == 0 else found.texts[0][code - 1].as_py() for code in found.codes[0]] == texts
    counter = ValueCounter()
    counter.add(column)
    assert counter.finish().counts.tolist() == [1] * 128
    assert counter.finish().missing == 1


@pytest.mark.parametrize("short", [0, 1 << 30])
def test_cells_that_hardly_repeat_are_coded_alike_in_both_ways(
    short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "_SHORT_BYTES", short)
    assert assert_alike(stored(of_all_types()), 1000, kind="parquet")


def test_a_long_text_that_repeats_is_never_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    spelled: list[int] = []
    texts = parquet.column_text

    def text(column: pa.Array) -> pa.Array:
        made = texts(column)
        spelled.append(made.nbytes)
        return made

    monkeypatch.setattr(parquet, "column_text", text)
    cells = [f"s{n % 200}" if n % 6 == 0 else "x" * 100_000 for n in range(ROWS)]
    with open_table(io.BytesIO(stored(pa.table({"t": cells}))), FileFormat(kind="parquet")) as reader:
        assert sum(batch.num_rows for batch in reader.coded_batches()) == ROWS
    assert sum(spelled) <= parquet._SHORT_BYTES


def test_a_csv_file() -> None:
    cells = [None if n % 4 == 0 else f"x{n % 30}" for n in range(1000)]
    content = written(batch(a=cells, b=[str(n) for n in range(1000)]), kind="csv")
    assert assert_alike(content, 300, kind="csv") == 4
    assert assert_alike(content, 300, ["b"], kind="csv", missing=("17",)) == 4


def test_faults_are_the_same() -> None:
    nul = stored(pa.table({"a": ["x"] * 90, "b": [*["y"] * 70, "y\0", *["y"] * 19]}))
    broken = pa.array([b"x", b"\xff"] * 40).cast(pa.binary()).view(pa.string())
    long = pa.table({"a": ["x", "y" * (limits.MAX_FIELD_BYTES + 1)]})
    for content in (nul, stored(pa.table({"a": broken})), stored(long)):
        said = []
        for how in ("batches", "coded_batches"):
            with open_table(io.BytesIO(content), FileFormat(kind="parquet")) as reader:
                with pytest.raises(EngineError) as caught:
                    list(getattr(reader, how)(rows=30))
                assert caught.value.__context__ is None
                said.append((caught.value.code, str(caught.value), reader.handed_out))
        assert said[0] == said[1]


def test_a_column_that_is_left_out_is_not_looked_at() -> None:
    content = stored(pa.table({"a": ["x"] * 9, "b": ["y\0"] * 9}))
    with open_table(io.BytesIO(content), FileFormat(kind="parquet")) as reader:
        assert [batch.column("a").to_pylist() for batch in reader.coded_batches(["a"])] == [["x"] * 9]


@pytest.mark.parametrize("rows", [slice(0, 4), slice(3, 9), slice(8, 8), slice(0, 11)])
def test_some_rows_of_codes_are_what_their_texts_are_encoded_to(rows: slice) -> None:
    texts = pa.array(["b", "a", None, "b", "", "c", None, "a", "c", None, "d"])
    found = part_of(dictionary_encode(texts), rows)
    assert found.equals(texts[rows].dictionary_encode())
