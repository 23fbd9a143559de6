"""Why each cell of a table is hidden, how closely readers can bound it, and what hiding and rounding cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from techniques.families.statistical.tables.attack import FAR, Attack
from techniques.families.statistical.tables.release import ReleasedTable
from techniques.families.statistical.tables.suppression import (
    Tick,
    TimeLeft,
    TimeUpError,
    hide,
    reached,
    silent,
    unmet,
)
from techniques.families.statistical.tables.table import StatisticalTable


@dataclass(frozen=True)
class Interval:
    """Between what a reader of everything that is published can bound a cell; None where nothing bounds it."""

    low: float | None
    high: float | None


def _read_by(found: ReleasedTable) -> tuple[Attack, Callable[[tuple[int, ...]], None]]:
    """The programs of readers of what goes out, and what lays that open to one who knows some cells."""
    attack = Attack(found.joint, nonnegative=found.nonnegative)
    if found.moved is None:
        movable = found.joint.spread(found.hidden) | found.joint.elsewhere
        return attack, lambda known: hide(attack, movable, known)
    lower, upper = found.joint.bounded(*found.moved)
    return attack, lambda known: attack.publish(lower, upper, known)


def intervals(found: ReleasedTable, tick: Tick = silent) -> dict[int, Interval]:
    """For each cell that is hidden or sensitive the feasible values for an outsider, worked out from what goes out and the totals
    (two linear programs a cell)."""
    attack, publish = _read_by(found)
    publish(())
    cells = np.flatnonzero(found.hidden | found.primary).tolist()
    between = {}
    for done, cell in enumerate(cells):
        tick(done / len(cells))
        between[cell] = _interval(attack, found.table, cell)
    return between


def room_of(found: ReleasedTable, tick: Tick = silent) -> dict[int, float]:
    """For each sensitive cell how far it can lie away as a multiple of what the rules ask, in the worse direction and for the
    reader who knows most: 1 or more where it is protected. A secret, as the rules are."""
    attack, publish = _read_by(found)
    room: dict[int, float] = {}
    for need, reach in reached(attack, found.needs, publish, tick):
        room[need.cell] = min(room.get(need.cell, FAR), reach.distance)
    return room


def _interval(attack: Attack, table: StatisticalTable, cell: int) -> Interval:
    value = float(table.values[cell])
    # A small cell beside large ones may lie further away than its own program reaches.
    scales = (max(abs(value), 1.0), max(float(np.abs(table.values).max()), 1.0))
    ends: list[float | None] = []
    for direction in (-1, 1):
        reached = ((scale, attack.reach(cell, direction, scale).distance) for scale in scales)
        found = (value + direction * far * scale for scale, far in reached if far < FAR * (1 - 1e-6))
        ends.append(next(found, None))
    return Interval(*ends)


def protected_by(
    found: ReleasedTable, *, seconds: float = 20.0, tick: Tick = silent
) -> dict[int, tuple[int, ...] | None]:
    """For each secondary cell the sensitive cells that could be bounded too closely if it alone were published; none where
    no sensitive cell asks for it, None where the time did not suffice to say."""
    attack = Attack(found.joint, nonnegative=found.nonnegative)
    left = TimeLeft(seconds, tick)
    asked: dict[int, tuple[int, ...] | None] = {}
    shown = found.joint.spread(found.hidden) | found.joint.elsewhere
    for cell in np.flatnonzero(found.hidden & ~found.primary).tolist():
        shown[cell] = False
        broken = unmet(attack, found.needs, lambda known: hide(attack, shown, known), left)
        try:
            asked[cell] = tuple(sorted({need.cell for need, _reach, _by_cell in broken}))
        except TimeUpError:
            asked[cell] = None
        shown[cell] = True
    return asked


@dataclass(frozen=True)
class Loss:
    """What a table lost. ``hidden`` of ``cells`` cells; ``share`` of what the cells without parts come to by their size lies
    in hidden ones; ``mean_change`` and ``most_change`` are by how much rounding moved a cell."""

    cells: int
    hidden: int
    share: float
    mean_change: float
    most_change: float


def loss_of(found: ReleasedTable) -> Loss:
    """What hiding cells, or rounding, lost."""
    table, hidden = found.table, found.hidden
    leaf = table.leaves
    whole = float(table.absolute[leaf].sum())
    change = np.abs(found.values - table.values)[~hidden]
    return Loss(
        table.cells,
        int(hidden.sum()),
        float(table.absolute[leaf & hidden].sum()) / whole if whole else 0.0,
        float(change.mean()) if len(change) else 0.0,
        float(change.max(initial=0.0)),
    )
