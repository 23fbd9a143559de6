"""The cheapest solution: best first over the lattice of generalisation levels.

A node's loss is never below its bound (its loss without suppression), and the bound grows with every
level. Nodes are met in the order of their bounds, so the search may stop as soon as the next bound is not
below the best loss found: that solution is then proved optimal. Each node has one parent (its last raised
attribute lowered by one), so none is met twice and only the open ones are held.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

from techniques.models.k_anonymity.loss import Loss
from techniques.models.k_anonymity.problem import Check, Problem

_LARGE_LATTICE = 50_000
_TICK_EVERY = 64
_ROUNDING = 1e-12
"""Two losses closer than this are equal; then fewer suppressed rows win, then the lower levels."""


@dataclass(frozen=True)
class Solution:
    """Levels per attribute and what they do; ``lower_bound`` is what no solution can fall below."""

    levels: tuple[int, ...]
    loss: float
    check: Check
    checks: int
    lower_bound: float
    proved_optimal: bool


def search(problem: Problem, limit: float, effort: int, tick: Callable[[float], None]) -> Solution | None:
    """The solution of least loss with at most ``limit`` (0 … 1) of the rows suppressed; None if there is none.

    At most ``effort`` nodes are checked: a number, not a time, so that a run can be repeated exactly.
    ``tick(share)`` is called now and then and may raise to stop the search.
    """
    return _Search(problem, limit, effort, tick).run()


class _Search:
    def __init__(self, problem: Problem, limit: float, effort: int, tick: Callable[[float], None]) -> None:
        self.problem = problem
        self.loss = Loss(problem)
        # Row counts are whole: the small addition keeps 0.04 * 25 from becoming 0.99….
        self.most_suppressed = int(limit * problem.rows + 1e-9)
        self.effort = effort
        self.tick = tick
        self.checks = 0
        self.best: tuple[float, int, tuple[int, ...], Check] | None = None

    def run(self) -> Solution | None:
        attributes = self.problem.attributes
        start = tuple(attribute.lowest for attribute in attributes)
        if self.problem.lattice_size > _LARGE_LATTICE:
            self._descend()
        first = self.loss.bound(start)
        heap = [(first, start, 0)]
        while heap and self.checks < self.effort:
            bound, levels, last = heap[0]
            if self._cannot_improve(bound):
                break
            heapq.heappop(heap)
            self._check(levels)
            if self.checks % _TICK_EVERY == 0:
                self.tick(self._progress(first, bound))
            for i in range(last, len(levels)):
                if levels[i] < attributes[i].highest:
                    child = (*levels[:i], levels[i] + 1, *levels[i + 1 :])
                    child_bound = self.loss.bound(child)
                    if not self._cannot_improve(child_bound):
                        heapq.heappush(heap, (child_bound, child, i))
        if self.best is None:
            return self._fallback(heap)
        loss, _, levels, check = self.best
        proved = not heap or self._cannot_improve(heap[0][0])
        lower = loss if proved else min(heap[0][0], loss)
        return Solution(levels, loss, check, self.checks, lower, proved)

    def _fallback(self, heap: list[tuple[float, tuple[int, ...], int]]) -> Solution | None:
        """Effort used up before anything was found: the walk from the top finds something if it exists."""
        if not heap:
            return None
        lower = heap[0][0]
        self._descend()
        if self.best is None:
            return None
        loss, _, levels, check = self.best
        return Solution(levels, loss, check, self.checks, min(lower, loss), lower >= loss)

    def _cannot_improve(self, bound: float) -> bool:
        return self.best is not None and bound >= self.best[0] - _ROUNDING

    def _check(self, levels: tuple[int, ...]) -> float | None:
        """Loss of a node, remembered if it is the best; None where too many rows would be suppressed."""
        self.checks += 1
        check = self.problem.check(levels)
        if check.suppressed_rows > self.most_suppressed:
            return None
        loss = self.loss.of(levels, check.suppressed)
        found = (loss, check.suppressed_rows, levels, check)
        best = self.best
        if (
            best is None
            or loss < best[0] - _ROUNDING
            or (loss <= best[0] + _ROUNDING and found[1:3] < best[1:3])
        ):
            self.best = found
        return loss

    def _descend(self) -> None:
        """A good solution early: from the top, always lower the attribute that saves most."""
        attributes = self.problem.attributes
        levels = tuple(attribute.highest for attribute in attributes)
        here = self._check(levels)
        while here is not None:
            lowered = [
                (*levels[:i], levels[i] - 1, *levels[i + 1 :])
                for i in range(len(levels))
                if levels[i] > attributes[i].lowest
            ]
            found = [(loss, node) for node in lowered if (loss := self._check(node)) is not None]
            self.tick(0.0)
            if not found or min(found)[0] >= here:
                return
            here, levels = min(found)

    def _progress(self, first: float, bound: float) -> float:
        share = self.checks / self.effort
        if self.best is not None and self.best[0] > first:
            share = max(share, (bound - first) / (self.best[0] - first))
        return min(share, 0.99)
