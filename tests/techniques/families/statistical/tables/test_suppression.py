"""Hidden cells cannot be worked out, and no choice hides less: against every choice, and against a program of its own."""

from __future__ import annotations

import os
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.families.statistical.tables.attack import Attack
from techniques.families.statistical.tables.joint import Joint
from techniques.families.statistical.tables.release import release
from techniques.families.statistical.tables.sensitivity import SensitivityRules, sensitive_cells
from techniques.families.statistical.tables.solver import program
from techniques.families.statistical.tables.suppression import Need, audit, hide, needs_of, reached, suppress
from techniques.families.statistical.tables.table import Dimension, StatisticalTable, tabulate
from tests.techniques.families.statistical.tables.tables import random_table

RULES = SensitivityRules(p_percent=15, minimum_contributors=3)
TABLES = int(os.environ.get("RANDOM_TABLES", "150"))


def interval(table: StatisticalTable, need: Need, hidden: np.ndarray) -> float:
    """How far the cell can lie away, by a program over the values themselves."""
    solver = program()
    lower = np.where(hidden, 0.0, table.values)
    upper = np.where(hidden & (table.contributors > 0), np.inf, table.values)
    for cell in need.known:
        lower[cell] = upper[cell] = table.values[cell]
    solver.addVars(table.cells, lower, upper)
    for one in table.relations():
        places = np.array([one.total, *one.parts], dtype=np.int32)
        solver.addRow(0.0, 0.0, len(places), places, np.array([1.0, *[-1.0] * len(one.parts)]))
    solver.changeColCost(need.cell, -float(need.direction))
    solver.run()
    if solver.modelStatusToString(solver.getModelStatus()) in ("Unbounded", "Primal infeasible or unbounded"):
        return float("inf")
    return (solver.getSolution().col_value[need.cell] - table.values[need.cell]) * need.direction


