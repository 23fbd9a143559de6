"""Typed cells as text: a column at a time says what one cell after the other says."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from techniques.tables.canonical import cell_text, cells_column

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
