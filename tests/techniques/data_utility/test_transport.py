"""The first Wasserstein distance, against hand-made figures, a plain sum over a fine grid, and its laws."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.data_utility.measure import assess
from techniques.data_utility.transport import Mixture, wasserstein


def moved(before: list[str], after: list[str], tree: dict[str, list[str]] | None = None) -> float | None:
    tables = [[pa.record_batch({"a": pa.array(cells)})] for cells in (before, after)]
    return assess((), *tables, hierarchies={"a": tree} if tree else None)[1][0].wasserstein


@pytest.mark.parametrize(
    ("before", "after", "distance"),
    [
        (["0", "10"], ["10", "0"], 0.0),
        (["0", "10"], ["0", "20"], 0.5),  # one of two cells by 10, of a range of 10
        (["0", "10"], ["0", ""], 0.5),
        (["0", "4"], ["[0,4]", "[0,4]"], 0.25),  # each half of the mass lies 1 away on average
        (["0", "4"], ["*", "*"], 0.25),
        (["0", "4"], [">=0", ">=0"], 0.25),
        (["2", "6"], ["[0,4]", "[4,8]"], 1 / 4),  # by their bounds, though the source begins at 2
        (["2", "6"], ["<=4", ">=4"], 1 / 4),  # open ends reach to 2 and to 6
        (["2", "2", "6"], ["[0,4]", "[0,4]", "6"], 2 / 3 * 1 / 4),
        (["0", "2", "4"], ["{0;4}", "{0;4}", "{0;4}"], 1 / 6),
        (["5", "5"], ["5", "5"], 0.0),
        (["5", "5"], ["6", "6"], None),
        (["a", "b"], ["a", "b"], None),
        (["0", "10"], ["few", "few"], None),
    ],
)
def test_by_hand(before: list[str], after: list[str], distance: float | None) -> None:
    assert moved(before, after) == (None if distance is None else pytest.approx(distance, abs=1e-9))


def test_a_label_of_a_hierarchy_lies_where_its_leaves_are() -> None:
    tree = {"0": ["few", "*"], "4": ["few", "*"], "10": ["many", "*"]}
    assert moved(["0", "4", "10"], ["few", "few", "many"], tree) == pytest.approx(0.0, abs=1e-12)
    assert moved(["0", "0", "10"], ["few", "few", "many"], tree | {"0": ["few", "*"]}) == pytest.approx(0.0)


PARTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 6), st.integers(1, 5)), min_size=1, max_size=6)


def mixture(parts: list[tuple[int, int, int]]) -> Mixture:
    low, width, weight = np.array(parts, dtype=float).T
    return Mixture(low, low + width, weight / weight.sum())


def above(one: Mixture, places: np.ndarray) -> np.ndarray:
    """Cumulative distribution, part by part."""
    total = np.zeros(len(places))
    for low, high, weight in zip(one.low, one.high, one.weight, strict=True):
        share = (places >= low) if low == high else np.clip((places - low) / (high - low), 0, 1)
        total += weight * share
    return total


@settings(max_examples=60, deadline=None)
@given(PARTS, PARTS, PARTS)
def test_laws_of_a_distance(a: list[tuple[int, int, int]], b: list[tuple[int, int, int]], c: list[tuple[int, int, int]]) -> None:  # fmt: skip
    one, two, three = mixture(a), mixture(b), mixture(c)
    found = wasserstein(one, two)
    grid = np.arange(0, 19, 1 / 512) + 1 / 1024
    assert found == pytest.approx(np.abs(above(one, grid) - above(two, grid)).sum() / 512, abs=2e-3)
    assert wasserstein(one, one) == pytest.approx(0.0, abs=1e-12)
    assert found == pytest.approx(wasserstein(two, one), abs=1e-12)
    assert 0 <= found <= wasserstein(one, three) + wasserstein(three, two) + 1e-9
