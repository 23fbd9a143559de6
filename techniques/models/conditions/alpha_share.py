"""(α,k)-anonymity: no value has more than the share α of a class (Cao et al. 2018 def. 4, of sensitivity levels)."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from techniques.core.compiling import inner
from techniques.models.conditions.values import TOLERANCE


@inner
def holds(condition, counts, rows, unknown):
    """Whether that is so if all missing values are the most frequent known one."""
    most = 0
    for count in counts:
        most = max(most, count)
    return (most + unknown) / rows <= condition.limit + TOLERANCE


@inner
def rows_kept(rows):
    """All but one: how few rows would do is not worked out."""
    return rows - 1.0
