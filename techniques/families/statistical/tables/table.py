"""A table of statistics: cells over dimensions with their totals, and who contributes how much to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Self

import numpy as np
from numpy.typing import NDArray

from techniques.core import faults
from techniques.core.messages import EngineError, _

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
MOST_CELLS = 1_000_000
"""Cells of a table with its totals, at most."""


@dataclass(frozen=True)
class Dimension:
    """A tree of labels: ``parent[i]`` is the label above label i, -1 for the one total; a label stands after its parent."""

    name: str
    labels: tuple[str, ...]
    parent: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what is no tree of labels."""
        below = all(-1 < above < place for place, above in enumerate(self.parent) if place)
        if not self.parent or self.parent[0] != -1 or not below or len(self.labels) != len(self.parent):
            text = _("The labels of “%(name)s” are no tree with one total.")
            raise EngineError("dimension_invalid", text, name=self.name)

    @classmethod
    def flat(cls, name: str, values: Sequence[str], total: str = "*") -> Self:
        """The values under one total."""
        return cls(name, (total, *values), (-1, *([0] * len(values))))

    @classmethod
    def of_rows(
        cls, name: str, rows: Sequence[Sequence[str]], total: str = "*"
    ) -> tuple[Self, dict[str, int]]:
        """(the dimension, the label of each value) from the rows of a hierarchy, each a value and what stands above it, from the
        value up. A last level that all rows share is the total; a label that repeats the one above it is the same."""
        shared = len(rows[0]) > 1 and len({row[-1] for row in rows}) == 1
        labels, parent = [rows[0][-1] if shared else total], [-1]
        number: dict[tuple[str, ...], int] = {(): 0}
        leaf = {}
        for row in rows:
            path = tuple(reversed(row[:-1] if shared else row))
            for depth in range(1, len(path) + 1):
                key, above = path[:depth], number[path[: depth - 1]]
                if key in number:
                    continue
                if depth > 1 and path[depth - 1] == path[depth - 2]:
                    number[key] = above
                    continue
                number[key] = len(labels)
                labels.append(path[depth - 1])
                parent.append(above)
            leaf[row[0]] = number[path]
        return cls(name, tuple(labels), tuple(parent)), leaf

    def ancestors(self) -> Integers:
        """(labels, depth): the label of each depth on the way from the total to the label itself, -1 below it."""
        depth = np.zeros(len(self.labels), dtype=np.int64)
        for place, above in enumerate(self.parent):
            if above >= 0:
                depth[place] = depth[above] + 1
        found = np.full((len(self.labels), int(depth.max()) + 1), -1, dtype=np.int64)
        for place, above in enumerate(self.parent):
            if above >= 0:
                found[place] = found[above]
            found[place, depth[place]] = place
        return found


@dataclass(frozen=True)
class Relation:
    """A total and the cells that add up to it, by their places."""

    total: int
    parts: tuple[int, ...]


@dataclass(frozen=True)
class StatisticalTable:
    """Cells over ``dimensions``, the last one running fastest.

    ``values`` (cells,) are sums or counts. ``contributors`` (cells,) says how many contribute, and ``largest`` (cells, r) the
    greatest contributions by their size, falling; ``absolute`` (cells,) is the sum of all contributions by their size. ``alone``
    (cells,) numbers who contributes alone, -1 where more or none do. ``whole``: all contributions are whole numbers.
    """

    dimensions: tuple[Dimension, ...]
    values: Floats
    contributors: Integers
    largest: Floats
    absolute: Floats
    alone: Integers
    whole: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(one.labels) for one in self.dimensions)

    @property
    def cells(self) -> int:
        return len(self.values)

    @property
    def leaves(self) -> NDArray[np.bool_]:
        """Which cells (cells,) are the total of no others."""
        found = np.ones(self.cells, dtype=np.bool_)
        found[[one.total for one in self.relations()]] = False
        return found

    @property
    def overlaps(self) -> bool:
        """Whether somebody contributes to more than one of the cells without parts; cell 0 is the total of all."""
        return int(self.contributors[self.leaves].sum()) > int(self.contributors[0])

    def labels(self, cell: int) -> tuple[str, ...]:
        """The labels of a cell, one of each dimension."""
        places = np.unravel_index(cell, self.shape)
        return tuple(one.labels[int(place)] for one, place in zip(self.dimensions, places, strict=True))

    def relations(self) -> list[Relation]:
        """Every total with what adds up to it."""
        number = np.arange(self.cells).reshape(self.shape)
        found = []
        for axis, dimension in enumerate(self.dimensions):
            along = np.moveaxis(number, axis, 0).reshape(len(dimension.labels), -1)
            above = np.array(dimension.parent)
            for total in np.unique(above[1:]).tolist():
                parts = np.flatnonzero(above == total)
                found += [
                    Relation(int(along[total, place]), tuple(along[parts, place].tolist()))
                    for place in range(along.shape[1])
                ]
        return found


