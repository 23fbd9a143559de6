"""Entropy l-diversity (B.1.2): the values of a class are as varied as l equally frequent ones."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import inner
from techniques.models.conditions.values import HALVINGS, TOLERANCE


@inner
def holds(condition, counts, rows, unknown):
    """Whether the entropy is that of l values, if all missing values are the most frequent known one."""
    entropy = 0.0
    most = 0
    for count in counts:
        if count > 0:
            share = count / rows
            entropy -= share * np.log(share)
            most = max(most, count)
    if unknown > 0 and most > 0:
        share, grown = most / rows, (most + unknown) / rows
        entropy += share * np.log(share) - grown * np.log(grown)
    return entropy >= np.log(condition.limit) - TOLERANCE


@inner
def rows_kept(condition, counts, unknown):
    """The rows that are left when the frequent values are cut down to the same number until the entropy is reached."""
    if len(counts) < condition.limit:
        return 0.0
    low, high = 0.0, float(counts.max())
    for _ in range(HALVINGS):
        cap = 0.5 * (low + high)
        if _entropy(counts, cap) < np.log(condition.limit) - TOLERANCE:
            high = cap
        else:
            low = cap
    left = 0.0
    for count in counts:
        left += min(float(count), high)
    return left + unknown


@inner
def _entropy(counts, cap):
    """The entropy of ``counts``, all above 0, none of which counts more than ``cap``."""
    total = 0.0
    for count in counts:
        total += min(float(count), cap)
    entropy = 0.0
    for count in counts:
        share = min(float(count), cap) / total
        entropy -= share * np.log(share)
    return entropy
