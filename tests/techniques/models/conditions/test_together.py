"""Classes judged all together, and one after the other: the same ones hold, and the same rows must go."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from techniques.models.conditions.entries import Entries, Members
from techniques.models.conditions.judging import EQUAL, HIERARCHICAL, judge
from techniques.models.conditions.together import ByValue, judge_together, most_cells
from techniques.models.conditions.values import Condition, Requirements, Tree


def drawn_tree(draw: np.random.Generator, values: int) -> Tree:
    """Values under two to four nodes, these under the root; sometimes all under the root."""
    if draw.random() < 0.2:
        return Tree.flat(values)
    middle = int(draw.integers(2, 5))
    parent = np.append(values + draw.integers(0, middle, values), np.full(middle, values + middle))
    return Tree(
        parent.astype(np.int64),
        np.concatenate([np.zeros(values), np.full(middle, 0.5 + draw.random() / 4), [1.0]]),
    )


@pytest.mark.parametrize("kinds", [(EQUAL,), (HIERARCHICAL,), (EQUAL, HIERARCHICAL)])
@pytest.mark.parametrize("missing", [False, True])
def test_the_same_answers_as_one_class_after_the_other(kinds: tuple[int, ...], missing: bool) -> None:
    draw = np.random.default_rng(len(kinds) + missing)
    broken = partly = held = 0
    for _ in range(150):
        values, combinations = int(draw.integers(2, 7)), int(draw.integers(1, 40))
        table = draw.integers(0, 5, (combinations, values)) * draw.integers(0, 2, (combinations, values))
        table[np.arange(combinations), draw.integers(0, values, combinations)] += 1
        of, value = np.nonzero(table)
        start = np.searchsorted(of, np.arange(combinations + 1))
        entries = Entries(start.astype(np.int64), value.astype(np.int32), table[of, value].astype(np.int64))
        class_of = np.unique(draw.integers(0, 6, combinations), return_inverse=True)[1].astype(np.int32)
        classes = int(class_of.max()) + 1
        sizes = np.bincount(class_of, weights=table.sum(axis=1)).astype(np.int64)
        # Bounds that a class may keep exactly, and small tables in which shares are equal to the last digit.
        bounds = [Condition(kind, float(draw.choice([0.0, 0.125, 0.2, 0.25, 0.5])), 0.0) for kind in kinds]
        requirements = Requirements.of(
            [
                SimpleNamespace(
                    conditions=bounds, size=values, missing=missing, rows=float(table.sum()),
                    reference=table.sum(axis=0) / table.sum(), tree=drawn_tree(draw, values),
                    levels=np.zeros(values, np.int64),
                )
            ]
        )  # fmt: skip
        k = int(draw.integers(1, 12))
        # An attribute judged before may have found classes broken already, and rows that go.
        kept = (sizes >= k) & (draw.random(classes) < 0.9)
        least = np.where(sizes >= k, np.where(kept, 0, draw.integers(0, sizes + 1)), sizes)
        order = np.argsort(class_of, kind="stable").astype(np.int32)
        members = Members(order, np.searchsorted(class_of[order], np.arange(classes + 1)).astype(np.int64))
        one, together = (kept.copy(), least.copy()), (kept.copy(), least.copy())
        judge(members, sizes, entries, requirements, missing, k, *one)
        trees = requirements.trees
        by_value = ByValue.of(entries, values)
        arguments = (
            requirements.conditions, requirements.shares, trees.parent, trees.fall, trees.shares, missing, k
        )  # fmt: skip
        cells = (len(trees.parent) - 1) * int((sizes >= k).sum())
        assert not judge_together(class_of, sizes, *by_value, *arguments, cells - 1, *together)
        assert np.array_equal(together[0], kept)
        assert np.array_equal(together[1], least)
        assert judge_together(class_of, sizes, *by_value, *arguments, cells, *together)
        assert np.array_equal(one[0], together[0])
        assert np.array_equal(one[1], together[1])
        held += int(one[0].sum())
        broken += int((kept & ~one[0]).sum())
        partly += int(((one[1] > least) & (one[1] < sizes)).sum())
    assert min(held, broken, partly) > 20


def test_a_table_of_few_rows_in_many_cells_is_counted_class_by_class() -> None:
    assert most_cells(5000) >= 19 * 300
    assert most_cells(100_000) < 1000 * 5000
