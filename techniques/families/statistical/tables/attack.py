"""What can be worked out of hidden cells from the published ones, the totals, and what the reader knows besides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.families.statistical.tables.joint import Joint
from techniques.families.statistical.tables.solver import program
from techniques.families.statistical.tables.table import Floats

FAR = 1e4
"""How many times the distance that is asked for a cell may move at most: enough, and every program has an answer."""
EXACT = 1e-6
"""What the solver may leave of that distance."""


class Reach(NamedTuple):
    """How far above or below its value a cell can lie, and what each cell's being hidden adds to that at most; both as
    multiples of the distance that was asked for. ``moved`` are the cells that then lie elsewhere themselves."""

    distance: float
    by_cell: Floats
    moved: NDArray[np.bool_]

    @property
    def met(self) -> bool:
        """Whether the cell can lie as far away as was asked."""
        return self.distance >= 1 - EXACT


class Attack:
    """Linear programs over the deviations of all cells from their values: relations hold, published cells do not move.

    ``nonnegative`` says that readers know that no value lies below zero. Cells without contributors are known to be empty. Each
    program is scaled to the distance that is asked for, so that small cells beside large ones count as they are.
    """

    def __init__(self, joint: Joint, *, nonnegative: bool) -> None:
        from highspy import ObjSense

        self.cells = joint.cells
        self.relations = relations = joint.relations
        empty = joint.contributors == 0
        # What stands in other tables already narrows what this one leaves open.
        self.down = np.where(empty, 0.0, np.minimum(joint.values if nonnegative else np.inf, -joint.lower))
        self.up = np.where(empty, 0.0, joint.upper)
        self._lower, self._upper = -self.down, self.up
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

    def publish(self, lower: Floats, upper: Floats, known: Iterable[int] = ()) -> None:
        """Let every cell move between the deviations ``lower`` and ``upper`` (cells,), but for what the reader knows."""
        self._lower = np.minimum(np.maximum(lower, -self.down), 0.0)
        self._upper = np.maximum(np.minimum(upper, self.up), 0.0)
        places = list(known)
        self._lower[places] = self._upper[places] = 0.0

    def reach(self, cell: int, direction: int, distance: float) -> Reach:
        """The greatest deviation of ``cell`` upwards (1) or downwards (-1), as a multiple of ``distance``."""
        down, up = np.minimum(self.down / distance, FAR), np.minimum(self.up / distance, FAR)
        lower, upper = np.maximum(self._lower / distance, -FAR), np.minimum(self._upper / distance, FAR)
        self._solver.changeColsBounds(self.cells, self._every, lower, upper)
        self._solver.changeColCost(self._aim, 0.0)
        self._solver.changeColCost(cell, float(direction))
        self._aim = cell
        self._solver.run()
        found = self._solver.getSolution()
        # By weak duality the reach is at most the sum of these, whichever cells are hidden.
        slope = np.asarray(found.col_dual)
        by_cell = np.where(slope > 0, slope * up, -slope * down)
        distance = float(self._solver.getInfo().objective_function_value)
        return Reach(distance, np.maximum(by_cell, 0.0), np.asarray(found.col_value) != 0)
