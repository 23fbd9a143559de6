"""Classes from fine to coarse: what is looked at more closely is never less than what may become a class."""

from __future__ import annotations

from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from techniques.models.conditions.judging import DISTINCT, EQUAL
from techniques.models.conditions.values import RECORD, Requirements, Trees
from techniques.models.local_recoding.costs import Units
from techniques.models.local_recoding.forming import telling_values
from techniques.models.local_recoding.nodes import nodes_by_loss, together
from techniques.models.local_recoding.peeling import TellingValues, _same_cells, peel


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
def test_looking_only_where_a_class_may_be_finds_the_same_classes(seed: int, distinct: int) -> None:
    draw = np.random.default_rng(seed)
    cells, levels = drawn(seed, [3, 6, 4, 12])
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
