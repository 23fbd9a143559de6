"""Noise of differential privacy in whole numbers: no floating-point number is ever drawn, so none can give a count away.

Each distribution is a table of cumulated probabilities, worked out with 80 digits and rounded to 63 bits; a draw
is a 63-bit word of the secret stream looked up in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, localcontext
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from techniques.core.secrets import Secrets

BITS = 63
_DIGITS = 80
_CUT = Decimal(2) ** -(BITS + 1)
Whole = NDArray[np.int64]


@lru_cache(maxsize=64)
def _table(kind: str, size: str) -> Whole:
    """P(X <= -K), P(X <= -K+1) … P(X <= K-1) times 2^63, for a symmetric X with weights that fall from 1 at 0."""
    with localcontext() as context:
        context.prec = _DIGITS
        weights = list(_laplace(Decimal(size)) if kind == "laplace" else _gaussian(Decimal(size)))
        total = 2 * sum(weights) - weights[0]
        tails, held = [], Decimal(0)
        for weight in reversed(weights[1:]):
            held += weight / total
            tails.append(held)
        scale = Decimal(2) ** BITS
        below = [int(tail * scale) for tail in tails]
        above = [int((1 - tail) * scale) for tail in reversed(tails)]
    return np.array([*below, *above], dtype=np.int64)


def _laplace(rate: Decimal) -> Iterator[Decimal]:
    """exp(-rate k) for k = 0, 1 … until the rest is nothing."""
    ratio = (-rate).exp()
    weight = Decimal(1)
    while weight > _CUT * (1 - ratio):
        yield weight
        weight *= ratio
    yield weight


def _gaussian(deviation: Decimal) -> Iterator[Decimal]:
    """exp(-k^2 / (2 deviation^2)) for k = 0, 1 … until the rest is nothing."""
    variance = deviation * deviation
    ratio, change = (-1 / (2 * variance)).exp(), (-1 / variance).exp()
    weight = Decimal(1)
    while weight > _CUT * (1 - ratio):
        yield weight
        weight *= ratio
        ratio *= change
    yield weight


class Noise:
    """Discrete Laplace noise, P(k) ~ exp(-|k| / scale), or discrete Gaussian noise, P(k) ~ exp(-k^2 / 2 scale^2).

    Canonne, Kamath and Steinke (2020) for the latter.
    """

    def __init__(self, kind: str, scale: float) -> None:
        self.kind, self.scale = kind, scale
        with localcontext() as context:
            context.prec = _DIGITS
            given = Decimal(repr(scale))
            self._table = _table(kind, str(1 / given if kind == "laplace" else given))

    def draw(self, secrets: Secrets, label: str, count: int) -> Whole:
        words = (secrets.words(label, count) >> np.uint64(1)).astype(np.int64)
        found: Whole = np.searchsorted(self._table, words, side="right").astype(np.int64)
        return found - len(self._table) // 2

    @property
    def error(self) -> float:
        """Bound of the total variation distance between one draw and the exact distribution."""
        return float((len(self._table) + 2) * 2.0**-BITS)

    def threshold(self, delta: float) -> int:
        """Smallest T with P(1 + X >= T) <= delta: a value that one row has hardly ever reaches it."""
        middle = len(self._table) // 2
        # P(X >= t) = P(X <= -t), the entry t before the middle's own.
        least = np.flatnonzero(self._table[:middle][::-1] <= delta * 2.0**BITS)
        return 2 + int(least[0]) if len(least) else 2 + middle


def choose(secrets: Secrets, label: str, scores: list[int], rate: float) -> int:
    """The exponential mechanism: one of the places, P proportional to exp(rate * score)."""
    with localcontext() as context:
        context.prec = _DIGITS
        best = max(scores)
        weights = [(Decimal(repr(rate)) * (score - best)).exp() for score in scores]
        total = sum(weights)
        edges, held = [], Decimal(0)
        for weight in weights[:-1]:
            held += weight
            edges.append(min(int(held / total * Decimal(2) ** BITS), (1 << BITS) - 1))
    word = int(secrets.words(label, 1)[0]) >> 1
    return int(np.searchsorted(np.array(edges, dtype=np.int64), word, side="right"))
