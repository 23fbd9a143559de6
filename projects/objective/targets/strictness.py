"""What other risk targets ask in comparison with those before: more, less, or something else."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from ..enums import Circulation
from .conditions import OPTIONAL_TARGETS, ConditionTargets
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


def changes(before: RiskTargets, after: RiskTargets) -> dict[str, Direction]:
    """Target → what ``after`` asks of it in comparison with ``before``, of those that differ."""
    found = {}
    if before.measure != after.measure:
        # The person who is easiest to find is never safer than the mean.
        found["measure"] = Direction.STRICTER if after.measure == "max" else Direction.LOOSER
    if before.circulation != after.circulation:
        # Nothing said is further than within, and less than to others: a target never says what its sharing type has.
        less = after.circulation == Circulation.INTERNAL or before.circulation == Circulation.EXTERNAL
        found["circulation"] = Direction.LOOSER if less else Direction.STRICTER
    for name in (one for one in RiskTargets.model_fields if one not in ConditionTargets.model_fields):
        if name == "circulation":
            continue
        old, new = getattr(before, name), getattr(after, name)
        if isinstance(old, str) or (name == "strict_cap" and before.measure == after.measure == "max"):
            continue
        if (direction := _direction(name, old, new)) is not None:
            found[name] = direction
    for target in OPTIONAL_TARGETS:
        direction = _direction(target.name, getattr(before, target.name), getattr(after, target.name))
        asked = getattr(before, target.name) is not None and getattr(after, target.name) is not None
        if asked and target.kind and getattr(before, target.kind) != getattr(after, target.kind):
            direction = Direction.OTHER
        if direction is not None:
            found[target.name] = direction
    return found


def _direction(name: str, before: Any, after: Any) -> Direction | None:
    """Of one target; a bound that is not there asks for nothing."""
    if before == after:
        return None
    if before is None or after is None:
        return Direction.STRICTER if before is None else Direction.LOOSER
    return Direction.STRICTER if (after > before) == (name in _GREATER_IS_STRICTER) else Direction.LOOSER
