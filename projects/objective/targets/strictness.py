"""What other risk targets ask in comparison with those before: more, less, or something else."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from .conditions import OPTIONAL_TARGETS
from .risk import RiskTargets


class Direction(StrEnum):
    """``OTHER``: measured in another way, so that neither asks for more than the other."""

    STRICTER = "stricter"
    LOOSER = "looser"
    OTHER = "other"


# Targets of which a greater value asks for more; of all others a smaller one does. An attempt that is less likely lets more through.
_GREATER_IS_STRICTER = frozenset(
    {"k", "context_risk", *(target.name for target in OPTIONAL_TARGETS if target.sense == "at_least")}
)
_NUMBERS = (
    "k", "max_risk", "average_risk", "strict_cap", "context_risk", "overall_threshold", "suppression_limit", "reassess_months",
)  # fmt: skip


def changes(before: RiskTargets, after: RiskTargets) -> dict[str, Direction]:
    """Target → what ``after`` asks of it in comparison with ``before``, of those that differ."""
    found = {}
    if before.measure != after.measure:
        # The person who is easiest to find is never safer than the mean.
        found["measure"] = Direction.STRICTER if after.measure == "max" else Direction.LOOSER
    for name in _NUMBERS:
        if name == "strict_cap" and before.measure == after.measure == "max":
            continue
        if (way := _way(name, getattr(before, name), getattr(after, name))) is not None:
            found[name] = way
    for target in OPTIONAL_TARGETS:
        way = _way(target.name, getattr(before, target.name), getattr(after, target.name))
        asked = getattr(before, target.name) is not None and getattr(after, target.name) is not None
        if asked and target.kind and getattr(before, target.kind) != getattr(after, target.kind):
            way = Direction.OTHER
        if way is not None:
            found[target.name] = way
    return found


def _way(name: str, before: Any, after: Any) -> Direction | None:
    """Of one target; a bound that is not there asks for nothing."""
    if before == after:
        return None
    if before is None or after is None:
        return Direction.STRICTER if before is None else Direction.LOOSER
    return Direction.STRICTER if (after > before) == (name in _GREATER_IS_STRICTER) else Direction.LOOSER
