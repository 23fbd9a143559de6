"""What a technique keeps and breaks of the values (GB/T 37964 5.4.3): claims that property tests hold.

A claim speaks of the values that stay. ``YES`` holds for every input, ``PARTLY`` as the note of the
technique says, ``NO`` is no promise: single inputs may still come out so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from techniques.catalogue.table_c1 import Effect


@dataclass(frozen=True)
class Claims:
    """Answers to the factors of 5.4.3 d to j. ``notes`` and ``not_for`` are untranslated texts."""

    order: Effect
    """Smaller values stay smaller or equal."""
    format: Effect
    """Length and kinds of characters stay."""
    type: Effect
    """Numbers stay numbers, dates stay dates."""
    distinctness: Effect
    """Different values stay different, equal values equal."""
    statistics: Effect
    """Counts, means or relations between columns stay, as the note says."""
    reversible: Effect
    """Who holds the key gets the values back."""
    notes: str
    not_for: str
    """When not to use it."""

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "order": self.order.value,
            "format": self.format.value,
            "type": self.type.value,
            "distinctness": self.distinctness.value,
            "statistics": self.statistics.value,
            "reversible": self.reversible.value,
            "notes": self.notes,
            "not_for": self.not_for,
        }
