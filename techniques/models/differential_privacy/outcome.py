"""What leaves as an answer, as it is stored and shown."""

from __future__ import annotations

from decimal import MAX_EMAX, ROUND_CEILING, Decimal, localcontext
from typing import Any

from techniques.core.settings import Frozen
from techniques.models.differential_privacy.loss import Neighbours

_LARGE = 1_000_000
"""Beyond this a factor is written as a power of ten."""


class Cell(Frozen):
    """The answer for one group: ``low`` and ``high`` enclose the answer without noise with the confidence of the question, each cell by
    itself. A choice among candidates has no such bounds; what it may miss stands in :attr:`Answer.off`."""

    labels: tuple[str, ...]
    value: float | str | None
    low: float | None = None
    high: float | None = None


class Answer(Frozen):
    """What leaves: the cells, and how they were made. ``scales`` and ``sensitivities`` are in steps; ``off`` is how many rows a
    chosen value is at most worse than the best candidate."""

    question: dict[str, Any]
    cells: list[Cell]
    margins: list[Cell] = []
    loss: dict[str, str]
    neighbours: Neighbours
    per_person: bool
    scales: dict[str, float]
    sensitivities: dict[str, float]
    threshold: int | None = None
    off: float | None = None


def times(epsilon: str | float | Decimal) -> str:
    """How many times as likely e^ε is, rounded up to three digits, as it is a bound."""
    with localcontext() as context:
        context.prec, context.rounding, context.Emax = 30, ROUND_CEILING, MAX_EMAX
        above = Decimal(str(epsilon)).exp() - 1
        # Below two the digits are those of what lies above 1.
        kept = above if above < 1 else above + 1
        context.prec = 3
        kept = +kept
        context.prec = 30
        factor = kept + 1 if above < 1 else kept
    return plain(factor) if factor < _LARGE else f"{factor:.2e}"


def plain(amount: str | float | Decimal) -> str:
    """A number without the noughts at its end."""
    text = format(Decimal(str(amount)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
