"""How columns vary together, in one pass, against numpy over the whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques.data_utility.covariances import together


def batches(columns: dict[str, list[Any]], size: int) -> list[pa.RecordBatch]:
    texts = {name: [None if one is None else str(one) for one in values] for name, values in columns.items()}
    return pa.table(texts).to_batches(max_chunksize=size)


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_figures_are_those_of_numpy_however_the_rows_are_read(size: int, shift: float) -> None:
    chance = np.random.default_rng(3)
    x, noise = chance.normal(size=500), chance.normal(size=(2, 500))
    values = np.round(np.array([x, 2 * x + noise[0], noise[1]]) + shift, 6)
    names = ["x", "y", "z"]
    found = together(batches(dict(zip(names, values.tolist(), strict=True)), size), names)
    assert [one.columns for one in found] == [("x", "y"), ("x", "z"), ("y", "z")]
    covariances, correlations = np.cov(values), np.corrcoef(values)
    for one in found:
        place = tuple(names.index(name) for name in one.columns)
        assert one.covariance == pytest.approx(covariances[place], rel=1e-6, abs=1e-6)
        assert one.correlation == pytest.approx(correlations[place], rel=1e-6, abs=1e-6)


def test_a_pair_is_measured_in_the_rows_in_which_both_are_numbers() -> None:
    content = {"x": [None, "*", 1, 2, 3, 4], "y": [1, 9, 2, 4, 6, None], "z": ["a", "b", None, None, 7, 8]}
    of = {one.columns: one for one in together(batches(content, 2), ["x", "y", "z"])}
    assert of["x", "y"].covariance == pytest.approx(2.0)
    assert of["x", "y"].correlation == pytest.approx(1.0)
    assert of["x", "z"].correlation == pytest.approx(1.0)
    assert of["y", "z"].covariance is None
    assert of["y", "z"].correlation is None


def test_a_column_that_is_always_the_same_has_a_covariance_and_no_correlation() -> None:
    (one,) = together(batches({"x": [5, 5, 5], "y": [1, 2, 3]}, 3), ["x", "y"])
    assert (one.covariance, one.correlation) == (0.0, None)


def test_a_column_without_a_number_in_the_first_batch_keeps_its_digits() -> None:
    """Seconds since 1970 that are first missing: their squares alone would leave nothing of a deviation of 1."""
    chance = np.random.default_rng(7)
    x = chance.normal(size=400).round(6)
    y = (x + chance.normal(size=400)).round(6)
    late = [None] * 100 + [f"{1.7e9 + one:.6f}" for one in y[100:]]
    (one,) = together(batches({"x": x.tolist(), "y": late}, 100), ["x", "y"])
    assert one.correlation == pytest.approx(np.corrcoef(x[100:], y[100:])[0, 1], rel=1e-5)
    assert one.covariance == pytest.approx(np.cov(x[100:], y[100:])[0, 1], rel=1e-5)


def test_a_column_that_is_the_same_beside_the_other_has_no_correlation_whatever_it_is_elsewhere() -> None:
    """What differs stands where the other column is no number, so sums are taken near another number."""
    chance = np.random.default_rng(9)
    for _draw in range(300):
        same = chance.normal(50, 20)
        x = [same if row % 3 else chance.normal(50, 20) for row in range(40)]
        y = [chance.normal() if row % 3 else None for row in range(40)]
        (one,) = together(batches({"x": x, "y": y}, int(chance.integers(1, 41))), ["x", "y"])
        assert (one.covariance, one.correlation) == (0.0, None)


def test_without_rows_there_are_no_figures() -> None:
    (one,) = together([], ["x", "y"])
    assert (one.covariance, one.correlation) == (None, None)
