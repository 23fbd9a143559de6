"""t-closeness by the order of the values (B.1.3): rows moved along the values from first to last, over the steps."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from techniques.core.compiling import inner
from techniques.models.conditions.values import TOLERANCE, moved_by_missing


@inner
def holds(condition, histogram, reference, rows):
    """Whether the class is within t of the whole table.

    Missing values count as a value before all others, or as those that move the most: then by the sum of
    |difference + (v-u)/2| over the steps between known values and half of u + v, with u and v as in the equal distance.
    Whichever is greater counts.
    """
    steps = len(histogram) - 1
    u, v = 0.0, 0.0
    if condition.missing:
        u, v = moved_by_missing(condition, histogram, reference, rows)
    running, moved, filled = 0.0, 0.0, 0.0
    missing = condition.missing
    half = 0.5 * (v - u)
    for value in range(steps):
        running += histogram[value] / rows - reference[value]
        moved += abs(running)
        filled += abs(running + half) if missing and value > 0 else 0.0
    distance = moved / max(steps, 1)
    if condition.missing and steps > 1:
        distance = max(distance, filled / (steps - 1) + 0.5 * (u + v))
    return distance <= condition.limit + TOLERANCE


@inner
def rows_kept(rows):
    """All but one: how few rows would do is not worked out."""
    return rows - 1.0
