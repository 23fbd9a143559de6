"""How the privacy budget of a private synthesis is divided, and what has been spent of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from techniques.core.messages import EngineError, _
from techniques.families.synthesis.noise import BITS, Noise

L1, L2_SQUARED = 2, 2
"""Exchanging one row takes one from a cell of a table of counts and adds one to another; exchanging m rows takes up to m and
adds up to m, so that the sum of changes grows with m and that of their squares with m²."""
SCORE = 2
"""What the exchange of a row changes in the distance of two tables of counts, at most; of m rows m times as much."""
MOST_NOISE = 100_000
"""Scale of noise up to which its distribution is tabled; more of it drowns any table."""
_SHARES = (0.25, 0.15, 0.6)
"""Shares of the budget for single columns, for the choice of the pairs, and for the pairs."""


@dataclass
class Budget:
    """Noise for each kind of measurement, so that all of them together cost ``epsilon`` and ``delta``.

    Either Laplace noise, whose costs add up, or Gaussian noise, whose costs add up as zero-concentrated privacy
    (Bun and Steinke 2016) and are turned into epsilon and half of delta: whichever is smaller for so many columns.

    Where it is known whose rows they are, ``most`` is how many rows one person has at most, and all of them are exchanged at
    once: the noise is that many times as large. None: rows are exchanged one by one.
    """

    epsilon: float
    delta: float
    columns: int
    found_columns: int
    """Columns whose values are taken from the data, each for its part of delta."""
    most: int | None = None
    spent: list[dict[str, Any]] = field(default_factory=list)
    arithmetic: float = 0.0
    """What the rounding of the distributions to 63 bits may add to delta."""

    def __post_init__(self) -> None:
        pairs = max(self.columns - 1, 0)
        choices = pairs if self.columns > 2 else 0
        single, choice, pair = (
            (1.0, 0.0, 0.0)
            if not pairs
            else _SHARES
            if choices
            else (_SHARES[0] + _SHARES[1], 0.0, _SHARES[2])
        )
        halves = self.delta / 2
        held = math.log(1 / halves)
        rho = (math.sqrt(held + self.epsilon) - math.sqrt(held)) ** 2
        scales = {
            "laplace": [L1 * self.exchanged * n / (share * self.epsilon) if n else 0.0 for n, share in ((self.columns, single), (pairs, pair))],
            "gaussian": [self.exchanged * math.sqrt(L2_SQUARED * n / (2 * share * rho)) if n else 0.0 for n, share in ((self.columns, single), (pairs, pair))],
        }  # fmt: skip
        # The standard deviation of Laplace noise is root two times its scale.
        spread = {"laplace": math.sqrt(2) * sum(scales["laplace"]), "gaussian": sum(scales["gaussian"])}
        self.kind = min(spread, key=lambda kind: spread[kind])
        if max(scales[self.kind]) > MOST_NOISE:
            text = _(
                "Noise for an epsilon of %(epsilon)s would be of %(scale)d rows. Allow a greater epsilon, or fewer columns, or keep "
                "fewer rows of each person (%(rows)d at most now)."
            )
            raise EngineError(
                "noise_too_great",
                text,
                epsilon=f"{self.epsilon:g}",
                scale=round(max(scales[self.kind])),
                rows=self.exchanged,
            )
        self._rho = rho
        self.single = Noise(self.kind, scales[self.kind][0])
        self.pair = Noise(self.kind, scales[self.kind][1]) if pairs else self.single
        if self.kind == "laplace":
            self.choice = choice * self.epsilon / choices if choices else 0.0
            costs = [single * self.epsilon / self.columns, self.choice, pair * self.epsilon / max(pairs, 1)]
        else:
            # The exponential mechanism with epsilon costs epsilon^2 / 8.
            self.choice = math.sqrt(8 * choice * rho / choices) if choices else 0.0
            costs = [single * rho / self.columns, self.choice**2 / 8, pair * rho / max(pairs, 1)]
        self._costs = dict(zip(("columns", "choices", "pairs"), costs, strict=True))

    @property
    def exchanged(self) -> int:
        """Rows that are exchanged at once."""
        return 1 if self.most is None else self.most

    @property
    def choice_rate(self) -> float:
        """Factor of the score in the exponential mechanism."""
        return self.choice / (2 * SCORE * self.exchanged)

    def threshold(self) -> int:
        """Noisy count from which on a value that stands in the data is one of the result.

        A person of m rows may have m values that nobody else has, or one of them m times.
        """
        share = self.delta / 2 / max(self.found_columns, 1) / self.exchanged
        return self.single.threshold(share) + self.exchanged - 1

    def spend(self, what: str, times: int, cells: int = 0) -> None:
        """Write down ``times`` measurements; ``cells`` weighs the arithmetic of a choice among so many."""
        self.spent.append({"what": what, "times": times, "each": self._costs[what]})
        noise = self.pair if what == "pairs" else self.single
        # Only the two cells that the exchange of a row touches are drawn differently.
        self.arithmetic += times * (
            cells * 2.0**-BITS if what == "choices" else 2 * self.exchanged * noise.error
        )

    def as_dict(self) -> dict[str, Any]:
        """What was spent, JSON-ready: never more than was granted."""
        cost = sum(entry["times"] * entry["each"] for entry in self.spent)
        gaussian = self.kind == "gaussian"
        delta = (self.delta / 2 if gaussian else 0.0) + (self.delta / 2 if self.found_columns else 0.0)
        epsilon = cost + 2 * math.sqrt(cost * math.log(2 / self.delta)) if gaussian else cost
        return {
            "epsilon": round(epsilon, 9),
            "delta": delta + self.arithmetic,
            **(
                {"neighbours": "exchange of one row, number of rows public"}
                if self.most is None
                else {
                    "neighbours": "exchange of all rows of one person, number of rows of each person public",
                    "rows_of_person": self.most,
                }
            ),
            "noise": self.kind,
            "noise_scale": {"columns": round(self.single.scale, 3), "pairs": round(self.pair.scale, 3)},
            "ledger_unit": "rho" if gaussian else "epsilon",
            "ledger": [entry | {"each": float(f"{entry['each']:.6g}")} for entry in self.spent],
        }
