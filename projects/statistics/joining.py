"""The signed tables that are made from the same records, as what readers have beside a new one (D.1). Works in the job, on the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from techniques.core.messages import EngineError

from .counting import tabulated
from .models import Tabulation
from .rule_sets import rule_source
from .selectors import report_of, signed_of_source

if TYPE_CHECKING:
    from techniques.families.statistical.tables.joint import Joint, Published
    from techniques.families.statistical.tables.table import StatisticalTable

MOST_TOGETHER = 10_000
"""Cells of all tables that are audited together; a table that would make them more is left out, and the page says so."""


@dataclass
class Joined:
    """``published`` are what readers have of ``tables``, in their order; ``left`` could not be read together with them. ``whole``: cells
    of all columns at once are among ``published``, after the tables, so that what three or more tell is known, too."""

    tables: list[Tabulation] = field(default_factory=list)
    left: list[Tabulation] = field(default_factory=list)
    published: list[Published] = field(default_factory=list)
    whole: bool = True

    @classmethod
    def nothing(cls) -> Joined:
        """No other table."""
        return cls()

    def nonnegative(self, own: bool) -> bool:
        """Whether readers know that no value lies below zero, from any of the tables."""
        known = own or any(_known_nonnegative(one) for one in self.tables)
        return known and not any((one.table.values < 0).any() for one in self.published[: len(self.tables)])

    def protected(self, joint: Joint, cells: Sequence[int]) -> list[str]:
        """The ids of the tables of which sensitive ``cells`` are."""
        numbers = sorted({number for cell in cells for number in joint.owners(cell)})
        return [str(self.tables[number].pk) for number in numbers]

    def as_dict(self) -> dict[str, Any]:
        """As it is stored with the report."""
        return {
            "tables": [_named(one) for one in self.tables],
            "left": [_named(one) for one in self.left],
            "whole": self.whole,
        }


def _named(table: Tabulation) -> dict[str, Any]:
    return {"id": str(table.pk), "project": str(table.project_id), "number": table.number}


def _known_nonnegative(table: Tabulation) -> bool:
    report = report_of(table)
    return report is not None and bool(report["nonnegative"])


def joined_with(row: Tabulation, table: StatisticalTable, tick: Callable[[float], None]) -> Joined:
    """What readers have beside ``table``, which ``row`` is about: the signed tables of the same source that count or add up the same,
    the oldest first, as far as all of them have at most ``MOST_TOGETHER`` cells."""
    found, cells = Joined(), table.cells
    for other in signed_of_source(row):
        tick(0.2)
        known = _published(other, tick)
        if known is None or cells + known.table.cells > MOST_TOGETHER:
            found.left.append(other)
            continue
        cells += known.table.cells
        found.tables.append(other)
        found.published.append(known)
    if len(found.tables) > 1:
        cube = _cube(row, [table, *(one.table for one in found.published)], MOST_TOGETHER - cells, tick)
        found.whole = cube is not None
        found.published += [cube] if cube is not None else []
    return found


def _published(other: Tabulation, tick: Callable[[float], None]) -> Published | None:
    """The table as readers have it, counted anew from its data; None where these are gone or give another table."""
    import numpy as np

    from techniques.families.statistical.tables.joint import Published
    from techniques.families.statistical.tables.rounding import Rounding, deviations
    from techniques.families.statistical.tables.sensitivity import sensitive_cells

    report, rules = report_of(other), rule_source().opened(other.rules_id)
    try:
        table, _decimals = tabulated(other, rules.ranks, tick)
    except (EngineError, OSError):
        return None
    cells = report["cells"] if report else []
    if [tuple(one["labels"]) for one in cells] != [table.labels(cell) for cell in range(table.cells)]:
        return None
    sensitive = sensitive_cells(table, rules, counts=other.defined.counts)
    base = other.defined.base
    if base is None or report is None:
        return Published.hiding(table, np.array([one["hidden"] for one in cells]), sensitive)
    width = next(float(one["params"]["width"]) for one in report["statements"] if one["code"] == "rounded")
    rounding = Rounding(np.array([float(one["shown"]) for one in cells]), base, round(width / base))
    return Published(table, *deviations(table, rounding), sensitive)


def _cube(
    row: Tabulation, tables: Sequence[StatisticalTable], most: int, tick: Callable[[float], None]
) -> Published | None:
    """The cells of all columns of ``tables`` at once, which nobody has; None where they are more than ``most``, or lie below zero."""
    from techniques.families.statistical.tables.joint import Published, cells_of
    from techniques.families.statistical.tables.table import Dimension

    flat = {
        one.name: Dimension.flat(one.name, [label for place, label in enumerate(one.labels) if place not in one.parent])
        for table in tables for one in table.dimensions
    }  # fmt: skip
    if cells_of(list(flat.values())) > most:
        return None
    spans = [{"column": name, "tree": []} for name in flat]
    bare = row.defined.model_dump(mode="json") | {"spans": spans}
    cube, _decimals = tabulated(row, 2, tick, row.defined.model_validate(bare))
    return None if (cube.values < 0).any() else Published.nowhere(cube)
