"""The best solution by its classes: discernibility, or rows per class.

Both grow up the lattice where nothing is suppressed and levels are nested, so a node bounds all nodes above it; rows that
it shows to be suppressed below it bound those. Nodes are looked at in the order of their bounds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from techniques.core.messages import EngineError, gettext_noop
from techniques.models.k_anonymity.loss import Loss, Objective
from techniques.models.k_anonymity.problem import Grouping, Problem
from techniques.models.k_anonymity.solution import Solution, effort_used_up

_LARGEST = 1 << 22
_TICK_EVERY = 64


def search_by_classes(
    problem: Problem, limit: float, effort: int, tick: Callable[[float], None], objective: Objective
) -> Solution | None:
    """The solution of least ``objective`` with at most ``limit`` of the rows suppressed; None if there is none.

    At most ``effort`` nodes are checked. Raises EngineError ``lattice_too_large`` beyond four million solutions.
    """
    if problem.lattice_size > _LARGEST:
        raise EngineError(
            "lattice_too_large",
            gettext_noop(
                "There are %(size)d solutions, too many for this loss: choose another or bound the levels."
            ),
            size=problem.lattice_size,
        )
    lowest = np.array([attribute.lowest for attribute in problem.attributes])
    widths = np.array([attribute.highest - attribute.lowest + 1 for attribute in problem.attributes])
    # An array has 64 axes at the most: attributes of a single level have none.
    free = np.flatnonzero(widths > 1) if (widths > 1).any() else np.array([0])
    bounds = np.zeros(widths[free])
    most = int(limit * problem.rows + 1e-9)
    best: tuple[float, int, tuple[int, ...]] | None = None
    checks = 0
    lowest_open = 0.0
    while True:
        place = int(bounds.argmin())
        node = np.unravel_index(place, bounds.shape)
        lowest_open = float(bounds[node])
        if lowest_open == np.inf or checks >= effort or (best is not None and lowest_open >= best[0]):
            break
        checks += 1
        if checks % _TICK_EVERY == 0:
            tick(min(checks / effort, 0.99))
        raised = lowest.copy()
        raised[free] += np.array(node, dtype=np.int64)
        levels = tuple(raised.tolist())
        found = problem.group(levels)
        value, bound, gone = _values(found, problem, objective.kind)
        if gone <= most and (best is None or (value, gone, levels) < best):
            best = (value, gone, levels)
        if problem.nested:
            above = bounds[tuple(slice(at, None) for at in node)]
            np.maximum(above, bound, out=above)
        below = bounds[tuple(slice(None, at + 1) for at in node)]
        if found.least_rows > most:
            below[...] = np.inf
        bounds[node] = np.inf
    if best is None:
        if lowest_open < np.inf:
            raise effort_used_up(checks)
        return None
    value, _, levels = best
    proved = lowest_open >= value
    base = problem.group(levels, problem.base)
    granularity = Loss(problem).granularity(base)
    return Solution(
        levels, value, problem.check(base), granularity, checks, value if proved else lowest_open, proved
    )


def _values(found: Grouping, problem: Problem, kind: str) -> tuple[float, float, int]:
    """(value of a node, what no node above it can fall below, rows suppressed)."""
    kept = found.sizes[found.kept].astype(np.float64)
    n = float(problem.rows)
    gone = problem.rows - int(kept.sum())
    if kind == "class_size":
        return (1 / len(kept) if len(kept) else 1.0), 1 / max(len(found.sizes), 1), gone
    every = found.sizes.astype(np.float64)
    return (float((kept**2).sum()) + gone * n) / n**2, float((every**2).sum()) / n**2, gone
