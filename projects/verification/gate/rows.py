"""What the rows of a result stand for, by the run's report: persons, groups of them (A.1.3), or nobody (A.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from projects.processing.runs.findings import AGGREGATION
from techniques import catalogue

Steps = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Cells:
    """The groups whose figures a table publishes: ``columns`` form them, ``sizes`` are (rows, or persons where those are
    counted, of a group; groups), ``rows`` those of the source that the groups are made of. Where persons are counted,
    ``smallest`` are (persons of a group; persons of whom no group is smaller)."""

    columns: Sequence[str]
    sizes: Sequence[tuple[int, int]]
    rows: int
    smallest: Sequence[tuple[int, int]] | None = None

    @property
    def number(self) -> int:
        """How many groups there are."""
        return sum(number for _size, number in self.sizes)


def cells_of(steps: Steps, rows: int) -> Cells | None:
    """The groups of which each row of ``rows`` is one; None where its rows are not groups, or no report says how large they
    are."""
    for one in aggregations(steps):
        sizes = [(size, number) for size, number in one["result"].get("cell_sizes", ())]
        rows_in = one["result"].get("rows_in_cells", sum(size * number for size, number in sizes))
        smallest = one["result"].get("smallest_cells")
        cells = Cells(one["result"].get("grouped_by", ()), sizes, rows_in, smallest)
        if cells.number == rows > 0:
            return cells
    return None


def aggregations(steps: Steps) -> list[Mapping[str, Any]]:
    """The steps that put figures of groups in the place of values."""
    return [one for one in steps if one.get("technique") == AGGREGATION and one.get("result")]


def made_up_steps(steps: Steps) -> list[Mapping[str, Any]]:
    """The steps that made up rows."""
    return [one for one in steps if catalogue.get(one["technique"]).makes_up_rows and one.get("result")]


def made_up_columns(steps: Steps) -> set[str]:
    """The columns that were made up from row to row."""
    return {column for one in made_up_steps(steps) for column in one["columns"]}
