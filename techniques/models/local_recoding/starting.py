"""The full-domain solution that keeps most detail. It is a local recoding too, so a local recoding has to keep at
least as much, and exists where it does.

Boxes of nodes are held, as in :mod:`techniques.models.k_anonymity.search`, but from the outset only nodes count that may
keep more than what is known: where local recoding is far better, a few looks at high nodes rule out all of them.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from techniques.models.conditions.entries import Entries
from techniques.models.k_anonymity.loss import Loss, Objective
from techniques.models.k_anonymity.problem import Grouping, Problem
from techniques.models.k_anonymity.sensitive import Sensitive
from techniques.models.k_anonymity.solution import keeps_persons
from techniques.models.local_recoding.costs import Units, covering
from techniques.models.local_recoding.forming import FEW, Classes, Task, cheapest, cost_of, improved
from techniques.models.local_recoding.hidden import settled
from techniques.models.local_recoding.persons import Demand, allowed, of_persons

_TICK_EVERY = 64
_MOST_CELLS = 100_000_000
_CELLS_PER_CHECK = 10_000
"""Cells that are looked at, node by node, to see whether a full-domain solution keeps more than what is known; a node
takes as long as so many more."""
_FEW_NODES = 2_000
"""Nodes of a lattice up to which classes are made from its best node whether or not that keeps more by itself."""
_LEAST_CHECKS = 20
_ROUNDING = 1e-13
Levels = tuple[int, ...]
Lost = NDArray[np.float64]


def detail_lost(task: Task, units: Units, made: Classes) -> float:
    """Mean over the rows of the weighted shares of values under their cells beyond the value itself; a suppressed row
    counts all. It orders recodings as granularity does, also where intervals and sets are recoded by their width."""
    if not task.ncp:
        return cost_of(task, units, made) / task.n
    class_of, classes = made
    first, last = covering(task.costs.columns, units.cells, class_of, classes)
    inside = class_of >= 0
    rows = np.bincount(class_of[inside], weights=units.rows[inside], minlength=classes)
    lost = (task.n - float(rows.sum())) * most_lost(task)
    for i, (shape, weight) in enumerate(zip(task.shapes, task.weights, strict=True)):
        under = np.maximum(shape.under(first[:, i], last[:, i]), 1.0)
        lost += weight * float((under - 1) @ rows) / shape.leaves
    return lost / task.n


def most_lost(task: Task) -> float:
    """:func:`detail_lost` where nothing is told of any row."""
    return float(
        sum(weight * (1 - 1 / shape.leaves) for shape, weight in zip(task.shapes, task.weights, strict=True))
    )


def by_levels(task: Task, units: Units, whose: Demand | None = None) -> Problem:
    """The task as one of whole columns, which ``whose`` has to hold of persons."""
    codes = []
    for i, shape in enumerate(task.shapes):
        # Codes that share a place are never told apart: any of them stands for all.
        code = np.zeros(shape.size, dtype=np.int32)
        code[shape.place] = np.arange(-1, len(shape.place) - 1, dtype=np.int32)
        codes.append(code[units.cells[:, i]])
    sensitive: list[Sensitive] = [] if whose is None else list(whose.sensitive)
    start = np.arange(len(units.rows) + 1)
    begin = 0
    for i, one in enumerate(task.sensitive if whose is None else ()):
        entries = Entries(start, units.values[:, i] - np.int32(begin), units.rows)
        sensitive.append(Sensitive(entries, one.size, one.conditions, one.tree, one.missing, one.levels))
        begin += one.size
    # Values that no hierarchy covers are lost in every recoding alike, so they count in none.
    attributes = [
        replace(one, unfit=np.zeros_like(one.unfit)) for one in (shape.by_levels() for shape in task.shapes)
    ]
    persons = None if whose is None else whose.persons
    return Problem(attributes, codes, units.rows, task.k, sensitive, task.average_risk, persons)


def no_worse(
    task: Task,
    units: Units,
    best: Classes | None,
    effort: int,
    tick: Callable[[float], None],
    whose: Demand | None = None,
) -> tuple[Classes | None, bool]:
    """``best`` if no full-domain solution keeps more detail, else classes made from one; None where there are none, and
    whether there can be none.

    At most ``effort`` nodes are looked at, fewer where the table is large and there is a best.
    """
    whole = most_lost(task)
    if best is not None and whole <= 0:
        return best, False
    problem = by_levels(task, units, whose)
    checks, enough = effort, np.inf
    if best is None:
        top = problem.group([attribute.highest for attribute in problem.attributes])
        if top.least_rows > task.most:
            return None, True
    else:
        checks = min(effort, max(_MOST_CELLS // (units.cells.size + _CELLS_PER_CHECK), _LEAST_CHECKS))
        if len(units.rows) > FEW or problem.lattice_size > _FEW_NODES:
            enough = detail_lost(task, units, best) - _ROUNDING * whole
    levels = _Boxes(task, problem, enough, checks, tick).run()
    if levels is None:
        return best, False
    found = problem.group(levels, problem.base)
    number = np.full(len(found.sizes) + 1, -1, dtype=np.int32)
    number[:-1][found.kept] = np.arange(int(found.kept.sum()), dtype=np.int32)
    start = number[found.class_of], int(found.kept.sum())
    return _kept_most(task, units, start, best, whose), False


def _kept_most(
    task: Task, units: Units, start: Classes, best: Classes | None, whose: Demand | None
) -> Classes | None:
    """The cheapest of ``start``, what can be made from it, and ``best`` that keeps as much detail as ``start``."""
    better = improved(task, units, *start, task.k, cut=True)
    if whose is not None:
        better = of_persons(task, units, whose, better)
    better = settled(task, units, better, whose)
    enough = detail_lost(task, units, start) + _ROUNDING * most_lost(task)
    tried = [
        one
        for one in (best, better)
        if one is not None and allowed(task, units, one, whose) and detail_lost(task, units, one) <= enough
    ]
    return cheapest(task, units, [*tried, start])


class _Boxes:
    """Branch and bound over boxes of nodes, given by their lowest and highest levels.

    No node of a box loses less than its lowest one with the rows suppressed that its highest one shows to be suppressed
    in all of them. Levels of a box that lose too much by themselves are cut off before its highest node is looked at.
    Of nodes that lose the same the one of the fewest suppressed rows is the best, then that of the lowest levels: which
    one is met first depends on how well a node rules out others.
    """

    def __init__(
        self, task: Task, problem: Problem, enough: float, checks: int, tick: Callable[[float], None]
    ) -> None:
        self.problem, self.most, self.enough = problem, task.most, enough
        self.limit = task.limit
        self.left, self.checks, self.tick = checks, checks, tick
        room = [w * (1 - 1 / shape.leaves) for w, shape in zip(task.weights, task.shapes, strict=True)]
        self.loss = Loss(problem, Objective("arithmetic", tuple(room) if any(room) else ()))
        self.scale = sum(room)
        self.rounding = _ROUNDING * self.scale
        least = np.array([1 / shape.leaves for shape in task.shapes])
        self.weights = np.array(task.weights)[:, None] / problem.rows
        self.costs = self.weights * (self.loss.totals - least[:, None] * problem.rows)
        self.best: tuple[float, int, Levels] | None = None
        """Detail lost, suppressed rows and levels of the best node so far."""
        self.heap: list[tuple[float, int, Levels, Levels, Levels, Lost]] = []

    def run(self) -> Levels | None:
        """The levels of the best node below ``enough``, or None."""
        attributes = self.problem.attributes
        top = tuple(attribute.highest for attribute in attributes)
        self._open(tuple(attribute.lowest for attribute in attributes), top, (), np.zeros_like(self.costs))
        while self.heap and self.left > 0:
            bound, _, low, high, looked, lost = heapq.heappop(self.heap)
            if bound >= self.enough:
                break
            costs = self._costs(lost)
            spans = [
                costs[i, b] - costs[i, a] if b > a else -1.0
                for i, (a, b) in enumerate(zip(low, high, strict=True))
            ]
            i = int(np.argmax(spans))
            if spans[i] < 0:
                continue  # a single node, which has been looked at
            middle = (low[i] + high[i]) // 2
            self._open((*low[:i], middle + 1, *low[i + 1 :]), high, looked, lost)
            self._open(low, (*high[:i], middle, *high[i + 1 :]), looked, lost)
        return None if self.best is None else self.best[2]

    def _open(self, low: Levels, high: Levels, looked: Levels, lost: Lost) -> None:
        """Look at the highest node of a box that may hold a better one, unless that is the one ``looked`` at above it
        which gave what is ``lost``, and keep the box."""
        costs = self._costs(lost)
        bound = float(sum(costs[i, level] for i, level in enumerate(low)))
        if bound >= self.enough:
            return
        room = self.enough - bound
        high = tuple(
            max((level for level in range(a + 1, b + 1) if costs[i, level] - costs[i, a] < room), default=a)
            for i, (a, b) in enumerate(zip(low, high, strict=True))
        )
        if high != looked:
            if self.left <= 0:
                return
            found = self._look(high)
            if found.least_rows > self.most:
                return
            own = self.loss.lost(found) if found.least_rows else np.zeros((len(low), 1))
            lost = lost.copy()
            np.maximum(lost[:, : own.shape[1]], own, out=lost[:, : own.shape[1]])
            costs = self._costs(lost)
            bound = float(sum(costs[i, level] for i, level in enumerate(low)))
        if bound < self.enough:
            heapq.heappush(self.heap, (bound, self.left, low, high, high, lost))

    def _costs(self, lost: Lost) -> Lost:
        """What each level of each column loses at the least (m, L)."""
        made: Lost = self.costs + self.weights * lost
        return made

    def _look(self, levels: Levels) -> Grouping:
        """The classes at a node, which is remembered if it is the best."""
        self.left -= 1
        if (self.checks - self.left) % _TICK_EVERY == 0:
            self.tick(1 - self.left / self.checks)
        found = self.problem.group(levels)
        product, gone = self.loss.of(found, self.most)
        if gone <= self.most:
            cost = self.loss.as_loss(product) * self.scale
            if (
                cost < self.enough
                and self._better(cost, gone, levels)
                and keeps_persons(self.problem, levels, gone, self.limit)
            ):
                self.best = cost, gone, levels
                self.enough = min(self.enough, cost + self.rounding)
        return found

    def _better(self, cost: float, gone: int, levels: Levels) -> bool:
        if self.best is None or cost < self.best[0] - self.rounding:
            return True
        return (gone, levels) < self.best[1:]