def decimals_of(number: float) -> int:
    """How many decimals a number has as it is written."""
    return max(0, -int(Decimal(str(number)).normalize().as_tuple().exponent))


def tabulate(
    dimensions: Sequence[Dimension],
    codes: Sequence[Integers],
    amounts: Floats | None,
    contributors: Integers | None,
    *,
    ranks: int = 2,
) -> StatisticalTable:
    """A table of n records with all its totals.

    ``codes`` hold the label of each record (n,), one array a dimension; ``amounts`` (n,) what is added up, None to count
    contributors; ``contributors`` (n,) whose a record is, from 0: a person, a company, or the holding that companies belong to;
    None: each record its own. A contributor counts once in a cell, with the sum of its records. ``ranks`` contributions a cell
    are kept. Work: records times the product of the depths.

    Raises EngineError ``no_rows``, ``table_too_large``; ``counts_overlap`` where contributors that are counted have records in several
    cells, so that a total is not the sum of its parts.
    """
    shape = [len(one.labels) for one in dimensions]
    cells = int(np.prod(shape, dtype=object))
    if cells > MOST_CELLS:
        text = _("The table would have %(cells)d cells with its totals; %(most)d are possible.")
        raise EngineError("table_too_large", text, cells=cells, most=MOST_CELLS)
    n = len(codes[0])
    if n == 0:
        raise faults.nothing_to_count()
    who = np.arange(n) if contributors is None else contributors
    if amounts is None:
        pairs = np.unique(np.stack([np.ravel_multi_index(codes, shape), who]), axis=1)
        if pairs.shape[1] > len(np.unique(who)):
            text = _(
                "Some are in several cells, so counts of them do not add up to the totals: count their rows instead."
            )
            raise EngineError("counts_overlap", text)
    paths = [one.ancestors()[place] for one, place in zip(dimensions, codes, strict=True)]
    found = StatisticalTable(
        tuple(dimensions), np.zeros(cells), np.zeros(cells, np.int64), np.zeros((cells, ranks)), np.zeros(cells),
        np.full(cells, -1, dtype=np.int64), amounts is None or bool((amounts == np.round(amounts)).all()),
    )  # fmt: skip
    for depths in product(*(range(path.shape[1]) for path in paths)):
        labels = [path[:, depth] for path, depth in zip(paths, depths, strict=True)]
        there = np.logical_and.reduce([label >= 0 for label in labels])
        cell = np.ravel_multi_index([label[there] for label in labels], shape)
        _add(found, cell, who[there], None if amounts is None else amounts[there])
    return found


def _add(table: StatisticalTable, cell: Integers, who: Integers, amounts: Floats | None) -> None:
    """The records of cells that nothing was added to yet."""
    if len(cell) == 0:
        return
    order = np.lexsort((who, cell))
    cell, who = cell[order], who[order]
    new = np.append(True, (cell[1:] != cell[:-1]) | (who[1:] != who[:-1]))
    start = np.flatnonzero(new)
    summed = np.ones(len(start)) if amounts is None else np.add.reduceat(amounts[order], start)
    cell, who = cell[start], who[start]
    size = np.abs(summed)
    by_size = np.lexsort((-size, cell))
    cell, who, summed, size = cell[by_size], who[by_size], summed[by_size], size[by_size]
    first = np.flatnonzero(np.append(True, cell[1:] != cell[:-1]))
    each = np.diff(np.append(first, len(cell)))
    places = cell[first]
    table.values[places] = np.add.reduceat(summed, first)
    table.absolute[places] = np.add.reduceat(size, first)
    table.contributors[places] = each
    table.alone[places] = np.where(each == 1, who[first], -1)
    for rank in range(table.largest.shape[1]):
        there = each > rank
        table.largest[places[there], rank] = size[first[there] + rank]
