"""The best solution by its classes: discernibility, or rows per class.

Both grow up the lattice where nothing is suppressed and levels are nested, so a node bounds all nodes above it, and the
rows that it shows to be suppressed below it bound those. Between what is too coarse and what suppresses too much little is
left; nodes drawn at random find that with fewer looks than an order by levels or bounds, which walks along its edge.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from techniques.core.messages import EngineError, _
from techniques.models.k_anonymity.loss import Loss, Objective
from techniques.models.k_anonymity.problem import Grouping, Problem
from techniques.models.k_anonymity.products import class_sums, next_open, raise_box
from techniques.models.k_anonymity.solution import Solution, effort_used_up, keeps_persons

_LARGEST = 1 << 22
_TICK_EVERY = 64
_ROUNDING = 1e-12


def search_by_classes(
    problem: Problem, limit: float, effort: int, tick: Callable[[float], None], objective: Objective
) -> Solution | None:
    """The solution of least ``objective`` with at most ``limit`` of the rows, and of the persons, suppressed; None if there is none.

    At most ``effort`` nodes are checked. Raises EngineError ``lattice_too_large`` beyond four million solutions.
    """
    if problem.lattice_size > _LARGEST:
        text = _("There are %(size)d solutions, too many for this loss: choose another or bound the levels.")
        raise EngineError("lattice_too_large", text, size=problem.lattice_size)
    lowest = np.array([attribute.lowest for attribute in problem.attributes])
    widths = np.array([attribute.highest - attribute.lowest + 1 for attribute in problem.attributes])
    strides = np.append(np.cumprod(widths[:0:-1])[::-1], 1)
    above, below = np.zeros(problem.lattice_size), np.zeros(problem.lattice_size)
    """What a node cannot fall below by those that it lies above, and by how much more by those that it lies below."""
    most = int(limit * problem.rows + 1e-9)
    best: tuple[float, int, tuple[int, ...]] | None = None
    checks = 0
    order, position = np.random.default_rng(0).permutation(above.size), 0
    while True:
        position = next_open(
            order, position, above, below, np.inf if best is None else best[0] * (1 + _ROUNDING)
        )
        if position == len(order) or checks >= effort:
            break
        checks += 1
        if checks % _TICK_EVERY == 0:
            tick(min(checks / effort, 0.99))
        node = order[position] // strides % widths
        position += 1
        levels = tuple((lowest + node).tolist())
        found = problem.group(levels)
        value, coarser, finer, gone = _values(found, problem, objective.kind)
        better = gone <= most and (best is None or (value, gone, levels) < best)
        if better and keeps_persons(problem, levels, gone, limit):
            best = (value, gone, levels)
        if problem.nested:
            raise_box(above, strides, node, widths - 1, coarser if gone else np.inf)
        if found.least_rows:
            raise_box(
                below, strides, np.zeros_like(node), node, finer if found.least_rows <= most else np.inf
            )
    left = order[position:]
    lowest_open = float((above[left] + below[left]).min(initial=np.inf))
    if best is None:
        if lowest_open < np.inf:
            raise effort_used_up(checks)
        return None
    value, _number, levels = best
    proved = lowest_open >= value
    base = problem.group(levels, problem.base)
    granularity = Loss(problem).granularity(base)
    return Solution(
        levels, value, problem.check(base), granularity, checks, value if proved else lowest_open, proved
    )


def _values(found: Grouping, problem: Problem, kind: str) -> tuple[float, float, float, int]:
    """(value of a node, what no node above it can fall below, what suppression adds to that below it, rows suppressed).

    A row costs as many as its class has, which are k at the least and no more in a finer class; a suppressed one all.
    """
    n = problem.rows
    classes, stay, alike, coarser, finer = class_sums(found.sizes, found.kept, found.least, problem.k, n)
    gone = n - stay
    if kind == "class_size":
        return (1 / classes if classes else 1.0), 1 / max(len(found.sizes), 1), 0.0, gone
    return (alike + gone * n) / n**2, coarser / n**2, finer / n**2, gone
