"""What a search over the lattice of generalisation levels finds."""

from __future__ import annotations

from dataclasses import dataclass

from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.subjects import Persons
from techniques.models.k_anonymity.problem import Check, Problem

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


def require_enough(k: int, rows: int, persons: Persons | None) -> None:
    """Refuse a table of fewer rows, or persons, than a class has. EngineError ``k_too_large``."""
    if persons is not None and persons.number < k:
        raise faults.k_above_persons(k, persons.number)
    if rows < k:
        raise faults.k_too_large(k, rows)


def most_persons(limit: float, persons: Persons) -> int:
    """How many may be left without a row where ``limit`` (0 … 1) may be suppressed."""
    return int(limit * persons.number + 1e-9)


def keeps_persons(problem: Problem, levels: Levels, suppressed: int, limit: float) -> bool:
    """Whether a node that suppresses so many rows leaves at most ``limit`` of the persons without one."""
    if problem.persons is None or suppressed <= most_persons(limit, problem.persons):
        return True
    found = problem.group(levels, problem.base)
    gone = problem.persons.without(found.kept[found.class_of])
    return gone <= most_persons(limit, problem.persons)


def no_solution(k: int, limit: float, message: str = "", *, of_persons: bool = False) -> EngineError:
    """That nothing keeps what is asked for with at most ``limit`` (0 … 1) of the rows suppressed."""
    every = _(
        "No allowed generalisation reaches k = %(k)d and all other conditions with at most %(limit)s %% of "
        "the rows suppressed. Allow higher levels or more suppression."
    )
    if of_persons:
        message = message or _(
            "No allowed generalisation reaches k = %(k)d persons and all other conditions with at most %(limit)s %% of the rows, "
            "and of the persons, suppressed. Allow higher levels or more suppression."
        )
    return EngineError("no_solution", message or every, k=k, limit=f"{100 * limit:g}")


def effort_used_up(checks: int) -> EngineError:
    """That nothing was found is not to say that there is nothing."""
    text = _(
        "After looking at %(checks)d combinations of levels no solution was found, and not all could be ruled out. "
        "Bound the levels, use fewer columns, or let the search look at more."
    )
    return EngineError("effort_used_up", text, checks=checks)
