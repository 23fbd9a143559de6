"""The histogram of GB/T 37964-2019 B.2.5.2 in its five steps: groups, ε, sensitivity, Laplace noise, what the result still says.

The patients are made up here so that they are those that the standard describes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from techniques.models.differential_privacy.scales import laplace_error

BANDS = (20, 30, 40, 50, 60, 70, 80)
COUNTS, PUBLISHED = (2, 1, 3, 4, 3, 4), (1, 2, 5, 3, 2, 3)
"""The histogram that the standard prints, without noise and with."""
CONFIDENCE = 0.95
_ILL = (21, 27, 31, 42, 46, 48, 52, 55, 58, 60, 61, 64, 69, 71, 74, 76, 78)
"""Ages of the patients with a heart disease, Alice's 31, Dave's 46 and Emily's 78 among them."""
_OTHERS = (72, 35, 44, 66)
"""Ages of patients without one, Cici's 72 among them; the histogram does not count them."""
_DAVE = 46


Draw = Callable[[float, int], Sequence[int]]
"""Whole numbers of Laplace noise, so many of this scale."""


class Steps(NamedTuple):
    """``histogram``, ``noise`` and their sum ``noisy`` have a number for each band of :data:`BANDS`; ``error`` is how far off a count is at
    most in 95 of 100 draws; ``beliefs`` are what somebody who knows all other patients and holds Dave's disease for as likely as not
    believes after ``noisy``, and at most after any result; ``patients`` is how many are counted."""

    patients: int
    histogram: tuple[int, ...]
    epsilon: float
    sensitivity: int
    scale: float
    noise: tuple[int, ...]
    noisy: tuple[int, ...]
    error: int
    beliefs: tuple[float, float]


def steps(epsilon: float, draw: Draw) -> Steps:
    """The five steps with a budget ``epsilon`` above 0."""
    patients = [(age, True) for age in _ILL] + [(age, False) for age in _OTHERS]
    histogram = _counts([age for age, ill in patients if ill])
    sensitivity = max(int(np.abs(np.subtract(histogram, one)).sum()) for one in _without())
    scale = sensitivity / epsilon
    noise = tuple(draw(scale, len(histogram)))
    noisy = tuple(count + drawn for count, drawn in zip(histogram, noise, strict=True))
    most = 1 / (1 + math.exp(-epsilon))
    return Steps(
        len(_ILL), histogram, epsilon, sensitivity, scale, noise, noisy, laplace_error(scale, CONFIDENCE),
        (belief(noisy, scale), most),
    )  # fmt: skip


def losses(published: Sequence[int], scale: float) -> list[float]:
    """For each patient how much likelier ``published`` is with them than without, as a logarithm."""
    near = int(np.abs(np.subtract(published, COUNTS)).sum())
    return [float(int(np.abs(np.subtract(published, one)).sum()) - near) / scale for one in _without()]


def belief(published: Sequence[int], scale: float) -> float:
    """How likely Dave's disease is after ``published`` for somebody who knows all others and held it for as likely as not."""
    return 1 / (1 + math.exp(-losses(published, scale)[_ILL.index(_DAVE)]))


def _without() -> list[tuple[int, ...]]:
    return [_counts([age for place, age in enumerate(_ILL) if place != left]) for left in range(len(_ILL))]


def _counts(ages: Sequence[int]) -> tuple[int, ...]:
    # A band has its upper bound and not its lower.
    places = np.searchsorted(BANDS, ages) - 1
    return tuple(np.bincount(places, minlength=len(BANDS) - 1).tolist())
