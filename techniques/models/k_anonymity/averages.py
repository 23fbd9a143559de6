"""A bound on the average risk, classes / rows: which classes of a node keep it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def smallest_kept(sizes: NDArray[np.int64], average_risk: float) -> int:
    """The class size from which on classes are kept, so that classes / rows is at most ``average_risk``."""
    if len(sizes) == 0:
        return 0
    found, number = np.unique(sizes, return_counts=True)
    classes = np.cumsum(number[::-1])[::-1]
    rows = np.cumsum((found * number)[::-1])[::-1]
    good = np.flatnonzero(classes <= rows * average_risk * (1 + 1e-12))
    return int(found[good[0]]) if len(good) else int(found[-1]) + 1


def most_kept(sizes: NDArray[np.int64], average_risk: float) -> int:
    """The most rows in classes of the given falling ``sizes`` that can be kept by that bound."""
    rows = np.cumsum(sizes)
    good = np.flatnonzero(np.arange(1, len(sizes) + 1) <= rows * average_risk * (1 + 1e-12))
    return int(rows[good[-1]]) if len(good) else 0
