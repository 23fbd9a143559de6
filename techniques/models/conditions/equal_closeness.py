"""t-closeness with all values equally far apart (B.1.3): half the sum of what the shares differ by."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.catalogue.models import Conditions
from techniques.core.compiling import inner
from techniques.models.conditions.values import TOLERANCE, Bounds, rows_within


def bounds(settings: Conditions) -> Bounds | None:
    """t, if it is asked for with this distance."""
    return Bounds(settings.t) if settings.t is not None and settings.distance == "equal" else None


@inner
def holds(condition, counts, expected, rows, unknown):
    """Whether the class is within t of the whole table.

    Missing values in the class take from the distance the share that they have in the table: they add to it min(u, v),
    where u is their share in the class and v that elsewhere, each less what both have in common.
    """
    distance = _absent(expected) - unknown / condition.rows
    for i in range(len(counts)):
        distance += max(0.0, expected[i] - counts[i] / rows)
    return distance <= condition.limit + TOLERANCE


@inner
def rows_kept(condition, counts, expected, rows, unknown):
    """The most rows whose distance may be t, whichever of the class they are."""
    limit = condition.limit - _absent(expected) + unknown / condition.rows
    return rows_within(limit, counts, expected, rows)


@inner
def _absent(expected):
    """Share in the whole table of the values that do not occur."""
    covered = 0.0
    for share in expected:
        covered += share
    return max(0.0, 1.0 - covered)


@inner
def part_rows(condition, histogram, rows, shares):
    """The most of the ``rows`` of a class that may be taken as a class for themselves, by the shares of the whole table.

    ``shares`` are those of all values, one of which may be missing: it counts as any other.
    """
    low, high = np.int64(0), np.int64(rows)
    while high - low > 1:
        middle = (low + high) // 2
        distance = 0.0
        for value in range(len(shares)):
            distance += max(0.0, shares[value] - histogram[value] / middle)
        if distance <= condition.limit:
            low = middle
        else:
            high = middle
    return low
