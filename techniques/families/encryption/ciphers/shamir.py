"""A.2.6: Shamir's secret sharing over the field of 2^61-1, for whole columns.

Shares of one holder may be added; t shares of the sums give the sum. Fewer than t tell nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

PRIME = (1 << 61) - 1
LIMIT = 1 << 59
"""Secrets and their sums must stay below this in absolute value, or they wrap around."""
Words = NDArray[np.uint64]

_P, _61 = np.uint64(PRIME), np.uint64(61)
_31, _LOW31 = np.uint64(31), np.uint64((1 << 31) - 1)
_30, _LOW30 = np.uint64(30), np.uint64((1 << 30) - 1)


def _reduced(numbers: Words) -> Words:
    found = (numbers & _P) + (numbers >> _61)
    return np.where(found >= _P, found - _P, found)


def _times(numbers: Words, factor: int) -> Words:
    """Field elements times a number below 2^31."""
    small = np.uint64(factor)
    low = (numbers & _LOW30) * small
    high = (numbers >> _30) * small
    # high · 2^30 = (its upper part) · 2^61 + (its lower 31 bits) · 2^30, and 2^61 is 1.
    return _reduced(_reduced(low) + (high >> _31) + ((high & _LOW31) << _30))


def share(secrets: NDArray[np.int64], coefficients: Sequence[Words], holder: int) -> Words:
    """The share of ``holder`` (1 …): the polynomial with n secrets and t-1 rows of random coefficients there."""
    result: Words = np.zeros(len(secrets), dtype=np.uint64)
    for coefficient in reversed(coefficients):
        result = _times(_reduced(result + _reduced(coefficient)), holder)
    return _reduced(result + (secrets % PRIME).astype(np.uint64))


def add(shares: Words) -> int:
    """One holder's share of the sum of n secrets."""
    return sum(map(int, shares)) % PRIME


def combine(shares: Mapping[int, Sequence[int]]) -> list[int]:
    """The secrets from at least t holders' shares (holder → n shares), by interpolation at zero.

    With fewer than t the result is meaningless, which nobody can tell from it.
    """
    weights = {}
    for holder in shares:
        numerator = denominator = 1
        for other in shares:
            if other != holder:
                numerator = numerator * other % PRIME
                denominator = denominator * (other - holder) % PRIME
        weights[holder] = numerator * pow(denominator, -1, PRIME) % PRIME
    columns = [[int(x) * weights[holder] for x in column] for holder, column in shares.items()]
    secrets = [sum(row) % PRIME for row in zip(*columns, strict=True)]
    return [secret - PRIME if secret > PRIME // 2 else secret for secret in secrets]
