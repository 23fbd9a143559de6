"""Why a cell is hidden, how closely it can be bounded, and what that costs."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest

from techniques.families.statistical.tables.explanation import intervals, loss_of, protected_by, room_of
from techniques.families.statistical.tables.files import table_read
from techniques.families.statistical.tables.release import release
from techniques.families.statistical.tables.sensitivity import SensitivityRules
from techniques.families.statistical.tables.suppression import audit
from tests.techniques.families.statistical.tables.tables import random_table

RULES = SensitivityRules.model_validate({"p_percent": 20, "minimum_contributors": 3})


def small():
    """Persons by town and sex: one cell below 3, so three others are hidden with it."""
    text = "town,sex,value\nA,f,2\nA,m,9\nB,f,8\nB,m,7\n"
    table, _decimals = table_read(StringIO(text), counts=True, trees={}, total="Total", ranks=2)
    return release(table, SensitivityRules(minimum_contributors=3), counts=True, loss="values")


def test_each_hidden_cell_says_whom_it_protects():
    found = small()
    labels = found.table.labels
    (primary,) = np.flatnonzero(found.primary)
    assert labels(int(primary)) == ("A", "f")
    assert found.sensitive.broken(int(primary)) == ["minimum_contributors"]
    asked = protected_by(found)
    # By hand: without any one of the others the cell is what its row, its column or the rest leaves.
    assert {labels(cell) for cell in asked} == {("A", "m"), ("B", "f"), ("B", "m")}
    assert set(asked.values()) == {(primary,)}


def test_the_interval_is_what_the_totals_leave():
    found = small()
    between = {found.table.labels(cell): (one.low, one.high) for cell, one in intervals(found).items()}
    # A,f + A,m = 11, A,f + B,f = 10, B,f + B,m = 15: A,f between 0 and 10, and B,m = 5 + A,f.
    assert between["A", "f"] == pytest.approx((0, 10))
    assert between["B", "m"] == pytest.approx((5, 15))


# Table 5 has a cell that no hiding protects.
@pytest.mark.parametrize("seed", [*range(5), *range(6, 13)])
def test_each_answer_agrees_with_the_audit(seed):
    """Room below 1 is what the audit finds open; a cell in the pattern of an optimum is needed; intervals hold the value."""
    found = release(random_table(seed), RULES, counts=False)
    assert not found.open_cells
    assert all(room >= 1 - 1e-6 for room in room_of(found).values())
    for cell, asked in protected_by(found).items():
        assert asked, "an optimum hides nothing without need"
        shown = found.hidden.copy()
        shown[cell] = False
        broken = audit(found.table, found.needs, shown, nonnegative=True)
        assert {need.cell for need, _reach in broken} == set(asked)
    for cell, one in intervals(found).items():
        value = found.table.values[cell]
        assert one.low is None or one.low <= value + 1e-6
        assert one.high is None or one.high >= value - 1e-6


def test_room_below_one_is_an_open_cell():
    """Rounded to tens, a cell of 2 cannot be told from 0 to 9; to a base of 2 it can."""
    table, _decimals = table_read(
        StringIO("town,sex,value\nA,f,2\nA,m,9\nB,f,8\nB,m,7\n"),
        counts=True,
        trees={},
        total="Total",
        ranks=2,
    )
    found = release(table, SensitivityRules(minimum_contributors=8), counts=True, base=2)
    room = room_of(found)
    assert found.open_cells
    assert set(found.open_cells) == {cell for cell, one in room.items() if one < 1 - 1e-6}


def test_a_small_cell_beside_large_ones_is_bounded():
    text = "town,sex,value\nA,f,1\nA,m,900000\nB,f,800000\nB,m,700000\n"
    table, _decimals = table_read(StringIO(text), counts=True, trees={}, total="Total", ranks=2)
    found = release(table, SensitivityRules(minimum_contributors=3), counts=True, loss="values")
    between = {found.table.labels(cell): (one.low, one.high) for cell, one in intervals(found).items()}
    assert between["A", "f"] == pytest.approx((0, 800001))


def test_what_was_lost():
    loss = loss_of(small())
    assert (loss.cells, loss.hidden, loss.share) == (9, 4, 1.0)
    table, _decimals = table_read(
        StringIO("town,value\nA,11\nB,19\n"), counts=True, trees={}, total="Total", ranks=2
    )
    rounded = loss_of(release(table, SensitivityRules(minimum_contributors=3), counts=True, base=10))
    assert (rounded.hidden, rounded.most_change) == (0, 1.0)
    assert rounded.mean_change == pytest.approx(2 / 3)
