"""Tables of statistics: every total is the sum of its parts, contributors count once, holdings together."""

from __future__ import annotations

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.families.statistical.tables.table import Dimension, tabulate
from tests.techniques.families.statistical.tables.tables import random_table


@pytest.mark.parametrize("seed", range(10))
def test_amounts_add_up_in_every_direction(seed: int) -> None:
    table = random_table(seed, negative=bool(seed % 2))
    for one in table.relations():
        assert table.values[one.total] == pytest.approx(table.values[list(one.parts)].sum())
    whole = np.flatnonzero([table.labels(cell) == ("*",) * len(table.shape) for cell in range(table.cells)])
    assert table.values[whole[0]] == pytest.approx(table.values.sum() - table.values[1:].sum())
    assert (table.largest[:, 0] >= table.largest[:, 1]).all()
    assert (table.absolute >= np.abs(table.values) - 1e-9).all()


def test_a_contributor_of_several_records_counts_once() -> None:
    """Five records of three companies, two of which are one holding."""
    town, branch = Dimension.flat("town", ["A", "B"]), Dimension.flat("branch", ["x", "y"])
    codes = [np.array([1, 1, 1, 2, 2]), np.array([1, 1, 2, 1, 1])]
    amounts = np.array([50.0, 20.0, 5.0, -30.0, 10.0])
    table = tabulate([town, branch], codes, amounts, np.array([0, 0, 1, 0, 2]))
    of = {table.labels(cell): cell for cell in range(table.cells)}
    assert table.values[of["*", "*"]] == 55
    assert table.contributors[[of["*", "*"], of["A", "x"], of["B", "x"], of["B", "y"]]].tolist() == [
        3,
        1,
        2,
        0,
    ]
    assert table.largest[of["*", "*"]].tolist() == [40, 10]
    assert table.largest[of["B", "x"]].tolist() == [30, 10]
    assert (table.values[of["B", "x"]], table.absolute[of["B", "x"]]) == (-20, 40)
    assert (table.alone[of["A", "x"]], table.alone[of["A", "y"]], table.alone[of["B", "x"]]) == (0, 1, -1)
    with pytest.raises(EngineError, match="do not add up"):
        tabulate([town, branch], codes, None, np.array([0, 0, 1, 0, 2]))
    counted = tabulate([town, branch], codes, None, np.array([0, 0, 1, 2, 2]))
    assert counted.values[[of["A", "*"], of["B", "*"], of["*", "*"]]].tolist() == [2, 1, 3]


def test_groups_of_a_hierarchy_stand_between_values_and_the_total() -> None:
    rows = [["north east", "north", "all"], ["north west", "north", "all"], ["south", "south", "all"]]
    dimension, leaf = Dimension.of_rows("region", rows)
    assert dimension.labels == ("all", "north", "north east", "north west", "south")
    assert dimension.parent == (-1, 0, 1, 1, 0)
    assert leaf == {"north east": 2, "north west": 3, "south": 4}
    table = tabulate([dimension], [np.array([2, 2, 3, 4])], np.array([1.0, 2, 4, 8]), None)
    assert table.values.tolist() == [15, 7, 3, 4, 8]
    assert [(one.total, one.parts) for one in table.relations()] == [(0, (1, 4)), (1, (2, 3))]


def test_what_is_no_tree_and_what_is_too_large_is_refused() -> None:
    with pytest.raises(EngineError, match="no tree"):
        Dimension("a", ("x", "y"), (-1, 1))
    large = Dimension.flat("a", [str(place) for place in range(1100)])
    with pytest.raises(EngineError, match="cells"):
        tabulate([large, large], [np.array([1]), np.array([1])], None, None)
