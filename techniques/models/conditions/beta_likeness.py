"""β-likeness (Cao & Karras 2012, basic): no value's share in a class exceeds that in the whole table by more than β
times the latter.

With p the share in a class of n rows and q that in the table of N: (p - q) / q ≤ β. A missing value counts as a value of
its own, and all of a class as whichever known value gains most by them: (p + μ) / (q + μ·n/N) ≤ 1 + β with their share μ.
Either is an inequality between numbers of rows that may be added up over classes, so a union of classes that hold it
holds it.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from techniques.core.compiling import inner
from techniques.models.conditions.values import HALVINGS, TOLERANCE


@inner
def holds(condition, counts, expected, rows, unknown, shares):
    """Whether no value gains more; ``shares`` are those of all values, of which the first may be a missing one."""
    most = 1.0 + condition.limit + TOLERANCE
    for i in range(len(counts)):
        if counts[i] / rows > most * expected[i]:
            return False
        if (counts[i] + unknown) / rows > most * (expected[i] + unknown / condition.rows):
            return False
    if unknown > 0:
        # Where none is missing in the table, they are values of persons who have several, which are no value of their own.
        if shares[0] > 0 and unknown / rows > most * shares[0]:
            return False
        # A value that does not occur in the class gains most if it is the rarest.
        rarest = 1.0
        for value in range(1, len(shares)):
            rarest = min(rarest, shares[value])
        return len(shares) == 1 or unknown / rows <= most * (rarest + unknown / condition.rows)
    return True


@inner
def rows_kept(condition, counts, expected, rows, unknown):
    """The most rows of which each known value has at most its share, whichever of the class they are."""
    low, high = 0.0, float(rows)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        most = (1.0 + condition.limit + TOLERANCE) * middle
        left = float(unknown)
        for i in range(len(counts)):
            left += min(float(counts[i]), most * expected[i])
        if left < middle:
            high = middle
        else:
            low = middle
    return high
