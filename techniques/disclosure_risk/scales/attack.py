"""What the risk by information entropy assumes of the attacker; no numerical library is needed to say it."""

from __future__ import annotations

from math import comb

from pydantic import Field

from techniques.core.settings import ClosedModel


class Attack(ClosedModel):
    """What is assumed of the attacker and of the worth of the attributes.

    An attacker may know up to ``most_known`` quasi-identifiers, each with the probability ``known``. Laying open a
    sensitive attribute weighs ``sensitive``, a quasi-identifier ``quasi``. The defaults are those that give the printed
    scores of the method's source.
    """

    known: float = Field(default=0.3, gt=0, le=1)
    most_known: int = Field(default=16, ge=1, le=1000)
    sensitive: float = Field(default=0.5, ge=0, le=1)
    quasi: float = Field(default=0.05, ge=0, le=1)

    def frequency(self, dimension: int) -> float:
        """The chance that an attacker knows at least ``dimension`` columns (binomial)."""
        n, p = self.most_known, self.known
        return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(dimension, n + 1))
