"""Success rates with their intervals, and what of a success is owed to the release of the attacked records themselves.

Giomi, Boenisch, Wehmeyer and Tasnádi, A unified framework for quantifying privacy risk in synthetic data (2023): the same attack on
persons who are not in the data says how much any such table gives away; what is above that is the risk of being in it.
"""

from __future__ import annotations

from math import sqrt

from techniques.core.settings import Frozen

Z = 1.959964
"""Of an interval that holds the true rate 95 times in a hundred."""


class Rate(Frozen):
    """``successes`` of ``attempts``, fractions where a guess among several that look alike is right by chance; ``low`` and
    ``high`` are Wilson's interval (95 %). All are 0 where nothing could be tried, and the interval is then 0 to 1."""

    attempts: int
    successes: float
    low: float
    high: float

    @classmethod
    def of(cls, successes: float, attempts: int) -> Rate:
        """The rate of so many successes."""
        low, high = wilson(successes, attempts)
        return cls(attempts=attempts, successes=successes, low=low, high=high)

    @property
    def value(self) -> float:
        return self.successes / self.attempts if self.attempts else 0.0


class Excess(Frozen):
    """What the attack succeeds more often than without the attacked records: (attack - other) / (1 - other), from 0 to 1."""

    value: float
    low: float
    high: float


def wilson(successes: float, attempts: int, z: float = Z) -> tuple[float, float]:
    """Wilson's interval of a share; of successes that are chances it is too wide rather than too narrow."""
    if attempts == 0:
        return 0.0, 1.0
    share, squared = successes / attempts, z * z
    middle = (share + squared / (2 * attempts)) / (1 + squared / attempts)
    half = z * sqrt(share * (1 - share) / attempts + squared / (4 * attempts**2)) / (1 + squared / attempts)
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def excess(attack: Rate, other: Rate) -> Excess | None:
    """The derived risk, its errors those of both rates together; None where either was not tried or the other never fails."""
    if not attack.attempts or not other.attempts or other.value >= 1:
        return None
    value = (attack.value - other.value) / (1 - other.value)
    middles = [(one.low + one.high) / 2 for one in (attack, other)]
    halves = [(one.high - one.low) / 2 for one in (attack, other)]
    left = 1 - middles[1]
    middle = (middles[0] - middles[1]) / left
    error = sqrt((halves[0] / left) ** 2 + (halves[1] * (middles[0] - 1) / left**2) ** 2)
    return Excess(
        value=_bounded(value),
        low=_bounded(min(middle - error, value)),
        high=_bounded(max(middle + error, value)),
    )


def _bounded(share: float) -> float:
    return min(1.0, max(0.0, share))
