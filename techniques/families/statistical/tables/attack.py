"""What can be worked out of hidden cells from the published ones, the totals, and what the reader knows besides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.families.statistical.tables.solver import program
from techniques.families.statistical.tables.table import Floats, Relation, StatisticalTable

EXACT = 1e-7
"""Relative to the table's largest value: differences below it are the solver's, not the table's."""


class Reach(NamedTuple):
    """How far above or below its value a cell can lie, and what each cell's being hidden adds to that at most."""

    distance: float
    by_cell: Floats


class Attack:
    """Linear programs over the deviations of all cells from their values: relations hold, published cells do not move.

    ``nonnegative`` says that readers know that no value lies below zero. Cells without contributors are known to be empty.
    """

    def __init__(self, table: StatisticalTable, relations: Sequence[Relation], *, nonnegative: bool) -> None:
        from highspy import ObjSense

        self.cells = table.cells
        largest = float(np.abs(table.values).max(initial=0.0))
        self.scale = largest or 1.0
        empty = table.contributors == 0
        values = table.values / self.scale
        # Enough for any deviation that a rule asks for, and finite, so that every program has an answer.
        far = 4.0 * (1 + len(relations)) if not nonnegative else 4.0
        self.down = np.where(empty, 0.0, np.maximum(values, 0.0) if nonnegative else far)
        self.up = np.where(empty, 0.0, far)
        self.relations = relations
        start = np.cumsum([0, *(len(one.parts) + 1 for one in relations)])
        index = [place for one in relations for place in (one.total, *one.parts)]
        value = [sign for one in relations for sign in (-1.0, *[1.0] * len(one.parts))]
        solver = program()
        solver.setOptionValue("presolve", "off")
        nothing = np.zeros(self.cells)
        solver.addVars(self.cells, nothing, nothing)
        bounds = np.zeros(len(relations))
        solver.addRows(
            len(relations), bounds, bounds, len(index), start[:-1].astype(np.int32), np.array(index, np.int32),
            np.array(value),
        )  # fmt: skip
        solver.changeObjectiveSense(ObjSense.kMaximize)
        self._solver = solver
        self._every = np.arange(self.cells, dtype=np.int32)
        self._aim = 0

    def hide(self, hidden: NDArray[np.bool_], known: Iterable[int] = ()) -> None:
        """Let the cells move that are ``hidden`` (cells,) and that the reader does not know."""
        free = hidden.astype(np.float64)
        free[list(known)] = 0.0
        self._solver.changeColsBounds(self.cells, self._every, -self.down * free, self.up * free)

    def within(self, lower: Floats, upper: Floats, known: Iterable[int] = ()) -> None:
        """Let every cell move between deviations ``lower`` and ``upper`` (cells,) in the table's own unit, but for what the
        reader knows."""
        free = np.ones(self.cells)
        free[list(known)] = 0.0
        down, up = np.maximum(lower / self.scale, -self.down), np.minimum(upper / self.scale, self.up)
        self._solver.changeColsBounds(
            self.cells, self._every, np.minimum(down, 0.0) * free, np.maximum(up, 0.0) * free
        )

    def reach(self, cell: int, direction: int) -> Reach:
        """The greatest deviation of ``cell`` upwards (1) or downwards (-1), in the table's own unit."""
        self._solver.changeColCost(self._aim, 0.0)
        self._solver.changeColCost(cell, float(direction))
        self._aim = cell
        self._solver.run()
        found = self._solver.getSolution()
        distance = self._solver.getInfo().objective_function_value
        # By weak duality the reach is at most the sum of these, whichever cells are hidden.
        slope = np.asarray(found.col_dual)
        by_cell = np.where(slope > 0, slope * self.up, -slope * self.down)
        return Reach(max(float(distance), 0.0) * self.scale, np.maximum(by_cell, 0.0) * self.scale)
