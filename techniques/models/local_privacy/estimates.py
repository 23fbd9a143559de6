"""What many randomised answers say of those who sent them: estimates without bias, each with an interval of confidence.

Nothing here costs privacy: the answers are protected already, whatever is made of them (GB/T 37964-2019 B.2.5.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from techniques.core.messages import EngineError, _
from techniques.models.local_privacy.client import WHOLE, flip, scale, truth

FEWEST = 30
"""Sums of so many answers with noise are near enough to a normal distribution for an interval of their mean."""
_CLOSE = 1e-15
_ROUNDS = 200_000


class Estimate(NamedTuple):
    """A share or a mean of those who answered. A share near 0 may come out below it, one near 1 above: cut off, it would be
    biased. The bounds lie within what is possible."""

    value: float
    low: float
    high: float


def response_shares(
    counts: Sequence[int], epsilon: float, *, confidence: float = 0.95
) -> tuple[Estimate, ...]:
    """The share of each choice, from how many answers of :func:`client.response` named it.

    An interval holds for its choice with at least ``confidence``. Raises EngineError ``answers_missing``, ``confidence_range``.
    """
    answers = sum(counts)
    own = truth(epsilon, len(counts)) / WHOLE
    return _shares(counts, answers, own, (1 - own) / (len(counts) - 1), confidence)


def unary_shares(
    ones: Sequence[int], answers: int, epsilon: float, *, confidence: float = 0.95
) -> tuple[Estimate, ...]:
    """The share of each choice, from in how many of the answers of :func:`client.unary` its bit was set.

    An interval holds for its choice with at least ``confidence``. Raises EngineError ``answers_missing``, ``confidence_range``.
    """
    return _shares(ones, answers, 0.5, flip(epsilon) / WHOLE, confidence)


def mean(
    places: ArrayLike, low: float, high: float, steps: int, epsilon: float, *, confidence: float = 0.95
) -> Estimate:
    """The mean of the values, each clamped to the bounds, from the ``places`` of shape (n,) that :func:`client.noisy` gave.

    The interval is that of a normal distribution with the variance of the noise, which is known, and the largest that
    rounding can have. Raises EngineError ``answers_missing`` for fewer than :data:`FEWEST` answers, ``confidence_range``.
    """
    found = np.asarray(places, dtype=np.float64)
    if len(found) < FEWEST:
        text = _("There are too few answers: %(answers)s, and %(needed)s are needed.")
        raise EngineError("answers_missing", text, answers=len(found), needed=FEWEST)
    number, of = scale(steps, epsilon)
    ratio = math.exp(-of / number)
    variance = 2 * ratio / (1 - ratio) ** 2 + 0.25
    quantile = NormalDist().inv_cdf((1 + _checked(confidence)) / 2)
    step = (high - low) / steps
    value, reach = low + step * float(found.mean()), step * quantile * math.sqrt(variance / len(found))
    return Estimate(value, *(min(max(bound, low), high) for bound in (value - reach, value + reach)))


def _shares(
    counts: Sequence[int], answers: int, own: float, other: float, confidence: float
) -> tuple[Estimate, ...]:
    """Of ``counts`` among ``answers``, where one's own choice is counted with probability ``own``, another with ``other``.

    Clopper and Pearson's interval of the counted share, carried over. The counted are a sum of draws with two probabilities,
    whose tails are no heavier than those of one probability with the same mean (Hoeffding 1956).
    """
    if answers < 1 or not all(0 <= count <= answers for count in counts):
        raise EngineError(
            "answers_missing",
            _("There are too few answers: %(answers)s, and %(needed)s are needed."),
            answers=answers,
            needed=max([1, *counts]),
        )
    error = (1 - _checked(confidence)) / 2
    found = []
    for count in counts:
        seen = (count / answers, _least(count, answers, error), 1 - _least(answers - count, answers, error))
        value, low, high = ((share - other) / (own - other) for share in seen)
        found.append(Estimate(value, min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)))
    return tuple(found)


def _checked(confidence: float) -> float:
    if not 0.5 <= confidence < 1:
        raise EngineError("confidence_range", _("The confidence lies from 0.5 to below 1."))
    return confidence


def _least(hits: int, runs: int, error: float) -> float:
    """The smallest probability under which ``hits`` or more of ``runs`` are no rarer than ``error``."""
    if hits == 0:
        return 0.0
    low, high = 0.0, hits / runs
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if _beta(middle, hits, runs - hits + 1) <= error else (low, middle)
    return low


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function by its continued fraction (DLMF 8.17.22), for x below its mean."""
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    upper, lower = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    found = lower
    for place in range(1, _ROUNDS):
        even = place * (b - place) * x / ((a + 2 * place - 1) * (a + 2 * place))
        odd = -(a + place) * (a + b + place) * x / ((a + 2 * place) * (a + 2 * place + 1))
        for part in (even, odd):
            lower = 1 / (1 + part * lower)
            upper = 1 + part / upper
            found *= lower * upper
        if abs(lower * upper - 1) < _CLOSE:
            break
    return front * found / a
