"""t-closeness with all values equally far apart (B.1.3): half the sum of what the shares differ by."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import inner
from techniques.models.conditions.values import HALVINGS, TOLERANCE


@inner
def holds(condition, counts, expected, rows, unknown):
    """Whether the class is within t of the whole table."""
    distance = _distance(counts, expected, float(rows)) - unknown / condition.rows
    return distance <= condition.limit + TOLERANCE


@inner
def rows_kept(condition, counts, expected, rows, unknown):
    """The most rows whose distance may be t, whichever of the class they are."""
    low, high = 0.0, float(rows)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        distance = _distance(counts, expected, middle) - unknown / condition.rows
        if distance > condition.limit + TOLERANCE:
            high = middle
        else:
            low = middle
    return high


@inner
def _distance(counts, expected, rows):
    """Least distance from the whole table of so many ``rows`` taken from those with these ``counts``, where no value is
    missing. Missing values in the class take from it the share that they have in the table.

    With all rows it is the distance itself, to which missing values add min(u, v): u is their share in the class and v
    that elsewhere, each less what both have in common.
    """
    covered = 0.0
    distance = 0.0
    for i in range(len(counts)):
        covered += expected[i]
        distance += max(0.0, expected[i] - counts[i] / rows)
    return distance + max(0.0, 1.0 - covered)


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
