"""Real values that stand alone, and whether made-up ones tell of them (A.7, 5.3.4 b): trees draw near what they have seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.core.subjects import Subjects

Reals = NDArray[np.float64]


def outliers_shown(real: Reals, made: Reals, few: int, whose: Subjects | None = None) -> dict[str, int]:
    """How many rows of ``real`` (n,) stand alone and how many of ``made`` (m,) tell of them; empty where none does. NaN: missing.

    What stands alone is of fewer than ``few`` rows, or persons (``whose``, n), and more than twice as far from the median as every
    other value on its side, which are ``few`` rows at least: a made-up value beyond all those can come from nowhere else.
    """
    there = ~np.isnan(real)
    values, persons = real[there], None if whose is None else whose[there]
    if not len(values):
        return {}
    alone = shown = 0
    middle = float(np.median(values))
    for side in (1.0, -1.0):
        rows, limit = _alone(side * (values - middle), few, persons)
        if rows:
            alone += rows
            shown += int(np.count_nonzero(side * (made - middle) > limit))
    return {"rows": alone, "made_up": shown} if shown else {}


def _alone(distances: Reals, few: int, persons: Subjects | None) -> tuple[int, float]:
    """How many rows lie alone above the others, and how far the others reach; 0 rows where there are none."""
    order = np.argsort(-distances, kind="stable")
    order = order[distances[order] >= 0]
    falling = distances[order]
    gaps = np.flatnonzero(falling[:-1] > 2 * falling[1:])
    found = (0, 0.0)
    for end in (gaps + 1).tolist():
        number = end if persons is None else len(np.unique(persons[order[:end]]))
        if number >= few or len(order) - end < few:
            break
        found = end, float(falling[end])
    return found
