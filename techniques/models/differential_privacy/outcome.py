"""What leaves as an answer, as it is stored and shown."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from techniques.core.settings import Frozen
from techniques.models.differential_privacy.loss import Neighbours


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


def plain(amount: str | float | Decimal) -> str:
    """A number without the noughts at its end."""
    text = format(Decimal(str(amount)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
