"""The cheapest solution over the lattice of generalisation levels.

A node's loss is never below its loss without suppression, and that bound grows with every level. So a search
that meets the nodes in the order of this bound may stop when it reaches the best loss found: that solution is
then proved optimal, whether or not suppression makes the conditions non-monotone.

:class:`_Pruned` serves lattices that fit into memory. It looks at high nodes first: rows that one
shows to be suppressed are suppressed in every node below it too, which raises the bounds of all of them at
once, or rules them out. :class:`_Boxes` serves larger ones: it holds boxes of nodes.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from techniques.models.k_anonymity.class_search import search_by_classes
from techniques.models.k_anonymity.loss import Loss, Objective
from techniques.models.k_anonymity.problem import Grouping, Problem
from techniques.models.k_anonymity.products import lattice, raise_box
from techniques.models.k_anonymity.solution import Levels, Solution, effort_used_up, keeps_persons
from techniques.models.k_anonymity.traversal import DONE, FOUND, START, TICK_EVERY, Stop, Traversal

_LARGE_LATTICE = 1 << 20
_ROUNDING = 1e-12
"""Two losses closer than this are equal; then fewer suppressed rows win, then the lower levels."""


def search(
    problem: Problem,
    limit: float,
    effort: int,
    tick: Callable[[float], None],
    objective: Objective | None = None,
) -> Solution | None:
    """The solution of least loss with at most ``limit`` (0 … 1) of the rows, and of the persons, suppressed; None if there is
    none.

    At most ``effort`` nodes are checked: a number, not a time, so that a run can be repeated exactly. EngineError
    ``effort_used_up`` where that was not enough to find a solution, or to rule out that there is one.
    Among equal losses that the effort can check the fewest suppressed rows win, then the lowest levels; in
    lattices of more than a million nodes among what was looked at anyway.
    ``tick(share)`` is called now and then and may raise to stop the search. Loss is that of ``objective``.
    """
    if objective is not None and objective.kind in ("discernibility", "class_size"):
        return search_by_classes(problem, limit, effort, tick, objective)
    made = _Pruned if problem.lattice_size <= _LARGE_LATTICE else _Boxes
    return made(problem, limit, effort, tick, objective).run()


class _Search(ABC):
    upwards = True
    """Whether nodes may be met after one that lies below them."""

    def __init__(
        self,
        problem: Problem,
        limit: float,
        effort: int,
        tick: Callable[[float], None],
        objective: Objective | None = None,
    ) -> None:
        self.problem = problem
        self.loss = Loss(problem, objective)
        # Row counts are whole: the small addition keeps 0.04 * 25 from becoming 0.99….
        self.most_suppressed = int(limit * problem.rows + 1e-9)
        self.limit = limit
        self.effort = effort
        self.tick = tick
        self.checks = 0
        self.best: tuple[float, int, Levels] | None = None
        """Product, suppressed rows and levels of the best solution so far."""
        self.enough = np.inf
        """Product from which on a node cannot be better."""
        self.tolerance = 1 - _ROUNDING * len(problem.attributes)

    @abstractmethod
    def run(self) -> Solution | None:
        """The solution, or None if there is none."""

    def _check(self, levels: Levels) -> tuple[Grouping, float | None]:
        """A node and its product, remembered if it is the best; None where too many rows, or persons, would go."""
        found = self._formed(levels)
        if found.least_rows > self.most_suppressed:
            return found, None
        return found, self._measured(levels, *self.loss.of(found, self.most_suppressed))

    def _formed(self, levels: Levels) -> Grouping:
        """A node, counted as checked."""
        self.checks += 1
        if self.checks % TICK_EVERY == 0:
            self.tick(min(self.checks / self.effort, 0.99))
        return self.problem.group(levels, self.loss.source, keep=self.upwards)

    def _measured(self, levels: Levels, product: float, suppressed: int) -> float | None:
        """The product of :meth:`_check`, of a node that suppresses so many rows."""
        if suppressed > self.most_suppressed:
            return None
        best, here = self.best, (product, suppressed, levels)
        equal = best is not None and abs(product - best[0]) <= best[0] * (1 - self.tolerance)
        if best is None or (here[1:] < best[1:] if equal else product < best[0]):
            if not keeps_persons(self.problem, levels, suppressed, self.limit):
                return None
            self.best = here
            self.enough = product * self.tolerance
        return product

    def _solution(self, lowest_open: float) -> Solution | None:
        """The best, where no node left open is below the product ``lowest_open``."""
        if self.best is None:
            if lowest_open < np.inf:
                raise effort_used_up(self.checks)
            return None
        self._lower()
        product, suppressed, levels = self.best
        # Where no row goes, classes of whatever node below tell as much as all combinations.
        few = suppressed == 0 and self.problem.persons is None
        found = self.problem.group(levels, None if few else self.problem.base, keep=False)
        check = self.problem.check(found)
        own = self.loss if self.loss.objective.kind == "geometric" else Loss(self.problem)
        granularity = own.granularity(found)
        loss = self.loss.as_loss(product)
        proved = lowest_open >= self.enough
        lower = loss if proved else min(self.loss.as_loss(lowest_open), loss)
        return Solution(levels, loss, check, granularity, self.checks, lower, proved)

    def _lower(self) -> None:
        """Go from the best to one as good with lower levels, where a level above loses nothing more."""
        assert self.best is not None
        factors = self.loss.factors
        for i, attribute in enumerate(self.problem.attributes):
            while (levels := self.best[2])[i] > attribute.lowest:
                at = levels[i] - attribute.lowest
                if factors[i][at - 1] < factors[i][at] * self.tolerance:
                    break
                self._check((*levels[:i], levels[i] - 1, *levels[i + 1 :]))
                if self.best[2] == levels:
                    break

    def _descend(self) -> None:
        """A good solution early: from the top, always lower the attribute that saves most."""
        attributes = self.problem.attributes
        levels = tuple(attribute.highest for attribute in attributes)
        here = self._check(levels)[1]
        while here is not None:
            lowered = [
                (*levels[:i], levels[i] - 1, *levels[i + 1 :])
                for i in range(len(levels))
                if levels[i] > attributes[i].lowest
            ]
            found = [(product, node) for node in lowered if (product := self._check(node)[1]) is not None]
            self.tick(0.0)
            if not found or min(found)[0] >= here:
                return
            here, levels = min(found)


class _Pruned(_Search):
    """All bounds in one array, from the top of what is open downwards: what is high rules out most."""

    upwards = False

    def run(self) -> Solution | None:
        attributes = self.problem.attributes
        self.lowest = np.array([attribute.lowest for attribute in attributes])
        self.widths = np.array([attribute.highest - attribute.lowest + 1 for attribute in attributes])
        # Where no row may go, a node rules out all below it or nothing: then those with most below come first.
        self.bounds, self.heights, self.strides = lattice(
            self.loss.factors, self.widths, self.most_suppressed == 0
        )
        self.traversal = Traversal(
            self.loss, self.most_suppressed, self.effort, self.bounds, self.heights, self.strides, self.widths
        )
        lowest_open = self._look_at_open(lambda: (len(self.bounds), self.enough))
        if self.best is None and lowest_open < np.inf:
            self._descend()
        if self.best is not None and lowest_open >= self.enough:
            # Proved. What loses as much may suppress fewer rows, or have lower levels.
            if self.best[1] == self.problem.rows:
                self._check(tuple(self.lowest.tolist()))
            if self.best[1] < self.problem.rows:
                self._look_at_open(self._equal)
            lowest_open = np.inf
        return self._solution(lowest_open)

    def _equal(self) -> tuple[int, float]:
        """Nodes where no row goes; only lower levels can be better, and nodes are in the order of their levels."""
        assert self.best is not None
        _, gone, levels = self.best
        places = len(self.bounds) if gone else int((np.array(levels) - self.lowest) @ self.strides)
        return places, self.enough / self.tolerance**2

    def _look_at_open(self, among: Callable[[], tuple[int, float]]) -> float:
        """Look at nodes until none of the first so many is open below a product, or the effort is spent; the lowest
        bound left open."""
        stop = Stop.none()
        while True:
            stop = self.traversal.on(stop, self.checks, *among(), *self._thresholds())
            self.checks = stop.checks
            if stop.why == DONE:
                return stop.value
            if stop.why == START:
                self.traversal.learn(*self.problem.source(stop.levels))
            elif stop.why == FOUND:
                self._measured(tuple(stop.levels.tolist()), stop.value, stop.suppressed)
            else:
                self._look(int(stop.places[stop.position]), tuple(stop.levels.tolist()))

    def _thresholds(self) -> tuple[float, float]:
        """The product from which on a node raises the bounds below it, and that above which it is not as good as the best."""
        # What a search that may run out of effort has shown so far is in its bounds.
        return (
            self.enough if self.problem.lattice_size <= self.effort else 0.0,
            self.enough / self.tolerance**2,
        )

    def _look(self, place: int, levels: Levels) -> None:
        """Check a node and tell all nodes below it what it shows."""
        found = self._formed(levels)
        if found.least_rows > self.most_suppressed:
            node = found.at - self.lowest
            raise_box(self.bounds, self.strides, np.zeros_like(node), node, np.inf)
        else:
            enough, wanted = self._thresholds()
            product, suppressed = self.loss.weighed(
                found, self.bounds, self.strides, place, self.most_suppressed,
                enough if found.least_rows else np.inf, wanted,
            )  # fmt: skip
            self._measured(found.levels, product, suppressed)
        self.bounds[place] = np.inf


class _Boxes(_Search):
    """Branch and bound over boxes of nodes, for lattices that do not fit into memory.

    No node of a box loses less than its lowest one without suppression, and the rows that its highest one shows to be
    suppressed are suppressed in all of them. The box of the lowest bound is cut in two; the search may end at any time,
    with the best node seen and the lowest bound of what is left.
    """

    def run(self) -> Solution | None:
        attributes = self.problem.attributes
        self.factors = self.loss.factors
        self.lowest = [attribute.lowest for attribute in attributes]
        self._descend()
        heap: list[tuple[float, int, Levels, Levels, NDArray[np.float64]]] = []
        self._open(heap, tuple(self.lowest), tuple(attribute.highest for attribute in attributes))
        while heap and self.checks < self.effort:
            if heap[0][0] >= self.enough:
                break
            _, _, low, high, lost = heapq.heappop(heap)
            i = self._widest(low, high)
            if i < 0:
                continue  # a single node, which has been checked
            middle = (low[i] + high[i]) // 2
            raised = (*low[:i], middle + 1, *low[i + 1 :])
            bound = self.loss.bound(raised, lost)
            if bound < self.enough:
                heapq.heappush(heap, (bound, self.checks, raised, high, lost))
            self._open(heap, low, (*high[:i], middle, *high[i + 1 :]))
        return self._solution(heap[0][0] if heap else np.inf)

    def _open(
        self, heap: list[tuple[float, int, Levels, Levels, NDArray[np.float64]]], low: Levels, high: Levels
    ) -> None:
        """Check the highest node of a box and keep the box, if a better one may lie in it."""
        found = self._check(high)[0]
        if found.least_rows > self.most_suppressed:
            return
        lost = self.loss.lost(found) if found.least_rows else np.zeros_like(self.loss.totals)
        bound = self.loss.bound(low, lost)
        if bound < self.enough:
            heapq.heappush(heap, (bound, -self.checks, low, high, lost))

    def _widest(self, low: Levels, high: Levels) -> int:
        """The attribute whose levels in the box differ most in loss; -1 where it is a single node."""
        best, widest = -1, 0.0
        for i, (a, b) in enumerate(zip(low, high, strict=True)):
            if a < b:
                ratio = self.factors[i][b - self.lowest[i]] / self.factors[i][a - self.lowest[i]]
                if best < 0 or ratio > widest:
                    best, widest = i, ratio
        return best
