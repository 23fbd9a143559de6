"""No value has more than the share α of a class, as in (α,k)-anonymity; or, of values that have sensitivity levels, no level
(Cao et al. 2018, definition 4).

``factor`` is the number of levels, 0 where each value is one.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from techniques.core.compiling import inner
from techniques.models.conditions.values import TOLERANCE


@inner
def holds(condition, counts, levels, rows, unknown):
    """Whether that is so if all missing values are of the most frequent one or level; ``levels`` are numbered from 0."""
    most = 0
    if condition.factor == 0:
        for count in counts:
            most = max(most, count)
    for level in range(int(condition.factor)):
        here = 0
        for i in range(len(counts)):
            if levels[i] == level:
                here += counts[i]
        most = max(most, here)
    return (most + unknown) / rows <= condition.limit + TOLERANCE


@inner
def rows_kept(rows):
    """All but one: how few rows would do is not worked out."""
    return rows - 1.0
