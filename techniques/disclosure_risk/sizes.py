"""Figures against their bounds, and from a probability to the size of a class; plain arithmetic, so that a page can use it
without the numerical libraries."""

from __future__ import annotations

from collections.abc import Sequence

THRESHOLD_OF = {"high": 0.05, "medium": 0.075, "low": 0.1}
"""Probability above which a record is at risk, for a high, medium or low invasion of privacy (B.1.4.1 a)."""
THRESHOLDS = tuple(THRESHOLD_OF.values())
MANY_COLUMNS, NEARLY_ALL = 8, 0.9
"""From so many quasi-identifiers on it is said how few of them tell so much (D.2)."""
_ROUNDING = 1e-9
"""By how much a figure may lie beside the one that is meant: products are not exact in binary, and who means a third types so
many digits of it. Below a thousand million rows no share comes that near to a bound."""


def keeps(measured: float, bound: float) -> bool:
    """Whether ``measured`` is at most ``bound``; what is not a number never is."""
    return measured <= bound + _ROUNDING


def columns_that_tell(severities: Sequence[float]) -> int:
    """After how many columns of a path nearly all is known that singles somebody out; 0 where all columns tell less."""
    return next((place for place, one in enumerate(severities, 1) if one >= NEARLY_ALL), 0)


def smallest_safe_size(threshold: float) -> int:
    """The smallest class size f with 1/f <= ``threshold``.

    By integers, since 1/f is not exact in binary: a class of 20 is safe at 0.05, of 14 at 0.075.
    """
    if not 0 < threshold <= 1:
        raise ValueError("a threshold lies above 0 and at most at 1")
    size = round(1 / threshold)
    return size if keeps(1, size * threshold) else size + 1


def smallest_class_for(cap: float) -> int:
    """The smallest class that a cap on a single record's risk allows: 0.33 means a third, so 3."""
    return 3 if abs(cap - 1 / 3) < 0.005 else smallest_safe_size(cap)
