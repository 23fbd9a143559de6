"""Rounded tables add up, stay near, and change as little as can be."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from techniques.families.statistical.tables.rounding import audit_rounding, round_table
from techniques.families.statistical.tables.sensitivity import SensitivityRules, sensitive_cells
from techniques.families.statistical.tables.suppression import needs_of
from techniques.families.statistical.tables.table import Dimension, tabulate
from tests.techniques.families.statistical.tables.tables import random_table


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("base", [3, 10])
def test_multiples_next_to_the_values_add_up(seed: int, base: int) -> None:
    table = random_table(seed)
    found = round_table(table, base)
    assert (np.mod(found.values, base) == 0).all()
    assert found.steps == 1
    assert (np.abs(found.values - table.values) < base).all()
    unmoved = np.mod(table.values, base) == 0
    assert (found.values[unmoved] == table.values[unmoved]).all()
    for one in table.relations():
        assert found.values[one.total] == found.values[list(one.parts)].sum()


def test_no_other_rounding_changes_less() -> None:
    dimensions = [Dimension.flat("a", ["1", "2"]), Dimension.flat("b", ["1", "2"])]
    table = tabulate(
        dimensions, [np.array([1, 1, 2, 2]), np.array([1, 2, 1, 2])], np.array([4.0, 1, 7, 8]), None
    )
    found = round_table(table, 5)
    inner = [place for place in range(9) if "*" not in table.labels(place)]
    least = np.inf
    for moves in product((0, 1), repeat=4):
        values = np.zeros(9)
        values[inner] = table.values[inner] // 5 * 5 + 5 * np.array(moves)
        grid = values.reshape(3, 3)
        grid[1:, 0], grid[0, 1:] = grid[1:, 1:].sum(axis=1), grid[1:, 1:].sum(axis=0)
        grid[0, 0] = grid[1:, 0].sum()
        if (np.abs(values - table.values) < 5).all():
            least = min(least, float(np.abs(values - table.values).sum()))
    assert np.abs(found.values - table.values).sum() == pytest.approx(least)


def test_a_wide_base_protects_and_a_narrow_one_does_not() -> None:
    table = random_table(4, counts=True)
    sensitive = sensitive_cells(table, SensitivityRules(minimum_contributors=3), counts=True)
    needs = [need for need in needs_of(table, sensitive, nonnegative=True) if not need.known]
    assert needs
    assert audit_rounding(table, needs, round_table(table, 1))
    assert not audit_rounding(table, needs, round_table(table, 9))


def test_whole_amounts_leave_less_open() -> None:
    """Rows that are counted are whole numbers as persons are: a multiple of 1 is the number itself."""
    dimensions = [Dimension.flat("a", ["1", "2"]), Dimension.flat("b", ["1", "2"])]
    codes = [np.array([1, 2, 2, 2]), np.array([1, 1, 2, 2])]
    table = tabulate(dimensions, codes, np.ones(4), None)
    assert table.whole
    sensitive = sensitive_cells(table, SensitivityRules(minimum_contributors=3), counts=False)
    needs = needs_of(table, sensitive, nonnegative=True)
    assert {need.distance for need in needs} == {1.0}
    assert audit_rounding(table, needs, round_table(table, 1))
    outsiders = [need for need in needs if not need.known]
    assert not audit_rounding(table, outsiders, round_table(table, 5))