def test_no_hidden_cell_of_random_tables_can_be_worked_out() -> None:
    """RANDOM_TABLES=1000 looks at as many."""
    worst = 0.0
    for seed in range(TABLES):
        counts = seed % 3 == 0
        table = random_table(seed, counts=counts)
        sensitive = sensitive_cells(table, RULES, counts=counts)
        found = suppress(table, sensitive)
        needs = needs_of(table, sensitive, nonnegative=True)
        assert not audit(table, needs, found.hidden, nonnegative=True)
        for need in needs[:: 1 + len(needs) // 8]:
            assert interval(table, need, found.hidden) >= need.distance * (1 - 1e-6) - 1e-6
        if found.bound:
            worst = max(worst, found.loss / found.bound)
    assert worst <= 1.3


@pytest.mark.parametrize("seed", range(6))
def test_no_choice_of_cells_hides_fewer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dimensions = [Dimension.flat("a", ["1", "2"]), Dimension.flat("b", ["1", "2", "3"])]
    codes = [rng.integers(1, 3, 20), rng.integers(1, 4, 20)]
    table = tabulate(dimensions, codes, np.round(rng.lognormal(3, 1, 20)), rng.integers(0, 12, 20))
    sensitive = sensitive_cells(table, RULES, counts=False)
    needs = needs_of(table, sensitive, nonnegative=True)
    candidates = np.flatnonzero((table.contributors > 0) & ~sensitive.cells)
    found = suppress(table, sensitive)
    assert found.optimal
    for number in range(int(found.loss)):
        for chosen in combinations(candidates, number):
            hidden = sensitive.cells.copy()
            hidden[list(chosen)] = True
            assert audit(table, needs, hidden, nonnegative=True)
    alone = sensitive.cells
    assert found.loss == 0 or audit(table, needs, alone, nonnegative=True)


def test_without_time_the_pattern_still_hides_what_it_must() -> None:
    hidden = 0
    for seed in range(1, 12):
        table = random_table(seed)
        sensitive = sensitive_cells(table, RULES, counts=False)
        try:
            best = suppress(table, sensitive)
        except EngineError:
            continue
        quick = suppress(table, sensitive, seconds=0)
        needs = needs_of(table, sensitive, nonnegative=True)
        assert not audit(table, needs, quick.hidden, nonnegative=True)
        assert best.loss <= quick.loss
        hidden += bool(best.loss)
        assert quick.bound <= best.loss
    assert hidden > 5


def test_who_contributes_alone_does_not_work_out_another() -> None:
    """Two lone contributors in a column know each other's amount where nothing else is hidden there."""
    dimensions = [Dimension.flat("a", ["1", "2", "3"]), Dimension.flat("b", ["1", "2", "3"])]
    cells = [
        (row, column)
        for row in (1, 2, 3)
        for column in (1, 2, 3)
        for _one in range(1 if column == 1 < row + 1 < 4 else 5)
    ]
    codes = [np.array(places) for places in zip(*cells, strict=True)]
    table = tabulate(dimensions, codes, np.full(len(cells), 10.0), None)
    of = {table.labels(cell): cell for cell in range(table.cells)}
    sensitive = sensitive_cells(table, SensitivityRules(minimum_contributors=2), counts=False)
    assert set(np.flatnonzero(sensitive.cells)) == {of["1", "1"], of["2", "1"]}
    found = suppress(table, sensitive)
    assert found.secondary[[of["3", "1"], of["*", "1"]]].any()
    outsiders = [need for need in needs_of(table, sensitive, nonnegative=True) if not need.known]
    fewer = sensitive.cells.copy()
    fewer[[of["1", "2"], of["2", "2"]]] = True
    assert not audit(table, outsiders, fewer, nonnegative=True)
    assert audit(table, needs_of(table, sensitive, nonnegative=True), fewer, nonnegative=True)


def test_a_cell_that_nothing_hides_is_refused_by_its_labels() -> None:
    table = tabulate([Dimension.flat("a", ["x"])], [np.array([1])], np.array([5.0]), None)
    lone = StatisticalTable(
        table.dimensions, table.values, np.array([9, 1]), table.largest, table.absolute, np.array([-1, -1])
    )
    sensitive = sensitive_cells(lone, SensitivityRules(minimum_contributors=3), counts=False)
    # Value and total are one number: hiding both leaves it open.
    assert suppress(lone, sensitive).loss == 1
    known = StatisticalTable(
        table.dimensions, table.values, np.array([0, 1]), table.largest, table.absolute, np.array([-1, -1])
    )
    with pytest.raises(EngineError, match="Cell x can be worked out"):
        suppress(known, sensitive)


def test_what_is_said_of_a_table_is_what_was_found() -> None:
    table = random_table(3)
    found = release(table, RULES, counts=False)
    assert [one.code for one in found.statements] == [
        "hidden",
        "optimal",
        "closed",
        "known",
        "beyond",
        "groups",
        "sums",
    ]
    assert found.statements[0].params == {"hidden": int(found.hidden.sum()), "cells": table.cells}
    # The rules are secrets: other rules that hide the same are told in the same words.
    other = release(table, SensitivityRules(p_percent=15.1, minimum_contributors=3), counts=False)
    assert (other.hidden == found.hidden).all()
    assert other.statements == found.statements
    slow = release(table, RULES, counts=False, seconds=0)
    assert [one.code for one in slow.statements][1] == "not_known"
    assert slow.secret["least_loss"] == 0 < slow.secret["loss"]
    open_table = release(
        random_table(3, counts=True), SensitivityRules(minimum_contributors=9), counts=True, base=2
    )
    assert open_table.open_cells
    assert [one.code for one in open_table.statements] == ["rounded", "open"]


def test_a_small_cell_beside_large_ones_is_hidden_like_any_other() -> None:
    """Sums of milliards, and one lone contributor with a thousand."""
    dimensions = [Dimension.flat("a", ["p", "q"]), Dimension.flat("b", ["u", "v"])]
    codes = [np.array([1, *[1, 2, 2] * 4]), np.array([1, *[2, 1, 2] * 4])]
    for large in (5e9, 5e3):
        amounts = np.append(1000.0, np.full(12, large))
        table = tabulate(dimensions, codes, amounts, None)
        sensitive = sensitive_cells(table, SensitivityRules(minimum_contributors=3), counts=False)
        needs = needs_of(table, sensitive, nonnegative=True)
        assert audit(table, needs, sensitive.cells, nonnegative=True)
        assert suppress(table, sensitive).hidden.sum() == 4


def test_what_cannot_be_promised_is_refused() -> None:
    counted, summed = random_table(3, counts=True), random_table(3, negative=True)
    for rules in (SensitivityRules(p_percent=10), SensitivityRules(minimum_contributors=3, p_percent=10)):
        with pytest.raises(EngineError, match="fewest contributors alone"):
            release(counted, rules, counts=True)
    with pytest.raises(EngineError, match="below zero"):
        release(summed, RULES, counts=False)
    found = release(summed, RULES, counts=False, nonnegative=False)
    assert found.primary.any()
    assert not found.open_cells


def test_how_far_the_protection_is_is_heard_at_every_program() -> None:
    """From nothing to all, never back within what has to be done; silence would be taken for a lost job."""
    heard: list[float] = []
    release(random_table(4), RULES, counts=False, seconds=0, tick=heard.append)
    assert heard == sorted(heard)
    assert heard[0] == 0
    assert 0.8 <= heard[-1] < 1
    assert len(heard) > 20


def test_a_reader_who_knows_more_is_bounded_by_a_program_of_their_own() -> None:
    """What is taken over from readers who know less is what their own program gives."""
    for seed in range(12):
        table = random_table(seed)
        needs = needs_of(table, sensitive_cells(table, RULES, counts=False), nonnegative=True)
        attack = Attack(Joint(table), nonnegative=True)
        hidden = table.contributors > 0
        for need, reach in reached(attack, needs, partial(hide, attack, hidden)):
            alone = Attack(Joint(table), nonnegative=True)
            hide(alone, hidden, need.known)
            own = alone.reach(need.cell, need.direction, need.distance)
            assert abs(reach.distance - own.distance) < 1e-6 * max(1, own.distance)


def test_what_a_reader_contributes_is_known_without_the_table() -> None:
    """One of two contributors knows of their total that it is no less than their own part, whatever is hidden: what is left to be
    kept open downwards is the other's part, and the table can go out."""
    dimensions = [Dimension.flat("a", ["1", "2", "3"]), Dimension.flat("b", ["1", "2"])]
    # Of b = 1: contributor 0 gives 150 and 900, contributor 1 gives 100; the others are many.
    a = [1, 2, 3, *[1, 2, 3] * 8]
    b = [1, 1, 1, *[2] * 24]
    amounts = np.array([150.0, 900.0, 100.0, *[500.0] * 24])
    table = tabulate(dimensions, [np.array(a), np.array(b)], amounts, np.array([0, 0, 1, *range(2, 26)]))
    sensitive = sensitive_cells(table, RULES, counts=False)
    total = next(cell for cell in range(table.cells) if table.labels(cell) == ("*", "1"))
    assert (table.values[total], table.contributors[total], sensitive.distance[total]) == (1150, 2, 345)
    needs = [one for one in needs_of(table, sensitive, nonnegative=True) if one.cell == total]
    down = {one.known: one.distance for one in needs if one.direction < 0}
    assert down[()] == 345
    assert sorted(down.values()) == [100, 345, 345]
    found = suppress(table, sensitive)
    assert not audit(table, needs_of(table, sensitive, nonnegative=True), found.hidden, nonnegative=True)
    # Where values may lie below zero nothing of it is known before.
    open_down = needs_of(table, sensitive, nonnegative=False)
    assert {one.distance for one in open_down if one.cell == total and one.direction < 0} == {345}


@pytest.mark.parametrize("base", [None, 10.0])
@pytest.mark.parametrize("everywhere", [True, False])
def test_it_is_said_where_somebody_contributes_to_several_cells(everywhere: bool, base: float | None) -> None:
    """A company alone in two cells of one row: each of them is protected, and the row's total less the other cells is their sum."""
    dimensions = [Dimension.flat("a", ["1", "2"]), Dimension.flat("b", ["1", "2", "3"])]
    codes = [np.array([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]), np.array([1, 2, 3, 3, 3, 1, 1, 2, 2, 3, 3])]
    whose = np.array([0, 0 if everywhere else 10, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    table = tabulate(dimensions, codes, np.full(11, 50.0), whose)
    rules = SensitivityRules(p_percent=15)
    found = release(table, rules, counts=False, base=base)
    assert not found.open_cells
    if base is None:
        total, *parts = (table.labels(cell) for cell in np.flatnonzero(found.hidden).tolist())
        assert {total, *parts} >= {("1", "1"), ("1", "2")}
    assert [one.code for one in found.statements if one.code == "sums"] == (["sums"] if everywhere else [])
