"""Recursive (c,l)-diversity (B.1.2): the most frequent value occurs less often than c times those from the l-th on."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import inner
from techniques.models.conditions.values import HALVINGS, TOLERANCE


@inner
def holds(condition, counts, unknown):
    """Whether that is so if all missing values are the most frequent known one."""
    margin = _margin(counts, np.inf, condition.limit, condition.factor)
    return margin - unknown > TOLERANCE


@inner
def rows_kept(condition, counts, unknown):
    """The rows that are left when the frequent values are cut down to the same number until that is so."""
    present = len(counts)
    # With every value as frequent as the others the margin is at its widest.
    if present < condition.limit or condition.factor * (present - condition.limit + 1) <= 1 + TOLERANCE:
        return 0.0
    low, high = 0.0, float(counts.max())
    for _ in range(HALVINGS):
        cap = 0.5 * (low + high)
        if _margin(counts, cap, condition.limit, condition.factor) <= TOLERANCE:
            high = cap
        else:
            low = cap
    left = 0.0
    for count in counts:
        left += min(float(count), high)
    return left + unknown


@inner
def _margin(counts, cap, l, c):  # noqa: E741 - the model's own letters
    """c times the rows from the l-th most frequent value on, less those of the most frequent one; no value counts more
    than ``cap``."""
    tail = 0.0
    for count in counts:
        tail += min(float(count), cap)
    # Value by value from the most frequent one down, those of the same number at once: l is small.
    largest, above, wanted = 0.0, np.inf, l - 1.0
    while True:
        here, alike = 0, 0
        for count in counts:
            if count < above:
                if count > here:
                    here, alike = count, 1
                elif count == here:
                    alike += 1
        frequent = min(float(here), cap)
        if above == np.inf:
            largest = frequent
        if here == 0 or wanted <= 0:
            return c * tail - largest
        taken = min(wanted, float(alike))
        tail -= taken * frequent
        wanted -= taken
        above = float(here)
