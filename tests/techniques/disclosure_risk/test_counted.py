"""Measures of rows that stand for several each, against the same rows one by one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.disclosure_risk.measure import measure
from techniques.disclosure_risk.subsets import subsets
from techniques.disclosure_risk.variety import variety

CELLS = st.sampled_from([None, "", "a", "b", "*"])
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS, st.integers(1, 4)), min_size=1, max_size=25)
QI = ["x", "y"]


def batch(rows: list[tuple[object, ...]]) -> pa.RecordBatch:
    columns = [pa.array([row[place] for row in rows], pa.string()) for place in range(3)]
    return pa.RecordBatch.from_arrays(columns, names=[*QI, "s"])


@given(ROWS)
def test_a_row_that_stands_for_several_counts_as_often(rows: list[tuple[object, ...]]) -> None:
    counted = batch(rows)
    counts = np.array([row[3] for row in rows])
    each = batch([row for row in rows for _ in range(int(row[3]))])  # type: ignore[call-overload]
    for suppressed in ("own_class", "left_out"):
        assert measure([counted], QI, suppressed=suppressed, counts=counts) == measure(
            [each], QI, suppressed=suppressed
        )
        found = subsets([counted], QI, suppressed, counts)
        expected = subsets([each], QI, suppressed)
        assert (found.rows, found.by_mask) == (expected.rows, expected.by_mask)
        assert found.contribution == pytest.approx(expected.contribution)
    found_s = variety([counted], QI, ["s"], left_out=False, counts=counts)["s"]
    expected_s = variety([each], QI, ["s"], left_out=False)["s"]
    assert found_s.pop("formulas") == expected_s.pop("formulas")
    assert found_s.pop("recursive") == pytest.approx(expected_s.pop("recursive"))
    assert found_s == pytest.approx(expected_s)
