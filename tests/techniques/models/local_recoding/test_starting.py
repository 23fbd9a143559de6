"""The full-domain solution to start from: found among all nodes, by bounds that are counted cell by cell."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from techniques.models.k_anonymity.problem import Problem
from techniques.models.local_recoding import starting
from techniques.models.local_recoding.forming import Task
from techniques.models.local_recoding.starting import _Boxes, by_levels
from tests.techniques.models.local_recoding.test_recoding import drawn, made


class Node:
    """Whole columns at a node, cell by cell; classes of fewer than three rows are suppressed and lose all but their own value."""

    def __init__(self, task: Task, problem: Problem, codes: np.ndarray, levels: tuple[int, ...]) -> None:
        columns = list(enumerate(zip(problem.attributes, levels, strict=True)))
        labels = [tuple(int(one.maps[at][row[i]]) for i, (one, at) in columns) for row in codes]
        size = Counter(labels)
        self.gone = [size[label] < task.k for label in labels]
        self.codes, self.task, self.problem = codes, task, problem
        self.cost = sum(self.lost(i, at) for i, (_one, at) in columns)

    def lost(self, i: int, level: int) -> float:
        """A column's part of what is lost by ``level`` of it where the rows are suppressed that this node suppresses."""
        one = self.problem.attributes[i]
        shares = [
            1.0 if gone else float(one.shares[level][one.maps[level][row[i]]])
            for row, gone in zip(self.codes, self.gone, strict=True)
        ]
        return self.task.weights[i] * sum(share - 1 / one.leaves for share in shares) / len(shares)


def boxes_of(
    seed: int, limit: float, effort: int = 100_000
) -> tuple[_Boxes, dict[tuple[int, ...], Node], list[float]]:
    """The search, each node there is, and what is heard of how far it has got."""
    task, units = made(seed, False, [0.5, 2.0, 1.0], limit)
    problem, heard = by_levels(task, units), list[float]()
    # Of each row the code in each column, 0 for a missing value, as there is none here.
    codes = np.column_stack(drawn(seed, 40, False)) + 1
    lattice = product(*(range(one.lowest, one.highest + 1) for one in problem.attributes))
    nodes = {levels: Node(task, problem, codes, levels) for levels in lattice}
    return _Boxes(task, problem, np.inf, effort, heard.append), nodes, heard


@pytest.mark.parametrize("limit", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_the_node_that_loses_least_is_found(seed: int, limit: float) -> None:
    """And boxes save looking at all: what is left unseen loses as much, by the bounds that are held."""
    boxes, nodes, _heard = boxes_of(seed, limit)
    most = int(40 * limit + 1e-9)
    costs = {levels: node.cost for levels, node in nodes.items() if sum(node.gone) <= most}
    found = boxes.run()
    assert found is not None
    assert costs[found] == pytest.approx(min(costs.values()))
    assert boxes.enough == pytest.approx(min(costs.values()))


@pytest.mark.parametrize("seed", range(3))
def test_levels_lose_what_rows_lose_that_the_highest_node_suppresses(seed: int) -> None:
    boxes, nodes, _heard = boxes_of(seed, 0.3)
    seen = 0
    for levels, node in nodes.items():
        lost = boxes.loss.lost(boxes.problem.group(levels, boxes.problem.base))
        whole = np.zeros_like(boxes.costs)
        whole[:, : lost.shape[1]] = lost
        costs = boxes._costs(whole)
        for i, highest in enumerate(levels):
            for level in range(highest + 1):
                assert costs[i, level] == pytest.approx(node.lost(i, level))
        seen += 0 < sum(node.gone) < 40
    assert seen > 3


@pytest.mark.parametrize("every", [1, 3])
def test_it_is_said_how_far_the_looks_have_got(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twenty looks at the most; after the last one that is left no other follows."""
    monkeypatch.setattr(starting, "_TICK_EVERY", every)
    for effort, seed in ((20, 0), (7, 1), (2, 2)):
        boxes, _nodes, heard = boxes_of(seed, 0.1, effort)
        seen = list[tuple[int, ...]]()
        group = boxes.problem.group
        monkeypatch.setattr(
            boxes.problem, "group", lambda at, *of, g=group, s=seen: (s.append(at), g(at, *of))[1]
        )
        boxes.run()
        assert 0 < len(seen) <= effort
        assert effort - boxes.left == len(seen)
        assert heard == pytest.approx([one / effort for one in range(1, len(seen) + 1) if one % every == 0])
    assert len(seen) == 2
