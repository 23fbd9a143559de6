"""Typed cells as text: a column at a time says what one cell after the other says."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.tables.canonical import cell_text, cells_column, column_text

NUMBERS = [
    0.0, -0.0, 1.0, -2.5, 1e15, 1e15 - 1, -1e16, 1e22, 5e-324, 1e-4, 1e-5, 1 / 3, float("nan"), float("inf"), -float("inf"),
    *np.random.default_rng(2).integers(-(10**12), 10**12, 300).astype(float).tolist(),
    *(np.random.default_rng(3).normal(size=300) * 10.0 ** np.arange(-150, 150)).tolist(),
]  # fmt: skip
TEXTS = ["", "a", "1.0", " ", "李"]


@pytest.mark.parametrize(
    "cells",
    [
        NUMBERS, TEXTS, [*TEXTS, *NUMBERS], [None, *NUMBERS, None], [None, *TEXTS], [*TEXTS, None, *NUMBERS], [None], [],
        [True, 1, 2.5, "", datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2, 3), datetime.time(4, 5)],
    ],
)  # fmt: skip
def test_a_column_says_what_its_cells_say(cells: list[object]) -> None:
    assert cells_column(cells).to_pylist() == [cell_text(cell) for cell in cells]


FEW_DECIMALS = st.builds(
    lambda digits, places: digits / 10**places, st.integers(-(10**17), 10**17), st.integers(0, 8)
)


@given(
    st.lists(
        FEW_DECIMALS | st.integers(-(10**6), 10**6).map(lambda cents: cents / 100) | st.floats() | st.none()
    )
)
def test_decimal_numbers_of_a_column_are_spelled_as_each_by_itself(numbers: list[float | None]) -> None:
    """Short ones are written by other code than long ones."""
    assert column_text(pa.array(numbers, pa.float64())).to_pylist() == list(map(cell_text, numbers))
