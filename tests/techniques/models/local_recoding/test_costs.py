"""What a class covers, what that costs a row, and how it is written: each kind of column by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Table
from techniques.models.local_recoding.costs import class_costs, covering
from techniques.models.local_recoding.shapes import Shape, costs_of, free, of_hierarchy, whole_cost

MANY = [str(x) for x in range(1600)]
"""More numbers than a table of costs holds."""
TREE = [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"], ["d", "y", "*"], ["e", "y", "*"]]


def tree(missing: bool, **levels: int) -> Shape:
    values = pa.array([row[0] for row in TREE])
    return of_hierarchy(build(Table(kind="table", rows=TREE), values), missing, "q", **levels)


def cost(shapes: list[Shape], held: list[list[int]], ncp: bool, weights: list[float] | None = None) -> float:
    """Of one class of rows with these codes, each column's by the order of ``shapes``."""
    places = np.array(
        [[s.place[code] for s, code in zip(shapes, row, strict=True)] for row in held], np.uint32
    )
    costs = costs_of(shapes, weights or [1.0] * len(shapes), ncp)
    extents = covering(costs.columns, places, np.zeros(len(held), np.int64), 1)
    return float(class_costs(costs, extents)[0])


@pytest.mark.parametrize(
    ("values", "missing", "codes", "wanted", "label"),
    [
        # Codes are those of a dictionary, 0 a missing value.
        (["3", "11", "1", "4"], False, [1, 4], 0.1, "[3,4]"),
        (["3", "11", "1", "4"], False, [2, 3, 1], 1.0, "[1,11]"),
        (["3", "11", "1", "4"], False, [2, 4], 0.7, "[4,11]"),
        (["3", "11", "1", "4"], False, [2], 0.0, "11"),
        (["3", "11", "1", "4"], True, [0], 0.0, None),
        (["3", "11", "1", "4"], True, [0, 1], 1.0, "*"),
        (["5"], True, [1], 0.0, "5"),
        (MANY, False, [11, 1], 10 / 1599, "[0,10]"),
        (MANY, False, [21, 11], 10 / 1599, "[10,20]"),
        (MANY, True, [0, 3], 1.0, "*"),
        (MANY, True, [3], 0.0, "2"),
        (MANY, True, [0], 0.0, None),
        (["b", "c", "a"], False, [1, 3], 2 / 3, "{a;b}"),
        (["b", "c", "a"], False, [1, 2, 3], 1.0, "{a;b;c}"),
        (["b", "c", "a"], True, [0, 2], 2 / 4, "{;c}"),
        (["b", "c", "a"], True, [2], 0.0, "c"),
        (["b", "c", "a"], True, [0], 0.0, None),
    ],
)  # fmt: skip
def test_columns_without_hierarchy(
    values: list[str], missing: bool, codes: list[int], wanted: float, label: str | None
) -> None:
    """Numbers by their share of the range, sets by their share of the values; penalty and cost are the same."""
    shape = free(pa.array(values), missing)
    assert cost([shape], [[code] for code in codes], True) == pytest.approx(wanted)
    places = [int(shape.place[code]) for code in codes]
    is_set = "a" in values
    first = sum(1 << place for place in places) if is_set else min(places)
    last = first if is_set else max(places)
    assert shape.labels(np.array([first]), np.array([last])) == [label]
    assert shape.penalty(np.array([first]), np.array([last])).tolist() == pytest.approx([wanted])


@pytest.mark.parametrize(
    ("codes", "under", "label"),
    [([1], 1, "a"), ([1, 2], 2, "x"), ([3, 5], 3, "y"), ([2, 3], 5, "*"), ([0], 1, None), ([0, 4], 6, "*")],
)
def test_columns_with_a_hierarchy(codes: list[int], under: int, label: str | None) -> None:
    """The share of leaves under the common ancestor: less that of one leaf, or nothing for a value that is kept."""
    missing = 0 in codes
    shape, leaves = tree(missing), 5 + missing
    assert cost([shape], [[code] for code in codes], False) == pytest.approx((under - 1) / leaves)
    assert cost([shape], [[code] for code in codes], True) == pytest.approx(
        under / leaves if under > 1 else 0
    )
    first, last = (np.array([take(int(shape.place[code]) for code in codes)]) for take in (min, max))
    assert shape.labels(first, last) == [label]
    assert shape.under(first, last).tolist() == [under]


def test_levels_that_are_allowed() -> None:
    assert cost([tree(False, lowest=1)], [[1], [1]], False) == pytest.approx(1 / 5), "no value is told"
    assert cost([tree(False, highest=1)], [[1], [2]], False) == pytest.approx(1 / 5)
    assert cost([tree(False, highest=1)], [[1], [3]], False) == np.inf, (
        "nothing covers what is never put together"
    )


def test_columns_add_up_by_their_weights() -> None:
    shapes = [free(pa.array(["1", "3", "5"]), False), free(pa.array(["b", "c", "a"]), False), tree(False)]
    held = [[1, 1, 1], [2, 3, 2]]
    assert cost(shapes, held, True, [1.0, 3.0, 0.5]) == pytest.approx(1 / 2 + 3 * 2 / 3 + 0.5 * 2 / 5)
    assert whole_cost(shapes, [1.0, 3.0, 0.5], True) == pytest.approx(4.5)
    assert whole_cost(shapes, [1.0, 3.0, 0.5], False) == pytest.approx(2 / 3 + 3 * 2 / 3 + 0.5 * 4 / 5)


def test_a_class_that_nothing_is_in_covers_nothing_and_no_class_is_passed_over() -> None:
    shape = free(pa.array(["1", "3", "5"]), False)
    costs = costs_of([shape], [1.0], True)
    extents = covering(costs.columns, np.array([[1], [3], [2]], np.uint32), np.array([1, -1, 1]), 2)
    assert (extents.first.tolist(), extents.last.tolist()) == ([[0], [1]], [[0], [2]])


@pytest.mark.parametrize("many", [False, True])
def test_the_place_of_a_number_on_the_scale_starts_at_the_least(many: bool) -> None:
    """From 10 to 50, the second a quarter and the third three quarters on; of numbers of either sign too."""
    more = [str(20 + number / 100) for number in range(2000)] if many else []
    for values in (
        ["10", "20", "40", "50", *more],
        ["-30", "-20", "0", "10", *(f"-{19 - number / 200}" for number in range(3000) if many)],
    ):
        shape = free(pa.array(values), False)
        places = [int(shape.place[code]) for code in (1, 2, 3, 4)]
        assert shape.position[places].tolist() == pytest.approx([0, 0.25, 0.75, 1])
        for codes, wanted in (([1, 2], 0.25), ([2, 3], 0.5), ([1, 4], 1.0), ([3, 4], 0.25), ([2], 0.0)):
            assert cost([shape], [[code] for code in codes], True) == pytest.approx(wanted)
            ends = [int(shape.place[code]) for code in codes]
            assert shape.penalty(np.array([min(ends)]), np.array([max(ends)])).tolist() == pytest.approx(
                [wanted]
            )
