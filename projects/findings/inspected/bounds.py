"""What a sample says of the whole: how many of N can be affected where x of the n drawn are, and how many to draw."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

CHANCE = Fraction(1, 20)
"""What is said is wrong at most so often: 95 % confidence."""
SHARE = Fraction(1, 20)
"""The draw is large enough, unless something else is asked for, that nothing found says: at most so large a share."""

LARGEST = 59
"""What very many need: 0.95 to the power of 59 is below 5 %. Without replacement it is never more."""


@lru_cache(maxsize=4096)
def most_affected(population: int, size: int, found: int) -> int:
    """The exact upper bound of the hypergeometric distribution: the largest K of ``population`` with which ``found`` or fewer among
    ``size`` drawn are still seen more often than in ``CHANCE`` of all draws. In whole numbers, without rounding."""
    low, high = found, population - size + found
    while low < high:
        middle = (low + high + 1) // 2
        if _is_plausible(population, size, found, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _is_plausible(population: int, size: int, found: int, affected: int) -> bool:
    seen = sum(
        comb(affected, hits) * comb(population - affected, size - hits)
        for hits in range(min(found, size) + 1)
    )
    return seen > CHANCE * comb(population, size)


def size_proposed(population: int) -> int:
    """The smallest draw of which nothing found says that at most ``SHARE`` of ``population`` is affected: 59 of very many."""
    low, high = 1, max(1, min(population, LARGEST))
    while low < high:
        middle = (low + high) // 2
        if most_affected(population, middle, 0) <= SHARE * population:
            high = middle
        else:
            low = middle + 1
    return low
