"""From a probability to the size of a class; plain arithmetic, so that a page can use it without the numerical libraries."""

from __future__ import annotations

THRESHOLD_OF = {"high": 0.05, "medium": 0.075, "low": 0.1}
"""Probability above which a record is at risk, for a high, medium or low invasion of privacy (B.1.4.1 a)."""
THRESHOLDS = tuple(THRESHOLD_OF.values())


def smallest_safe_size(threshold: float) -> int:
    """The smallest class size f with 1/f <= ``threshold``.

    By integers, since 1/f is not exact in binary: a class of 20 is safe at 0.05, of 14 at 0.075.
    """
    if not 0 < threshold <= 1:
        raise ValueError("a threshold lies above 0 and at most at 1")
    size = max(1, round(1 / threshold))
    while size > 1 and (size - 1) * threshold >= 1 - 1e-9:
        size -= 1
    while size * threshold < 1 - 1e-9:
        size += 1
    return size


def smallest_class_for(cap: float) -> int:
    """The smallest class that a cap on a single record's risk allows: 0.33 means a third, so 3."""
    return 3 if abs(cap - 1 / 3) < 0.005 else smallest_safe_size(cap)
