"""Several tables of the same data, read together: against a program over the records' own cells, which are in no table."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.families.statistical.tables.explanation import intervals, protected_by, room_of
from techniques.families.statistical.tables.joint import Joint, Published, addresses
from techniques.families.statistical.tables.release import ReleasedTable, release
from techniques.families.statistical.tables.sensitivity import SensitivityRules
from techniques.families.statistical.tables.solver import program
from techniques.families.statistical.tables.table import Dimension, StatisticalTable, tabulate

RULES = SensitivityRules(minimum_contributors=3)
FLAT = {name: Dimension.flat(name, [f"{name}{place}" for place in range(3)]) for name in "abc"}


def records(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {name: rng.choice([1, 2, 3], 36, p=[0.1, 0.3, 0.6]) for name in FLAT}


def counted(codes: dict[str, np.ndarray], columns: str) -> StatisticalTable:
    return tabulate([FLAT[one] for one in columns], [codes[one] for one in columns], None, None)


def out(found: ReleasedTable) -> Published:
    if found.moved is not None:
        return Published(found.table, *found.moved, found.sensitive)
    return Published.hiding(found.table, found.hidden, found.sensitive)


def broken_by(found: list[ReleasedTable]) -> int:
    """How many sensitive cells a reader of all these tables bounds too closely, who knows that each cell is a sum of counts over the
    three columns."""
    shape = [3, 3, 3]
    places = np.arange(27).reshape(shape)
    solver = program()
    solver.addVars(27, np.zeros(27), np.full(27, np.inf))
    inside = {}
    for number, one in enumerate(found):
        axes = ["abc".index(dimension.name) for dimension in one.table.dimensions]
        for cell, labels in enumerate(product(*(range(4) for _axis in axes))):
            index: list[slice | int] = [slice(None)] * 3
            for axis, label in zip(axes, labels, strict=True):
                if label:
                    index[axis] = label - 1
            parts = np.ravel(places[tuple(index)]).astype(np.int32)
            inside[number, cell] = parts
            value = one.table.values[cell]
            if not one.hidden[cell]:
                lower, upper = (0.0, 0.0) if one.moved is None else (one.moved[0][cell], one.moved[1][cell])
                solver.addRow(value + lower, value + upper, len(parts), parts, np.ones(len(parts)))
    worse = 0
    for number, one in enumerate(found):
        for cell in np.flatnonzero(one.primary).tolist():
            cost = np.zeros(27)
            cost[inside[number, cell]] = -1.0
            solver.changeColsCost(27, np.arange(27, dtype=np.int32), cost)
            solver.run()
            most = -solver.getInfo().objective_function_value
            least = one.table.values[cell] + one.sensitive.distance[cell]
            worse += solver.getModelStatus().name == "kOptimal" and most < least - 1e-6
    return worse


def test_equal_cells_are_found_by_what_they_are_about() -> None:
    tree, leaf = Dimension.of_rows("a", [["a0", "low"], ["a1", "low"], ["a2", "high"]], "All")
    codes = np.array([leaf["a0"], leaf["a1"], leaf["a2"], leaf["a2"]])
    grouped = tabulate([tree], [codes], None, None)
    about = dict(zip(tree.labels, addresses(grouped), strict=True))
    assert about["All"] == frozenset()
    assert about["low"] == {("a", frozenset(["a0", "a1"]))}
    assert about["high"] == about["a2"] == {("a", frozenset(["a2"]))}
    flat = tabulate([FLAT["a"], FLAT["b"]], [np.array([1, 2, 3, 3]), np.array([1, 1, 2, 3])], None, None)
    joint = Joint(grouped, [Published.hiding(flat, np.zeros(flat.cells, dtype=np.bool_), _none(flat))])
    # Its four values and totals of the column are the grouped table's; the rest is its own.
    assert joint.cells == grouped.cells + flat.cells - 4
    # What is equal in the own table already hangs together there by its totals.
    still = {tree.labels[cell] for cell in range(grouped.cells) if joint.upper[cell] == np.inf}
    assert still == {"low", "a2"}


def _none(table: StatisticalTable) -> object:
    return release(table, SensitivityRules(minimum_contributors=2), counts=True, nonnegative=True).sensitive


@pytest.mark.parametrize("columns", [("ab", "ac"), ("ab", "ac", "bc"), ("abc", "ab"), ("ab", "a", "b")])
def test_no_sensitive_cell_of_any_table_is_told_by_all_of_them(columns: tuple[str, ...]) -> None:
    """Whatever was made beside what is out holds for a reader of everything; made by themselves the same tables do not always."""
    fired = made = 0
    for seed in range(5):
        codes = records(seed)
        together: list[ReleasedTable] = []
        apart: list[ReleasedTable] = []
        cube = Published.nowhere(counted(codes, "abc"))
        try:
            for one in columns:
                published = [*map(out, together), cube] if together else []
                together.append(release(counted(codes, one), RULES, counts=True, published=published))
                apart.append(release(counted(codes, one), RULES, counts=True))
        except EngineError:
            continue  # no choice of cells hides what this one asks for
        made += 1
        assert not any(one.open_cells for one in together)
        assert broken_by(together) == 0
        fired += broken_by(apart) > 0
        last = together[-1]
        assert {one.code for one in last.statements} >= {"closed", "jointly"}
        assert all(room >= 1 - 1e-6 for room in room_of(last).values())
        for cell, between in intervals(last).items():
            assert between.low is not None
            assert between.low <= last.table.values[cell] + 1e-6
    assert made >= 2
    assert fired or columns == ("ab", "a", "b")


def test_what_is_hidden_for_another_table_names_its_cell() -> None:
    named = 0
    for seed in range(5):
        codes = records(seed)
        first = release(counted(codes, "ab"), RULES, counts=True)
        second = release(counted(codes, "ac"), RULES, counts=True, published=[out(first)])
        for asked in protected_by(second).values():
            for cell in asked or ():
                if cell >= second.table.cells:
                    assert second.joint.owners(cell) == [0]
                    named += 1
    assert named


def test_rounded_tables_are_read_together_too() -> None:
    """What is hidden here is bounded by what a rounded table says of it."""
    codes = {
        "a": np.repeat([1, 2, 3], [2, 33, 40]),
        "b": np.ones(75, dtype=np.int64),
        "c": np.ones(75, dtype=np.int64),
    }
    rules = SensitivityRules(minimum_contributors=6)
    first = release(counted(codes, "a"), rules, counts=True, base=10)
    assert not first.open_cells
    alone = release(counted(codes, "a"), rules, counts=True)
    beside = release(counted(codes, "a"), rules, counts=True, published=[out(first)])
    # The rounded total is 70, so at most 79 in truth, of which the two that are told here are 73.
    assert (intervals(alone)[1].high, intervals(beside)[1].high) == (None, pytest.approx(6))
    narrow = release(counted(codes, "a"), rules, counts=True, base=3, published=[out(alone)])
    assert narrow.open_cells
    assert narrow.statements[-1].code == "open_jointly"


def test_what_is_out_and_tells_too_much_is_said_and_stops_nothing() -> None:
    codes = {
        "a": np.repeat([1, 2, 3], [2, 33, 40]),
        "b": np.repeat([1, 2], [35, 40]),
        "c": np.ones(75, dtype=np.int64),
    }
    first = release(counted(codes, "a"), RULES, counts=True)
    known = Published.hiding(first.table, np.zeros(first.table.cells, dtype=np.bool_), first.sensitive)
    second = release(counted(codes, "b"), RULES, counts=True, published=[known])
    (statement,) = (one for one in second.statements if one.code.startswith("jointly"))
    assert (statement.code, statement.params) == ("jointly_but", {"before": 1})
    with pytest.raises(EngineError) as caught:
        release(counted(codes, "a"), RULES, counts=True, published=[known])
    assert caught.value.code == "cannot_be_hidden"


def test_what_is_out_and_tells_too_much_is_told_no_more_closely() -> None:
    """A cell of two persons is known to lie less than one away; a table by laxer rules must not tell it exactly."""
    codes = {"a": np.repeat([1, 2, 3], [2, 33, 40])}
    lax = SensitivityRules(minimum_contributors=2)
    first = release(counted(codes, "a"), RULES, counts=True)
    spread = np.where(first.hidden, 0.5, 0.0)
    known = Published(first.table, -spread, spread, first.sensitive)
    assert first.hidden[1]
    assert not release(counted(codes, "a"), lax, counts=True).hidden.any()
    second = release(counted(codes, "a"), lax, counts=True, published=[known])
    assert "jointly_but" in {one.code for one in second.statements}
    assert second.hidden[1]
    assert not second.open_cells
    between = intervals(second)[1]
    assert (between.low, between.high) == (pytest.approx(1.5), pytest.approx(2.5))
