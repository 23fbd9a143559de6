"""Which columns together single persons out: each column, each pair and each three of a bounded number of columns.

A combination singles a person out if no other person has it. A missing value is known of nobody: a row counts for a set of
columns only if it has a value in each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from techniques.disclosure_risk.links.counting import Cells

LARGEST = 3
"""Columns that are put together at most."""
NEARLY_ALL = 0.9
"""A set that finds this share of the persons is not searched with further columns; and who finds this share of them by fewer
columns hardly gains by more."""
MOST_SETS = 10
"""Sets that are listed."""


@dataclass(frozen=True)
class Singled:
    """A set of columns, and how many persons are alone with their combination of values in it."""

    columns: tuple[str, ...]
    persons: int


@dataclass(frozen=True)
class Singling:
    """What was found among ``persons``: ``searched`` sets were counted, ``alone`` of them single somebody out.

    ``sets`` are those that single out most, without any of which a part finds nearly as many.
    """

    persons: int
    searched: int
    alone: int
    sets: tuple[Singled, ...]


def singling(cells: Cells, tick: Callable[[float], None] = lambda share: None) -> Singling:
    """Count every set of at most :data:`LARGEST` columns that does not contain one which finds nearly all persons."""
    found: dict[tuple[int, ...], int] = {}
    enough = NEARLY_ALL * cells.persons
    every = [
        chosen for size in range(1, LARGEST + 1) for chosen in combinations(range(len(cells.names)), size)
    ]
    for done, chosen in enumerate(every):
        parts = [found.get(part) for part in combinations(chosen, len(chosen) - 1) if part]
        if all(part is not None and part < enough for part in parts):
            found[chosen] = cells.alone(chosen)
        tick((done + 1) / len(every))
    listed = [
        chosen
        for chosen, number in found.items()
        if number and all(found[part] < NEARLY_ALL * number for part in _parts(chosen))
    ]
    listed.sort(key=lambda chosen: (-found[chosen], len(chosen), chosen))
    return Singling(
        persons=cells.persons,
        searched=len(found),
        alone=sum(number > 0 for number in found.values()),
        sets=tuple(
            Singled(tuple(cells.names[column] for column in chosen), found[chosen])
            for chosen in listed[:MOST_SETS]
        ),
    )


def _parts(chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [part for size in range(1, len(chosen)) for part in combinations(chosen, size)]
