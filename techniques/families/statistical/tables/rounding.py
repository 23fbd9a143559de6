"""Rounding all cells of a table to multiples of a base so that it still adds up, with the least change (controlled rounding)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.families.statistical.tables.attack import Attack
from techniques.families.statistical.tables.joint import Joint, Published
from techniques.families.statistical.tables.solver import program, solve
from techniques.families.statistical.tables.suppression import Need, Tick, silent, unmet
from techniques.families.statistical.tables.table import Floats, Relation, StatisticalTable

_MOST_STEPS = 3
"""How many multiples beside the two next to a value are tried before the table counts as one that cannot be rounded."""


@dataclass(frozen=True)
class Rounding:
    """The rounded ``values`` (cells,), multiples of ``base``, each less than ``steps`` times the base away from the true one."""

    values: Floats
    base: float
    steps: int


def round_table(
    table: StatisticalTable, base: float, *, seconds: float = 60.0, tick: Tick = silent
) -> Rounding:
    """Each value becomes a multiple of ``base`` next to it, a multiple stays, and totals are the sums of their parts; where no
    such table exists multiples one further away are allowed, and so on.

    ``tick`` is called while it is searched. Raises EngineError ``cannot_be_rounded`` where none was found in time.
    """
    relations = table.relations()
    for steps in range(1, _MOST_STEPS + 1):
        values = _rounded(table, relations, base, steps, seconds, tick)
        if values is not None:
            return Rounding(values, base, steps)
    text = _(
        "No table of multiples of %(base)s near the values adds up: take another base, or hide cells instead."
    )
    raise EngineError("cannot_be_rounded", text, base=f"{base:g}")


def deviations(table: StatisticalTable, rounding: Rounding) -> tuple[Floats, Floats]:
    """Between which deviations from its value (cells,), (cells,) each cell lies for who knows the base and the steps."""
    width = max(rounding.base * rounding.steps - (1.0 if table.whole else 0.0), 0.0)
    moved = rounding.values - table.values
    return moved - width, moved + width


def audit_rounding(
    table: StatisticalTable,
    needs: Sequence[Need],
    rounding: Rounding,
    *,
    nonnegative: bool = True,
    published: Sequence[Published] = (),
    tick: Tick = silent,
) -> list[tuple[Need, float]]:
    """Each need that the rounded table does not meet, and how far the cell can lie away, for a reader who knows the base, how
    many steps a value moves at most, whether values are whole numbers, and the ``published`` tables."""
    joint = Joint(table, published)
    attack = Attack(joint, nonnegative=nonnegative)
    lower, upper = joint.bounded(*deviations(table, rounding))
    found = unmet(attack, needs, lambda known: attack.publish(lower, upper, known), tick)
    return [(need, reach) for need, reach, _by_cell in found]


def _rounded(
    table: StatisticalTable,
    relations: Sequence[Relation],
    base: float,
    steps: int,
    seconds: float,
    tick: Tick,
) -> NDArray[np.float64] | None:
    """The multiples of the least total change less than ``steps`` bases away; None where there are none."""
    from highspy import SolutionStatus

    cells = table.cells
    near = table.values / base
    near = np.where(np.isclose(near, np.round(near), rtol=0, atol=1e-9), np.round(near), near)
    # Variables: the multiple of each cell, and by how much it differs from the value.
    exact = (near == np.round(near)) & (steps == 1)
    low = np.where(exact, near, np.floor(near) - (steps - 1))
    high = np.where(exact, near, np.ceil(near) + (steps - 1))
    empty = table.contributors == 0
    low, high = np.where(empty, 0.0, low), np.where(empty, 0.0, high)
    solver = program()
    solver.setOptionValue("time_limit", float(seconds))
    solver.addVars(2 * cells, np.append(low, np.zeros(cells)), np.append(high, np.full(cells, np.inf)))
    every = np.arange(2 * cells, dtype=np.int32)
    solver.changeColsCost(2 * cells, every, np.append(np.zeros(cells), np.ones(cells)))
    solver.changeColsIntegrality(cells, every[:cells], np.full(cells, 1, dtype=np.uint8))
    for cell in range(cells):
        pair = np.array([cell, cell + cells], dtype=np.int32)
        solver.addRow(-np.inf, near[cell], 2, pair, np.array([1.0, -1.0]))
        solver.addRow(near[cell], np.inf, 2, pair, np.array([1.0, 1.0]))
    for one in relations:
        places = np.array([one.total, *one.parts], dtype=np.int32)
        solver.addRow(0.0, 0.0, len(places), places, np.array([-1.0, *[1.0] * len(one.parts)]))
    solve(solver, tick)
    if solver.getInfo().primal_solution_status != int(SolutionStatus.kSolutionStatusFeasible):
        return None
    found: NDArray[np.float64] = np.round(np.asarray(solver.getSolution().col_value)[:cells]) * base
    return found
