"""Conditions where there is next to nothing: two values, one value, values that are unknown and not missing in the table."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from techniques.models.conditions.judging import KINDS, all_hold
from techniques.models.conditions.values import Condition, Requirements, Tree


def holds(kind: str, limit: float, histogram: list[int], shares: list[float], rows: float = 1000, *, missing: bool = False,
          factor: float = 0.0) -> bool:  # fmt: skip
    """Of a class with so many rows of each value, in a table with these ``shares``; the first value is missing or not."""
    one = SimpleNamespace(
        conditions=[Condition(KINDS.index(kind), limit, factor)], size=len(shares), missing=missing, rows=float(rows),
        reference=np.array(shares), tree=Tree.flat(len(shares)), levels=np.arange(len(shares)),
    )  # fmt: skip
    return bool(all_hold(np.array(histogram), sum(histogram), Requirements.of([one])))


@pytest.mark.parametrize("kind", ["equal", "ordered", "hierarchical"])
def test_of_two_values_every_distance_is_that_of_their_shares(kind: str) -> None:
    """10 of 12 against a half: a third."""
    assert holds(kind, 0.34, [10, 2], [0.5, 0.5])
    assert not holds(kind, 0.33, [10, 2], [0.5, 0.5])
    assert holds(kind, 0.34, [2, 10], [0.5, 0.5])
    assert not holds(kind, 0.33, [2, 10], [0.5, 0.5])


def test_of_one_value_every_class_is_as_the_table() -> None:
    for kind in ("equal", "ordered", "hierarchical", "likeness"):
        assert holds(kind, 0.0, [7], [1.0])
    assert holds("distinct", 1, [7], [1.0])
    assert not holds("distinct", 2, [7], [1.0])


def test_by_order_values_far_apart_differ_more_than_neighbours() -> None:
    """Four values: half of the mass by one step of three, or by all three."""
    assert holds("ordered", 0.17, [0, 2, 1, 1], [0.5, 0.0, 0.25, 0.25])
    assert not holds("ordered", 0.16, [0, 2, 1, 1], [0.5, 0.0, 0.25, 0.25])
    assert holds("ordered", 0.51, [0, 1, 1, 2], [0.5, 0.25, 0.25, 0.0])
    assert not holds("ordered", 0.49, [0, 1, 1, 2], [0.5, 0.25, 0.25, 0.0])


@pytest.mark.parametrize(
    ("histogram", "limit", "kept"),
    [
        # One of ten unknown: a value of four, or one that is not there, may be five of ten against a half, or one of ten.
        ([1, 5, 4], 0.2, True),
        ([1, 5, 4], 0.1, False),
        ([4, 3, 3], 0.4, True),
        ([4, 3, 3], 0.39, False),
        ([0, 5, 5], 0.0, True),
    ],
)
def test_who_has_several_values_is_unknown_though_nothing_is_missing(
    histogram: list[int], limit: float, kept: bool
) -> None:
    """Of persons: the table has no missing value, and those unknown in a class weigh nothing elsewhere."""
    assert holds("likeness", limit, histogram, [0.0, 0.5, 0.5], np.inf, missing=True) is kept


def test_unknown_values_that_the_table_has_are_a_value_too() -> None:
    """A tenth of the table is missing: three of ten are three times that."""
    shares = [0.1, 0.45, 0.45]
    assert holds("likeness", 2.0, [3, 4, 3], shares, missing=True)
    assert not holds("likeness", 1.99, [3, 4, 3], shares, missing=True)
    # All of a class unknown: as a value that the table has, ten times; as the rarest of the others 1 / (0.45 + 10/1000).
    assert not holds("likeness", 8.99, [10, 0, 0], shares, missing=True)
    assert holds("likeness", 9.0, [10, 0, 0], shares, missing=True)
    assert holds("likeness", 0.0, [5], [1.0], missing=True)


@pytest.mark.parametrize(
    ("histogram", "limit", "factor", "kept"),
    [
        ([6, 4], 0.6, 0, True),
        ([6, 4], 0.59, 0, False),
        ([3, 3, 4], 0.4, 0, True),
        ([3, 3, 4], 0.4, 3, True),
        ([3, 3, 4], 0.39, 3, False),
    ],
)
def test_the_most_frequent_value_or_level_has_no_more_than_its_share(
    histogram: list[int], limit: float, factor: float, kept: bool
) -> None:
    shares = [1 / len(histogram)] * len(histogram)
    assert holds("share", limit, histogram, shares, factor=factor) is kept


@pytest.mark.parametrize(
    ("histogram", "place", "c", "kept"),
    [
        ([4, 2, 2], 2, 1.01, True), ([4, 2, 2], 2, 1.0, False), ([4, 2, 2], 3, 2.01, True), ([4, 2, 2], 3, 2.0, False),
        ([4, 0, 2], 2, 2.01, True), ([4, 0, 2], 3, 99, False), ([3, 3, 3], 1, 0.34, True), ([3, 3, 3], 1, 0.33, False),
    ],
)  # fmt: skip
def test_the_most_frequent_value_is_outweighed_by_those_from_the_l_th_on(
    histogram: list[int], place: int, c: float, kept: bool
) -> None:
    """r1 < c (r_l + … + r_m)."""
    assert holds("recursive", place, histogram, [1 / 3] * 3, factor=c) is kept


@pytest.mark.parametrize(
    ("histogram", "limit", "kept"),
    [
        ([5, 5], 2.0, True),
        ([5, 5], 2.01, False),
        ([9, 1], 1.38, True),
        ([9, 1], 1.39, False),
        ([5, 0], 1.0, True),
    ],
)
def test_variety_by_entropy_is_that_of_equally_frequent_values(
    histogram: list[int], limit: float, kept: bool
) -> None:
    """exp(-0.9 ln 0.9 - 0.1 ln 0.1) = 1.384."""
    assert holds("entropy", limit, histogram, [0.5, 0.5]) is kept
