"""What answers cost, and how costs add up (B.2.4.4): one after the other, over parts that share nobody, and as zero-concentrated loss.

Losses of answers are whole multiples of 10⁻⁹, rounded up, so that a sum of many is exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from typing import Any, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel
from techniques.models.differential_privacy.scales import ALMOST_EXACT

Neighbours = Literal["add_remove", "change"]
"""Two tables are neighbours where one person is added to one of them, or exchanged for another."""
Composition = Literal["sequential", "zcdp"]
PLACES = Decimal("1E-9")
DELTA_PLACES = Decimal("1E-18")
TINY = 1e-9
MOST_EPSILON = 1_000_000
"""Above it nothing is protected, and sums of squares would lose their last places."""


def rounded_up(amount: float | Decimal, places: Decimal = PLACES) -> Decimal:
    """``amount`` as the next multiple of ``places`` that is not below it; a float is what it is written as: 0.2, not a touch above."""
    return Decimal(str(amount)).quantize(places, rounding=ROUND_CEILING)


def epsilon_of(rho: float, delta: float) -> float:
    """The epsilon that a zero-concentrated loss of ``rho`` keeps with ``delta``: Canonne, Kamath, Steinke 2020, corollary 13.

    Every order above 1 gives a bound that holds; the search for the best one decides how tight it is, never whether it holds.
    """
    if rho <= 0:
        return 0.0
    held = math.log(1 / delta)

    def bound(logarithm: float) -> float:
        over = math.exp(logarithm)
        order = 1 + over
        return order * rho + (held + over * math.log1p(-1 / order) - math.log(order)) / over

    # Bun and Steinke 2016 have the best order near 1 + √(ln(1/δ)/ρ); the true one lies within a few powers of e.
    middle = math.log(math.sqrt(held / rho))
    low, high = middle - 6.0, middle + 6.0
    for _step in range(120):
        third = (high - low) / 3
        if bound(low + third) < bound(high - third):
            high -= third
        else:
            low += third
    return max(0.0, min(bound(low), rho + 2 * math.sqrt(rho * held)))


def rho_of(epsilon: float, delta: float) -> float:
    """The greatest zero-concentrated loss whose :func:`epsilon_of` is at most ``epsilon``."""
    low, high = 0.0, epsilon + 1.0
    while epsilon_of(high, delta) < epsilon:
        high *= 2
    for _step in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if epsilon_of(middle, delta) <= epsilon else (low, middle)
    return low


FIELDS = ("epsilon", "delta", "rho", "slip")


class Loss(NamedTuple):
    """What an answer costs: (``epsilon``, ``delta``) by itself, or ``rho`` with ``slip``, for one that is added to others as
    zero-concentrated loss. ``slip`` is the chance that a released key gives a person away, part of both."""

    epsilon: Decimal
    delta: Decimal
    rho: Decimal
    slip: Decimal

    @classmethod
    def pure(cls, epsilon: float | Decimal, slip: float | Decimal = 0) -> Self:
        """Of Laplace noise, ε²/2 as zero-concentrated loss (Bun and Steinke 2016, proposition 1.4); EngineError ``error_too_small``."""
        whole = _charged(epsilon)
        lost = rounded_up(slip, DELTA_PLACES)
        return cls(whole, lost, rounded_up(whole * whole / 2), lost)

    @classmethod
    def choice(cls, epsilon: float | Decimal) -> Self:
        """Of an exponential mechanism, ε²/8 as zero-concentrated loss (Cesar and Rogers 2021)."""
        whole = _charged(epsilon)
        nothing = Decimal(0)
        return cls(whole, nothing, rounded_up(whole * whole / 8), nothing)

    @classmethod
    def gaussian(cls, rho: float, delta: float) -> Self:
        """Of Gaussian noise; ``delta`` is what it costs by itself."""
        return cls(
            _charged(epsilon_of(rho, delta)),
            rounded_up(delta, DELTA_PLACES),
            rounded_up(rho),
            Decimal(0),
        )

    @classmethod
    def stored(cls, kept: Mapping[str, str]) -> Self:
        """From :meth:`as_dict`."""
        return cls(*(Decimal(kept[name]) for name in FIELDS))

    def as_dict(self) -> dict[str, str]:
        """The numbers to the last digit, JSON-ready."""
        return {name: format(value, "f") for name, value in zip(FIELDS, self, strict=True)}

    def together(self, other: Loss) -> Loss:
        """Both, one after the other."""
        return Loss(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


NOTHING = Loss(Decimal(0), Decimal(0), Decimal(0), Decimal(0))


def _charged(epsilon: float | Decimal) -> Decimal:
    if not epsilon <= MOST_EPSILON:
        raise EngineError("error_too_small", ALMOST_EXACT)
    return rounded_up(epsilon)


class Budget(ClosedModel):
    """What may be spent on a data set, and how it is counted."""

    epsilon: float = Field(gt=0, le=MOST_EPSILON, allow_inf_nan=False)
    delta: float = Field(default=0.0, ge=0, lt=1, allow_inf_nan=False)
    composition: Composition = "sequential"
    neighbours: Neighbours = "add_remove"
    part: str | None = None
    """The column whose values tell apart parts that share nobody: queries on different values cost what the dearest does, where a
    person is exchanged what the two dearest do."""

    @model_validator(mode="after")
    def _delta_is_needed(self) -> Self:
        if self.composition == "zcdp" and self.delta == 0:
            raise EngineError(
                "delta_missing",
                _("Zero-concentrated loss is turned into an epsilon with a delta: give one above 0."),
            )
        return self


class Charge(NamedTuple):
    """A loss, and the values of the part column that the query was confined to; None: it looked at all parts."""

    loss: Loss
    parts: frozenset[str] | None = None


def parts_of(where: Mapping[str, Sequence[str]], part: str | None, *, per_row: bool) -> frozenset[str] | None:
    """The parts that the conditions of a query confine it to; None for all of them. ``per_row``: each row is a person; where it is not,
    a person of several rows may be in several parts, so they are not told apart."""
    named = where.get(part) if part and per_row else None
    return None if named is None else frozenset(named)


class Spent(NamedTuple):
    """(ε, δ) that were spent together."""

    epsilon: Decimal
    delta: Decimal


def sequential(losses: Iterable[Loss]) -> Loss:
    """Answers from the same persons: costs add up."""
    total = NOTHING
    for loss in losses:
        total = total.together(loss)
    return total


def parallel(losses: Sequence[Loss], neighbours: Neighbours) -> Loss:
    """Answers from parts that share nobody: the dearest; where a person is exchanged, the two dearest, for one leaves a part
    and the other may enter another."""
    most = 1 if neighbours == "add_remove" else 2
    return (
        Loss(*(sum(sorted(column, reverse=True)[:most], Decimal(0)) for column in zip(*losses, strict=True)))
        if losses
        else NOTHING
    )


def spent(charges: Iterable[Charge], budget: Budget) -> Spent:
    """What ``charges`` cost together as ``budget`` counts.

    Charges that are confined to parts add up in each part and then as :func:`parallel`. Zero-concentrated loss becomes an
    epsilon with what ``budget.delta`` has left beside the slips of released keys; where plain addition comes to less, that holds too.
    """
    whole = list(charges)
    everywhere = sequential(charge.loss for charge in whole if charge.parts is None)
    inside: dict[str, Loss] = {}
    for charge in whole:
        for part in charge.parts or ():
            inside[part] = inside.get(part, NOTHING).together(charge.loss)
    in_parts = parallel(list(inside.values()), budget.neighbours)
    alone = sequential(charge.loss for charge in whole if charge.parts is not None)
    total = everywhere.together(Loss(*map(min, in_parts, alone)))
    plain = Spent(total.epsilon, total.delta)
    if budget.composition == "sequential" or not total.rho:
        return plain
    left = Decimal(str(budget.delta)) - total.slip
    if left <= 0:
        return Spent(Decimal("Infinity"), total.slip)
    concentrated = Spent(rounded_up(epsilon_of(float(total.rho), float(left))), Decimal(str(budget.delta)))
    return (
        plain if plain.epsilon <= concentrated.epsilon and plain.delta <= concentrated.delta else concentrated
    )


def affords(charges: Sequence[Charge], further: Charge, budget: Budget) -> bool:
    """Whether ``further`` may be spent after ``charges``."""
    after = spent([*charges, further], budget)
    return after.epsilon <= Decimal(str(budget.epsilon)) and after.delta <= Decimal(str(budget.delta))


def left_of(charges: Sequence[Charge], budget: Budget) -> Decimal:
    """The greatest epsilon of Laplace noise, over all parts, that may still be spent; in zero-concentrated counting
    by bisection."""
    low, high = 0, int(Decimal(str(budget.epsilon)) / PLACES)
    if not affords(charges, Charge(NOTHING), budget):
        return Decimal(0)
    while low < high:
        middle = (low + high + 1) // 2
        if affords(charges, Charge(Loss.pure(middle * PLACES)), budget):
            low = middle
        else:
            high = middle - 1
    return low * PLACES


def account(charges: Sequence[Charge], budget: Budget) -> dict[str, Any]:
    """The account as figures, JSON-ready: what was granted, spent and is left."""
    so_far = spent(charges, budget)
    return {
        "epsilon": budget.epsilon,
        "delta": budget.delta,
        "spent_epsilon": format(so_far.epsilon.normalize(), "f"),
        "spent_delta": float(so_far.delta),
        "left_epsilon": format(left_of(charges, budget).normalize(), "f"),
        "answers": len(charges),
    }
