"""Several tables of the same data as one: each cell once, what adds up to what over all of them, what readers know already (D.1).

A cell is what its labels stand for: of each column the values below its label, of all columns that are not taken together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from techniques.families.statistical.tables.sensitivity import Sensitive
from techniques.families.statistical.tables.table import (
    Dimension,
    Floats,
    Integers,
    Relation,
    StatisticalTable,
)

Address = frozenset[tuple[str, frozenset[str]]]


@dataclass(frozen=True)
class Published:
    """A table that readers have: they know each cell to lie between its value plus ``lower`` and plus ``upper`` (cells,); its
    rules made cells ``sensitive``, None where none is."""

    table: StatisticalTable
    lower: Floats
    upper: Floats
    sensitive: Sensitive | None = None

    @classmethod
    def hiding(cls, table: StatisticalTable, hidden: NDArray[np.bool_], sensitive: Sensitive) -> Published:
        """Cells are ``hidden`` (cells,); the others are told."""
        return cls(table, np.where(hidden, -np.inf, 0.0), np.where(hidden, np.inf, 0.0), sensitive)

    @classmethod
    def nowhere(cls, table: StatisticalTable) -> Published:
        """Nobody has it: its cells only say how those of the others hang together, so none is known to be empty."""
        whole = np.full(table.cells, np.inf)
        filled = np.maximum(table.contributors, 1)
        return cls(
            StatisticalTable(
                table.dimensions, table.values, filled, table.largest, table.absolute, table.alone, table.whole
            ),
            -whole,
            whole,
        )  # fmt: skip


class Joint:
    """The cells of ``own``, by the places that they have there, and after them those that only the ``published`` have.

    All are made from the same records with contributors of the same numbers. ``lower`` and ``upper`` (cells,) are the deviations
    from the values that the published tables leave.
    """

    def __init__(self, own: StatisticalTable, published: Sequence[Published] = ()) -> None:
        self.own = own.cells
        self.published = tuple(published)
        self._tables = (own, *(one.table for one in published))
        self._leaves: dict[int, frozenset[int]] = {}
        places: dict[Address, int] = {}
        self._places: list[Integers] = [np.arange(own.cells)]
        if published:
            for cell, address in enumerate(addresses(own)):
                places.setdefault(address, cell)
        self.cells = own.cells
        for one in published:
            found = []
            for address in addresses(one.table):
                if address not in places:
                    places[address] = self.cells
                    self.cells += 1
                found.append(places[address])
            self._places.append(np.array(found, dtype=np.int64))
        self.values = self._merged([one.values for one in self._tables])
        self.contributors = self._merged([one.contributors for one in self._tables]).astype(np.int64)
        self.alone = self._merged([one.alone for one in self._tables]).astype(np.int64)
        self.lower, self.upper = np.full(self.cells, -np.inf), np.full(self.cells, np.inf)
        for at, known in zip(self._places[1:], published, strict=True):
            np.maximum.at(self.lower, at, known.lower)
            np.minimum.at(self.upper, at, known.upper)
            # What one of the tables says is empty is known to be.
            np.minimum.at(self.contributors, at, known.table.contributors)

    def _merged(self, parts: Sequence[Integers | Floats]) -> Floats:
        found = np.zeros(self.cells)
        for at, part in zip(reversed(self._places), reversed(parts), strict=True):
            found[at] = part
        return found

    @property
    def overlaps(self) -> bool:
        """Whether somebody contributes to several cells without parts of the own table, or of one that hides cells."""
        hiding = (one.table for one in self.published if one.sensitive is not None)
        return any(table.overlaps for table in (self._tables[0], *hiding))

    @cached_property
    def relations(self) -> list[Relation]:
        """Every total with what adds up to it, each once."""
        found: dict[tuple[int, frozenset[int]], Relation] = {}
        for at, table in zip(self._places, self._tables, strict=True):
            for one in table.relations():
                total, parts = int(at[one.total]), tuple(at[list(one.parts)].tolist())
                if parts != (total,):
                    found.setdefault((total, frozenset(parts)), Relation(total, parts))
        return list(found.values())

    def leaves(self, cell: int) -> frozenset[int]:
        """The cells without parts that add up to ``cell``, itself where it has none."""
        if cell not in self._leaves:
            parts = self._parts.get(cell, ())
            below = frozenset[int]().union(*map(self.leaves, parts)) if parts else frozenset({cell})
            self._leaves[cell] = below
        return self._leaves[cell]

    @cached_property
    def _parts(self) -> dict[int, tuple[int, ...]]:
        """Total → parts that add up to it, of the first of its relations."""
        found: dict[int, tuple[int, ...]] = {}
        for one in self.relations:
            found.setdefault(one.total, one.parts)
        return found

    @property
    def elsewhere(self) -> NDArray[np.bool_]:
        """The cells (cells,) that ``own`` does not have."""
        return np.arange(self.cells) >= self.own

    def spread(self, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Cells (own,) as cells of all, the others not among them."""
        return np.append(cells, np.zeros(self.cells - self.own, dtype=np.bool_))

    def bounded(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """Deviations (own,), (own,) as those of all cells; nothing bounds the others."""
        whole = np.full(self.cells - self.own, np.inf)
        return np.append(lower, -whole), np.append(upper, whole)

    def sensitive(self, own: Sensitive) -> Sensitive:
        """What the rules of each table make sensitive, at the greatest of the distances."""
        distance = np.append(np.where(own.cells, own.distance, 0.0), np.zeros(self.cells - self.own))
        for at, one in zip(self._places[1:], self.published, strict=True):
            if one.sensitive is not None:
                np.maximum.at(distance, at, np.where(one.sensitive.cells, one.sensitive.distance, 0.0))
        cells = self.spread(own.cells) | (distance > 0)
        by_rule = {name: self.spread(there) for name, there in own.by_rule.items()}
        return Sensitive(cells, distance, by_rule)

    def owners(self, cell: int) -> list[int]:
        """The published tables, by their places among them, whose rules make ``cell`` sensitive."""
        return [
            number
            for number, (at, one) in enumerate(zip(self._places[1:], self.published, strict=True))
            if one.sensitive is not None and bool(one.sensitive.cells[at == cell].any())
        ]


def addresses(table: StatisticalTable) -> list[Address]:
    """What each cell is about."""
    below = [_values_below(one) for one in table.dimensions]
    names = [one.name for one in table.dimensions]
    found = []
    for cell in range(table.cells):
        labels = np.unravel_index(cell, table.shape)
        values = [of[int(label)] for of, label in zip(below, labels, strict=True)]
        found.append(
            frozenset(
                (name, some)
                for name, some, of in zip(names, values, below, strict=True)
                if len(some) < len(of[0])
            )
        )
    return found


def cells_of(dimensions: Sequence[Dimension]) -> int:
    """How many cells a table over these has."""
    return int(np.prod([len(one.labels) for one in dimensions], dtype=object))


def _values_below(dimension: Dimension) -> list[frozenset[str]]:
    """The values under each label: itself where nothing stands below it."""
    under: list[set[str]] = [set() for _label in dimension.labels]
    for place in range(len(dimension.labels) - 1, -1, -1):
        if not under[place]:
            under[place].add(dimension.labels[place])
        if place:
            under[dimension.parent[place]] |= under[place]
    return [frozenset(one) for one in under]
