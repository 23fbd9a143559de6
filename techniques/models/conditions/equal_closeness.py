"""t-closeness with all values equally far apart (B.1.3): half the sum of what the shares differ by."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import inner
from techniques.models.conditions.values import TOLERANCE

STEPS = 8
"""More than Newton's method takes."""


@inner
def holds(condition, counts, expected, rows, unknown):
    """Whether the class is within t of the whole table: known values have at least 1 - t in common with it.

    Missing values in the class, ``unknown``, have the share in common that they have in the table. So they add to the
    distance min(u, v), where u is their share in the class and v that elsewhere, each less that share.
    """
    common = condition.limit + unknown / condition.rows
    for i in range(len(counts)):
        common += min(expected[i], counts[i] / rows)
    return common >= 1.0 - TOLERANCE


@inner
def rows_kept(condition, counts, expected, rows, unknown):
    """The most rows whose distance may be t, whichever of the class they are.

    What they may have in common with the table is concave in 1 / rows, so Newton's steps err on the safe side.
    """
    inverse = 1.0 / rows
    for _ in range(STEPS):
        common, slope = condition.limit + unknown / condition.rows, 0.0
        for i in range(len(counts)):
            here = counts[i] * inverse
            common += min(expected[i], here)
            slope += counts[i] if here < expected[i] else 0.0
        if common >= 1.0 - TOLERANCE:
            break
        if slope == 0.0:
            return 0.0
        inverse += (1.0 - TOLERANCE - common) / slope
    return 1.0 / inverse


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
