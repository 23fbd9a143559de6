"""Columns that nearly tell rows apart, from their cells and from the counts of their values."""

from __future__ import annotations

import pyarrow as pa
import pytest

from techniques.identification.traces.telling import rare_columns, telling
from techniques.tables.dictionary import count_values, encode_columns


@pytest.mark.parametrize("rows", [0, 1, 10, 19, 20, 300])
@pytest.mark.parametrize("alike", [2, 5])
def test_counts_tell_what_cells_do(rows: int, alike: int) -> None:
    whole = range(rows)
    columns = {
        "each": [f"x{n}" for n in whole],
        "pairs": [f"x{n // 2}" for n in whole],
        "fives": [f"x{n // 5}" for n in whole],
        "half": [f"x{n}" if n % 2 else "x" for n in whole],
        "sparse": [f"x{n}" if n % 40 == 0 else None for n in whole],
        "one": ["x"] * rows,
        "none": [None] * rows,
    }
    batch = pa.record_batch([pa.array(cells, pa.string()) for cells in columns.values()], names=list(columns))
    found = rare_columns(count_values([batch], list(columns)), alike)
    assert found == telling(encode_columns([batch], list(columns)), alike)
    assert rows < 300 or {one.column for one in found} >= {"each", "half", "sparse"}
