"""Combinations, each once, and columns that are read by what is needed of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.core.messages import EngineError
from techniques.tables import FileFormat
from techniques.tables.combinations import combinations
from techniques.tables.dictionary import count_values, encode_columns
from techniques.tables.rows import FileRows, columns_of, counts_of


def drawn(rows: int, *sizes: int) -> pa.Table:
    rng = np.random.default_rng(3)
    columns = {}
    for place, size in enumerate(sizes):
        codes = np.minimum(rng.geometric(2 / size, rows), size) if size > 1 else np.ones(rows, np.int64)
        columns[f"c{place}"] = [None if code == 3 else f"v{code}" for code in codes.tolist()]
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})


def coded(table: pa.Table, rows: int) -> Iterator[pa.RecordBatch]:
    for batch in table.to_batches(max_chunksize=rows):
        columns = [column.dictionary_encode() for column in batch.columns]
        yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


@pytest.mark.parametrize("sizes", [(1,), (5,), (3, 40, 2), (700, 900, 2, 60)])
@pytest.mark.parametrize("rows", [17, 4000])
def test_they_are_those_of_the_rows_in_the_order_of_first_appearance(
    sizes: tuple[int, ...], rows: int
) -> None:
    table = drawn(3000, *sizes)
    found = combinations(coded(table, rows), table.column_names)
    assert found is not None
    made = zip(*(column.to_pylist() for column in found.batch.columns), strict=True)
    wanted = Counter(zip(*(column.to_pylist() for column in table.columns), strict=True))
    assert list(zip(made, found.counts.tolist(), strict=True)) == list(wanted.items())
    for column, whole in zip(
        found.batch.columns, encode_columns(coded(table, rows), table.column_names).values(), strict=True
    ):
        assert column.dictionary.equals(whole.values)


def test_too_many_are_not_held() -> None:
    table = drawn(3000, 700, 900)
    assert combinations(coded(table, 100), table.column_names, most=500) is None
    wide = drawn(3000, *[200] * 9)
    assert combinations(coded(wide, 100), wide.column_names) is None


def test_many_columns_of_few_values_have_room_or_are_not_held() -> None:
    rng = np.random.default_rng(5)
    cells = [["1" if one else None for one in rng.integers(0, 2, 400)] for _column in range(70)]
    for width in (62, 63, 70):
        table = pa.table({f"c{place}": pa.array(own, pa.string()) for place, own in enumerate(cells[:width])})
        found = combinations(coded(table, 90), table.column_names)
        if width > 62:
            assert found is None
        else:
            assert found is not None
            assert len(found.counts) == len(set(zip(*cells[:width], strict=True)))


def test_no_rows() -> None:
    found = combinations(iter([]), ["a", "b"])
    assert found is not None
    assert found.batch.num_rows == len(found.counts) == 0


@pytest.mark.parametrize("size", [1, 40, 200_000])
def test_values_are_counted_as_encoded_columns_count_them(size: int) -> None:
    table = drawn(400_000, size, 7)
    found = count_values(coded(table, 65_536), table.column_names)
    for name, whole in encode_columns(table.to_batches(), table.column_names).items():
        assert found[name].values.equals(whole.values)
        assert np.array_equal(found[name].counts, whole.counts())
        assert (found[name].rows, found[name].missing) == (len(whole), whole.missing)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"a": [1, 2, 2, None], "b": ["x", "y", "y", ""], "c": ["z"] * 4}), path)
    return path


def test_rows_of_a_file_are_read_again_by_column(stored: Path) -> None:
    rows = FileRows(stored, FileFormat(kind="parquet"))
    for _time in range(2):
        [batch] = columns_of(rows, ["b", "a"])
        assert batch.schema.names == ["b", "a"]
        assert batch.column("b").to_pylist() == ["x", "y", "y", None]
    [whole] = rows()
    assert whole.column_names == ["a", "b", "c"]
    assert [batch.column("a").to_pylist() for batch in columns_of(lambda: iter([whole]), ["a"])] == [
        ["1", "2", "2", None]
    ]


def test_counts_of_a_file_are_kept(stored: Path) -> None:
    rows = FileRows(stored, FileFormat(kind="parquet"))
    counted = counts_of(rows, ["a", "c"])
    stored.unlink()
    assert counts_of(rows, ["c", "a"]) == {name: counted[name] for name in ("c", "a")}
    assert counted["a"].counts.tolist() == [1, 2]
    assert counted["a"].missing == 1


def test_a_fault_in_any_column_is_found_when_a_file_is_first_read(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"a": ["x"] * 9, "b": ["y\0"] * 9}), path)
    rows = FileRows(path, FileFormat(kind="parquet"))
    for _time in range(2):
        with pytest.raises(EngineError, match="NUL"):
            list(rows.coded(["a"]))


def test_a_reading_that_is_left_early_ends(stored: Path) -> None:
    rows = FileRows(stored, FileFormat(kind="parquet"))
    reading = rows.coded(["a"])
    next(reading)
    reading.close()
    assert list(reading) == []
