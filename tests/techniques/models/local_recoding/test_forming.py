"""Classes from fine to coarse: what is looked at more closely is never less than what may become a class."""

from __future__ import annotations

import math
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from techniques.models.conditions.judging import DISTINCT, EQUAL
from techniques.models.conditions.values import RECORD, Requirements, Trees
from techniques.models.local_recoding import nodes as lattice
from techniques.models.local_recoding.costs import Units
from techniques.models.local_recoding.forming import telling_values
from techniques.models.local_recoding.hidden import _keeps_average
from techniques.models.local_recoding.nodes import nodes_by_loss, path_up, together
from techniques.models.local_recoding.peeling import TellingValues, _quotas, _same_cells, peel


def drawn(seed: int, widths: list[int]) -> tuple[NDArray[np.uint32], list[NDArray[np.int64]]]:
    """Combinations, and per column the codes at three levels, the last of which tells nothing."""
    draw = np.random.default_rng(seed)
    cells = np.unique(np.column_stack([draw.integers(0, width, 150) for width in widths]), axis=0)
    levels = [
        np.array([np.arange(width), draw.integers(0, max(width // 3, 1), width), np.zeros(width)], np.int64)
        for width in widths
    ]
    return cells.astype(np.uint32), levels


@pytest.mark.parametrize("widths", [[2, 5, 9], [7], [3] * 8, [200, 4, 60, 2, 2], [1 << 20] * 4])
def test_keys_agree_where_combinations_do(widths: list[int]) -> None:
    cells, levels = drawn(len(widths), widths)
    nodes = nodes_by_loss([np.array([0.0, 0.4, 1.0])] * len(widths))
    of_unit, ladder, starts, exact = together(cells, levels, nodes)
    assert exact == (max(widths) < 1 << 20)
    assert len(of_unit) % 3 == 0
    for number in np.random.default_rng(1).integers(0, len(nodes), 40):
        keys = ladder[starts[number][:, None] + of_unit]
        # Inexact keys are told apart column by column.
        key = [tuple(column) for column in (keys.sum(axis=0)[:, None] if exact else keys.T).tolist()]
        combination = [
            tuple(
                levels[i][level][cell]
                for i, (level, cell) in enumerate(zip(nodes[number], unit, strict=True))
            )
            for unit in cells
        ]
        assert len(set(zip(key, combination, strict=True))) == len(set(key)) == len(set(combination))


def requirements(*bounds: tuple[int, float, int, int, bool], values: int) -> Requirements:
    """Conditions as (kind, limit, first value, end of values, whether the first is a missing one), each of the
    ``values`` as frequent as the others in a table of 1,000 rows."""
    records = [
        (kind, limit, 0.0, first, end, missing, 1000.0, 0, 0) for kind, limit, first, end, missing in bounds
    ]
    trees = Trees(np.full(1, -1, np.int64), np.zeros(1), np.zeros(1), np.zeros((3, 1)))
    return Requirements(
        np.array(records, RECORD), np.full(values, 1 / values), trees, np.zeros(values, np.int64)
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("distinct", [0, 2, 3])
@pytest.mark.parametrize("widths", [[3, 6, 4, 12], [41, 40, 39, 37]])
def test_looking_only_where_a_class_may_be_finds_the_same_classes(
    seed: int, distinct: int, widths: list[int]
) -> None:
    """Also of columns of so many values that each is added to a key by itself, three at a time."""
    draw = np.random.default_rng(seed)
    cells, levels = drawn(seed, widths)
    weights = draw.integers(1, 4, len(cells)).astype(np.int64)
    values = draw.integers(0, 5, (len(cells), 1)).astype(np.int32)
    nodes = nodes_by_loss([np.array([0.0, 0.3, 1.0]) * (i + 1) for i in range(4)])
    keys = together(cells, levels, nodes)
    bounds = requirements(*[(DISTINCT, distinct, 0, 5, True)] * bool(distinct), values=5)
    values = values if distinct else values[:, :0]
    bits = np.where(values > 0, np.uint64(1) << np.maximum(values, 0).astype(np.uint64), np.uint64(0)).ravel()
    found, classes = peel(Units(cells, weights, values), keys, TellingValues(bits, distinct), bounds, 5, 1e12)
    assert classes > 1

    # One node after the other, as it is defined.
    expected = np.full(len(cells), -1)
    made = 0
    for node in nodes:
        groups = defaultdict(list)
        for unit in np.flatnonzero(expected < 0):
            groups[tuple(levels[i][node[i]][cells[unit, i]] for i in range(4))].append(unit)
        for units in groups.values():
            several = {int(values[unit, 0]) for unit in units} - {0} if distinct else set()
            if weights[units].sum() >= 5 and len(several) >= distinct:
                expected[units] = made
                made += 1
    assert made == classes
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("of", [0, 1])
def test_values_are_told_apart_in_the_column_that_the_condition_is_about(of: int) -> None:
    first, end, missing = (0, 5, True) if of == 0 else (5, 9, False)
    values = np.array([[0, 5], [2, 8], [4, 5]], dtype=np.int32)
    units = Units(np.zeros((3, 1), np.uint32), np.ones(3, np.int64), values)
    close, varied = (EQUAL, 0.2, first, end, missing), (DISTINCT, 3.0, first, end, missing)
    bits, distinct = telling_values(units, requirements(close, varied, values=9))
    assert distinct == 3
    assert bits.tolist() == ([0, 4, 16] if of == 0 else [1, 8, 1])
    assert telling_values(units, requirements(close, values=9)).distinct == 0


def test_units_whose_keys_agree_by_chance_are_told_apart_by_their_cells() -> None:
    """Keys are sums of numbers of 64 bits: two combinations may have one. Here all have."""
    same = getattr(_same_cells, "py_func", _same_cells)
    # Of two columns the node of each code: the first puts 0 and 1 together, the second leaves all apart.
    ladder, starts = np.array([7, 7, 9, 1, 2, 3]), np.array([0, 3])
    left = SimpleNamespace(cells=np.array([[0, 1, 2, 0], [0, 0, 0, 1]]))
    pairs = {(one, other): same(left, one, other, ladder, starts) for one in range(4) for other in range(4)}
    assert {pair for pair, agrees in pairs.items() if agrees} == {
        *((one, one) for one in range(4)), (0, 1), (1, 0),
    }  # fmt: skip


@pytest.mark.parametrize("columns", [4, 7, 8, 10])
def test_combinations_of_many_columns_have_each_a_key_of_their_own(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The numbers up to 1,457 in base nine, digit by digit: no two are a class of two rows, but each with its like is."""
    monkeypatch.setattr(lattice, "_TOGETHER", 1)
    numbers = np.arange(2 * 9**3)
    cells = np.column_stack([numbers // 9**i % 9 for i in range(columns)]).astype(np.uint32)
    levels = [np.arange(9)[None]] * columns
    none = TellingValues(np.zeros(1, np.uint64), 0)
    for likes in (1, 2):
        of = np.repeat(cells, likes, axis=0)
        units = Units(of, np.ones(len(of), np.int64), np.zeros((len(of), 0), np.int32))
        keys = together(of, levels, np.zeros((1, columns), np.int64))
        assert (len(keys.cells), keys.exact) == (-(-columns // 3) * 3, True)
        found, classes = peel(units, keys, none, requirements(values=1), 2, 1e12)
        assert classes == (0 if likes == 1 else len(cells))
        assert np.unique(found, return_counts=True)[1].tolist() == (
            [len(of)] if likes == 1 else [2] * classes
        )


def test_values_of_the_attributes_behind_are_not_told_apart() -> None:
    """Of three attributes with the values 0 to 4, 5 to 8 and 9 to 11 the condition is about the second."""
    values = np.array([[0, 5, 9], [2, 8, 11], [4, 6, 10]], dtype=np.int32)
    units = Units(np.zeros((3, 1), np.uint32), np.ones(3, np.int64), values)
    bits, distinct = telling_values(units, requirements((DISTINCT, 3.0, 5, 9, False), values=12))
    assert (bits.tolist(), distinct) == ([1, 8, 2], 3)


@pytest.mark.parametrize("number", [1, 2, 17, 18, 31, 33, 34, 66, 130])
def test_as_many_groups_as_units_find_their_places(number: int) -> None:
    cells = np.arange(number, dtype=np.uint32)[:, None]
    levels = [np.array([np.arange(number), np.zeros(number)], np.int64)]
    keys = together(cells, levels, nodes_by_loss([np.array([0.0, 1.0])]))
    units = Units(cells, np.ones(number, np.int64), np.zeros((number, 0), np.int32))
    none = TellingValues(np.zeros(1, np.uint64), 0)
    found, classes = peel(units, keys, none, requirements(values=1), 1, 1e12)
    assert (sorted(found.tolist()), classes) == (list(range(number)), number)


def test_a_way_to_the_top_raises_what_loses_least() -> None:
    """Losses by level 0, 1, 5 and 0, 3: one step of 1, then of 3 before 4."""
    losses = [np.array([0.0, 1.0, 5.0]), np.array([0.0, 3.0])]
    assert path_up(losses, (0, 0)) == [(1, 0), (1, 1), (2, 1)]
    assert path_up(losses, (2, 0)) == [(2, 1)]
    assert path_up(losses, (2, 1)) == []


def test_of_a_lattice_too_large_the_lowest_nodes_and_ways_up_are_gone_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    losses = [np.array([0.0, 1.0, 2.5]), np.array([0.0, 0.4, 3.0]), np.array([0.0, 2.0])]
    whole = nodes_by_loss(losses).tolist()
    assert len(whole) == 18
    assert whole[0] == [0, 0, 0]
    monkeypatch.setattr(lattice, "_WHOLE_LATTICE", 17)
    monkeypatch.setattr(lattice, "_NODES", 6)
    monkeypatch.setattr(lattice, "_PATHS", 3)
    some = nodes_by_loss(losses).tolist()

    def loss(node: list[int]) -> float:
        return float(sum(one[level] for one, level in zip(losses, node, strict=True)))

    lowest = sorted(map(loss, whole))[:6]
    assert [loss(node) for node in some[:6]] == pytest.approx(lowest)
    assert [loss(node) for node in some] == sorted(map(loss, some))
    assert len({*map(tuple, some)}) == len(some)
    for start in [tuple(node) for node in some[:6]][::2]:
        assert all(list(node) in some for node in path_up(losses, start))
    assert some[-1] == [2, 2, 1]
    monkeypatch.setattr(lattice, "_WHOLE_LATTICE", 18)
    assert nodes_by_loss(losses).tolist() == whole


@pytest.mark.parametrize(("most", "keeps"), [(2, True), (1, False)])
def test_rows_without_a_class_are_none_under_the_bound_of_the_average(most: int, keeps: bool) -> None:
    """Two classes, and a row of four in none."""
    task = SimpleNamespace(average_risk=0.5, most_classes=lambda gone: most if gone == 4 else 0)
    units = Units(np.zeros((3, 1), np.uint32), np.array([2, 4, 3]), np.zeros((3, 0), np.int32))
    made = np.array([0, -1, 1], np.int32), 2
    none = np.empty(0, np.int32)
    assert _keeps_average(task, units, made, None, none) is keeps
    task.average_risk = None
    assert _keeps_average(task, units, made, None, none)


def quotas_plainly(have: list[int], shares: list[float], rows: int) -> list[int]:
    """The whole rows of each share, where there are as many; then one after the other where most is lacking."""
    quota = [min(here, math.floor(share * rows)) for here, share in zip(have, shares, strict=True)]
    while sum(quota) < rows:
        more = [value for value in range(len(have)) if quota[value] < have[value]]
        if not more:
            break
        quota[max(more, key=lambda value: (shares[value] * rows - quota[value], -value))] += 1
    return quota


@pytest.mark.parametrize("limit", [0.1, 0.2, 0.35])
@pytest.mark.parametrize("seed", [0, 2, 5, 6, 7])
def test_a_part_of_a_group_that_is_too_far_from_the_table_is_a_class(seed: int, limit: float) -> None:
    """As many rows as may lie within t, by the shares of the table, unit by unit; the others go on to the next node."""
    draw = np.random.default_rng(seed)
    cells, levels = drawn(seed + 20, [4, 5, 3])
    weights, values = draw.integers(1, 4, len(cells)), draw.integers(0, 4, (len(cells), 1)).astype(np.int32)
    nodes = nodes_by_loss([np.array([0.0, 0.3, 1.0]) * (i + 1) for i in range(3)])
    bounds, k = requirements((EQUAL, limit, 0, 4, False), values=4), 4
    none = TellingValues(np.zeros(1, np.uint64), 0)
    found, classes = peel(
        Units(cells, weights, values), together(cells, levels, nodes), none, bounds, k, 1e12
    )

    def distance(held: list[int], rows: int) -> float:
        return sum(max(0.0, 0.25 - count / rows) for count in held)

    expected, made, parts = np.full(len(cells), -1), 0, 0
    for node in nodes:
        groups = defaultdict(list)
        for unit in np.flatnonzero(expected < 0):
            groups[tuple(levels[i][node[i]][cells[unit, i]] for i in range(3))].append(unit)
        for units in groups.values():
            rows = int(weights[units].sum())
            have = np.bincount(values[units, 0], weights=weights[units], minlength=4).astype(int).tolist()
            if rows < k:
                continue
            if distance(have, rows) <= limit + 1e-9:
                expected[units] = made
                made += 1
                continue
            most = max((here for here in range(1, rows) if distance(have, here) <= limit), default=0)
            if most < k:
                continue
            quota, got, taken = quotas_plainly(have, [0.25] * 4, most), [0] * 4, []
            for unit in units:
                value = values[unit, 0]
                if got[value] + weights[unit] <= quota[value]:
                    got[value] += weights[unit]
                    taken.append(unit)
            if sum(got) >= k and distance(got, sum(got)) <= limit + 1e-9:
                expected[taken] = made
                made, parts = made + 1, parts + 1
    assert parts
    assert made == classes
    assert found.tolist() == expected.tolist()


def test_rows_are_taken_by_shares_and_what_is_left_over_where_most_is_lacking() -> None:
    draw, taken = np.random.default_rng(3), getattr(_quotas, "py_func", _quotas)
    for _ in range(60):
        have = draw.integers(0, 9, 5)
        shares = draw.dirichlet(np.ones(5))
        rows = int(draw.integers(0, 30))
        quota = taken(have, shares, rows)
        assert quota.tolist() == quotas_plainly(have.tolist(), shares.tolist(), rows)
        assert quota.sum() == min(rows, have.sum())
