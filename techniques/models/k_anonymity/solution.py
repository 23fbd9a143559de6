"""What a search over the lattice of generalisation levels finds."""

from __future__ import annotations

from dataclasses import dataclass

from techniques.core.messages import EngineError, _
from techniques.models.k_anonymity.problem import Check

Levels = tuple[int, ...]


@dataclass(frozen=True)
class Solution:
    """Levels per attribute and what they do; ``lower_bound`` is what no solution can fall below."""

    levels: Levels
    loss: float
    check: Check
    granularity: float
    checks: int
    lower_bound: float
    proved_optimal: bool


def no_solution(k: int, limit: float, message: str = "") -> EngineError:
    """That nothing keeps what is asked for with at most ``limit`` (0 … 1) of the rows suppressed."""
    every = _(
        "No allowed generalisation reaches k = %(k)d and all other conditions with at most %(limit)s %% of "
        "the rows suppressed. Allow higher levels or more suppression."
    )
    return EngineError("no_solution", message or every, k=k, limit=f"{100 * limit:g}")


def effort_used_up(checks: int) -> EngineError:
    """That nothing was found is not to say that there is nothing."""
    text = _(
        "After looking at %(checks)d combinations of levels no solution was found, and not all could be ruled out. "
        "Bound the levels, use fewer columns, or let the search look at more."
    )
    return EngineError("effort_used_up", text, checks=checks)
