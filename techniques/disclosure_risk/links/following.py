"""Which columns follow from others: each value of the one has one value of the other, or nearly.

Only values that several persons have can show it: what is of one person alone has one value of everything. A person with
several rows counts once for each pair of values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from techniques.disclosure_risk.links.counting import Cells

AGREE = 0.98
"""The share from which a column nearly follows from another."""
_UNEXPLAINED = 0.2
"""The most that may be left of what the commonest value alone gets wrong: a column of nearly one value follows from nothing."""
LEAST = 10
"""Persons that have to be compared, and that have to have another value than the commonest one."""
_LEAST_SHARE = 0.1
"""The least share of the persons with both values that have to be compared."""


@dataclass(frozen=True)
class Follows:
    """``column`` follows from the column ``source``: of ``compared`` persons who share their value of ``source`` with others,
    ``agree`` have the value of ``column`` that is commonest there."""

    column: str
    source: str
    compared: int
    agree: int


def following(cells: Cells, tick: Callable[[float], None] = lambda share: None) -> list[Follows]:
    """Every column that follows from another one, by pairs of columns; the surest first."""
    found = []
    shared = [cells.shared(column) for column in range(len(cells.names))]
    pairs = list(combinations(range(len(cells.names)), 2))
    for done, pair in enumerate(pairs):
        values, counts = cells.pairs(*pair)
        for source, column in ((0, 1), (1, 0)):
            names = cells.names[pair[column]], cells.names[pair[source]]
            one = _follows(*names, values[source], values[column], counts, shared[pair[source]])
            if one is not None:
                found.append(one)
        tick((done + 1) / len(pairs))
    return sorted(found, key=lambda one: (one.agree < one.compared, -one.compared, one.source, one.column))


def _follows(
    column: str,
    source: str,
    here: NDArray[np.int32],
    there: NDArray[np.int32],
    counts: NDArray[np.int64],
    shared: NDArray[np.bool_],
) -> Follows | None:
    """From the persons of each pair of values, ``here`` of the source and ``there`` of the column."""
    of_value = np.bincount(here, weights=counts, minlength=len(shared))
    several = ((of_value > 1) & shared)[here]
    filled, compared = int(counts.sum()), int(counts[several].sum())
    if compared < max(LEAST, _LEAST_SHARE * filled):
        return None
    here, there, counts = here[several], there[several], counts[several]
    most = np.zeros(len(shared), np.int64)
    np.maximum.at(most, here, counts)
    agree, common = int(most.sum()), int(np.bincount(there, weights=counts).max())
    unusual = compared - common
    if unusual < LEAST or agree < AGREE * compared or compared - agree > _UNEXPLAINED * unusual:
        return None
    return Follows(column, source, compared, agree)
