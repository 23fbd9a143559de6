"""Improving classes unit by unit: a unit moves to a class that grows dearer by less than its own becomes cheaper; a
class as small as it may be is dissolved where all of its units are worth more elsewhere.

Candidates are the classes of a unit's neighbours in several orders of the table. Every step lowers the cost, so the
work may stop at any time.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.models.conditions.judging import all_hold
from techniques.models.local_recoding.costs import (
    Extents,
    alone,
    class_costs,
    covering,
    joint_cost,
    row_cost,
    widened,
)

_SWEEPS = 3
"""Times that all units are gone through."""
_WINDOW = 2
"""Neighbours to either side whose classes are candidates."""
_LARGE = 64
"""Units from which on a class is not searched for what it would cover without one of them."""
_SMALL = 12
"""Units up to which a class may be dissolved."""
_FEW_MOVES = 200
"""Another sweep is worth it if at least one in so many units has moved."""
_LEAST = 1e-9
_NONE, _SUPPRESSED = -1, -2
"""In place of a class to go to."""
_AFTER, _BEFORE = 0, 1


class Classes(NamedTuple):
    """Classes whose units move."""

    of_unit: NDArray[np.int32]
    """Class of each of T units, -1 for a suppressed one."""
    extents: Extents
    cost: NDArray[np.float64]
    """Cost per row of each class."""
    rows: NDArray[np.int64]
    units: NDArray[np.int64]
    """Number of units in each class."""
    histograms: NDArray[np.int64]
    """Rows with each sensitive value (classes, values); nothing where there is no condition."""
    head: NDArray[np.int32]
    """The first unit of each class, -1 for none."""
    links: NDArray[np.int32]
    """Per unit (T, 2) the units after and before it in its class, -1 for none."""


class Neighbours(NamedTuple):
    """Units in P orders: ``order`` (P, T), and the place of each unit in them, ``places`` (P, T)."""

    order: NDArray[np.int32]
    places: NDArray[np.int32]


class Suppression(NamedTuple):
    """How many rows may yet be suppressed, what that costs a row, and the price at which it is worth it."""

    spare: int
    whole: float
    price: float


class Work(NamedTuple):
    """Arrays to work in."""

    seen: NDArray[np.int64]
    """The last look at each class as a candidate."""
    leaving: NDArray[np.int64]
    """Units that leave their class."""
    aims: NDArray[np.int64]
    """Their targets."""
    first: NDArray[np.int64]
    last: NDArray[np.int64]


def orders(cells: NDArray[Any], sizes: NDArray[np.int64]) -> NDArray[np.int32]:
    """Units in one order per column (P, T): that column decides first, then those behind it, round about."""
    made = []
    columns = cells.shape[1]
    for start in range(columns):
        key = np.zeros(len(cells), dtype=np.uint64)
        for step in range(columns):
            column = (start + step) % columns
            # Beyond 64 bits the first columns drop out of the key: an order for looking around, no more.
            key = key * np.uint64(sizes[column]) + cells[:, column].astype(np.uint64)
        made.append(np.argsort(key, kind="stable").astype(np.int32))
    return np.array(made, dtype=np.int32)


@inner
def count(histogram, values, unit, rows):
    """Add ``rows`` with the sensitive values of a unit."""
    for attribute in range(values.shape[1]):
        histogram[values[unit, attribute]] += rows


@inner
def _formed(costs, units, requirements, class_of, classes):
    """:class:`Classes` of units as they are."""
    total = len(class_of)
    judged = len(requirements.conditions) > 0
    extents = covering(costs.columns, units.cells, class_of, classes)
    links = np.full((total, 2), _NONE, np.int32)
    head = np.full(classes, _NONE, np.int32)
    rows = np.zeros(classes, np.int64)
    number = np.zeros(classes, np.int64)
    histograms = np.zeros((classes if judged else 0, len(requirements.shares)), np.int64)
    for unit in range(total):
        here = class_of[unit]
        if here >= 0:
            _link(links, head, np.int64(here), unit)
            rows[here] += units.rows[unit]
            number[here] += 1
            if judged:
                count(histograms[here], units.values, unit, units.rows[unit])
    cost = class_costs(costs, extents)
    return Classes(class_of, extents, cost, rows, number, histograms, head, links)


@inner
def _link(links, head, here, unit):
    """Put a unit in front of the others of its class."""
    top = head[here]
    links[unit, _AFTER], links[unit, _BEFORE] = top, _NONE
    if top >= 0:
        links[top, _BEFORE] = unit
    head[here] = unit


@inner
def _cover(costs, units, classes, here, without, work):
    """What a class covers ``without`` one of its units goes to ``work``."""
    columns, cells, links = costs.columns, units.cells, classes.links
    first, last = work.first, work.last
    started = False
    unit = classes.head[here]
    while unit >= 0:
        if unit != without:
            for column in range(cells.shape[1]):
                kind, place = columns[column].kind, cells[unit, column]
                if started:
                    a, b = widened(kind, first[column], last[column], place)
                else:
                    a, b = alone(kind, place)
                first[column], last[column] = a, b
            started = True
        unit = links[unit, _AFTER]


@inner
def _best(costs, units, requirements, classes, neighbours, unit, gain, look, seen):
    """(class that grows dearest by less than ``gain`` through ``unit``, by how much); -1 if there is none.

    Classes ``seen`` at this ``look`` are no candidates.
    """
    order, places, of_unit = neighbours.order, neighbours.places, classes.of_unit
    rows_of, cost, histograms = classes.rows, classes.cost, classes.histograms
    values, judged = units.values, len(requirements.conditions) > 0
    here, own = of_unit[unit], units.rows[unit]
    best, target = gain, np.int64(_NONE)
    for number in range(order.shape[0]):
        at = places[number, unit]
        for near in range(max(at - _WINDOW, 0), min(at + _WINDOW + 1, order.shape[1])):
            there = np.int64(of_unit[order[number, near]])
            if there < 0 or there == here or seen[there] == look:
                continue
            seen[there] = look
            rows = rows_of[there]
            enough = (best + cost[there] * rows) / (rows + own)
            joined = joint_cost(costs, classes.extents, there, units, unit, enough)
            if joined >= enough:
                continue
            if judged:
                count(histograms[there], values, unit, own)
                good = all_hold(histograms[there], rows + own, requirements)
                count(histograms[there], values, unit, -own)
                if not good:
                    continue
            best, target = joined * (rows + own) - cost[there] * rows, there
    return target, best


@inner
def _leavers(costs, units, requirements, classes, unit, k, work):
    """(number of units that leave so that ``unit`` may, what their class gains): the unit alone if its class can do
    without it, all units of a small class, or none. The units go to ``work``."""
    here, own = classes.of_unit[unit], units.rows[unit]
    rows = classes.rows[here] - own
    stays = rows >= k
    if stays and len(requirements.conditions):
        count(classes.histograms[here], units.values, unit, -own)
        stays = all_hold(classes.histograms[here], rows, requirements)
        count(classes.histograms[here], units.values, unit, own)
    if stays:
        rest = classes.cost[here]
        if classes.units[here] <= _LARGE:
            _cover(costs, units, classes, here, unit, work)
            rest = row_cost(costs, work.first, work.last)
        work.leaving[0] = unit
        return 1, classes.cost[here] * classes.rows[here] - rest * rows
    if classes.units[here] > _SMALL:
        return 0, 0.0
    number = 0
    other = classes.head[here]
    while other >= 0:
        work.leaving[number] = other
        number += 1
        other = classes.links[other, _AFTER]
    return number, classes.cost[here] * classes.rows[here]


@inner
def _aimed(costs, units, requirements, classes, neighbours, number, gain, suppression, look, work):
    """Whether every unit that leaves finds another class, or is suppressed, for less than the ``gain`` in all; the rows
    to spare then. Where they go is in ``work``."""
    left = gain - _LEAST
    spare = suppression.spare
    for i in range(number):
        unit = work.leaving[i]
        rows = units.rows[unit]
        for j in range(i):
            if work.aims[j] >= 0:
                work.seen[work.aims[j]] = look + i
        work.aims[i], spent = _best(
            costs, units, requirements, classes, neighbours, unit, left, look + i, work.seen
        )
        if rows <= spare and suppression.price * rows < spent:
            work.aims[i], spent = _SUPPRESSED, suppression.whole * rows
            spare -= rows
        left -= spent
        if work.aims[i] == _NONE or left <= 0:
            return False, spare
    return True, spare


@inner
def _leave(units, classes, judged, unit):
    """Take a unit out of its class, which still covers it."""
    here, rows = classes.of_unit[unit], units.rows[unit]
    after, before = classes.links[unit, _AFTER], classes.links[unit, _BEFORE]
    if before >= 0:
        classes.links[before, _AFTER] = after
    else:
        classes.head[here] = after
    if after >= 0:
        classes.links[after, _BEFORE] = before
    classes.rows[here] -= rows
    classes.units[here] -= 1
    if judged:
        count(classes.histograms[here], units.values, unit, -rows)
    classes.of_unit[unit] = -1


@inner
def _enter(costs, units, classes, judged, unit, target):
    """Put a unit that has no class into one."""
    first, last = classes.extents.first[target], classes.extents.last[target]
    for column in range(units.cells.shape[1]):
        first[column], last[column] = widened(
            costs.columns[column].kind, first[column], last[column], units.cells[unit, column]
        )
    classes.cost[target] = row_cost(costs, first, last)
    classes.rows[target] += units.rows[unit]
    classes.units[target] += 1
    classes.of_unit[unit] = target
    _link(classes.links, classes.head, target, unit)
    if judged:
        count(classes.histograms[target], units.values, unit, units.rows[unit])


@inner
def _narrowed(costs, units, classes, here, work):
    """Make a class cover its units alone, after some have left it."""
    if classes.units[here] == 0:
        classes.cost[here] = 0.0
    elif classes.units[here] < _LARGE:
        _cover(costs, units, classes, here, np.int64(_NONE), work)
        for column in range(len(work.first)):
            classes.extents.first[here, column] = work.first[column]
            classes.extents.last[here, column] = work.last[column]
        classes.cost[here] = row_cost(costs, work.first, work.last)


@compiled
def improve(costs, units, requirements, class_of, classes, order, k, whole, spare):
    """Improve ``class_of`` in place. Emptied classes keep their numbers.

    ``order`` (P, T) are the units in P orders. Units of class -1 stay. Up to ``spare`` rows more get class -1 at
    ``whole`` a row, first where that saves several times as much.
    """
    total = len(class_of)
    judged = len(requirements.conditions) > 0
    made = _formed(costs, units, requirements, class_of, classes)
    places = np.empty(order.shape, np.int32)
    for number in range(order.shape[0]):
        for at in range(total):
            places[number, order[number, at]] = at
    neighbours = Neighbours(order, places)
    columns = units.cells.shape[1]
    work = Work(
        np.full(classes, -1, np.int64), np.empty(_SMALL, np.int64), np.empty(_SMALL, np.int64),
        np.zeros(columns, np.int64), np.zeros(columns, np.int64),
    )  # fmt: skip
    look = 0
    for sweep in range(_SWEEPS):
        moved = 0
        price = whole * 2.0 ** (_SWEEPS - 1 - sweep)
        for unit in range(total):
            here = class_of[unit]
            if here < 0 or made.cost[here] <= _LEAST:
                continue
            number, gain = _leavers(costs, units, requirements, made, unit, k, work)
            if number == 0 or gain <= _LEAST:
                continue
            look += _SMALL
            suppression = Suppression(spare, whole, price)
            good, room = _aimed(
                costs, units, requirements, made, neighbours, number, gain, suppression, look, work
            )
            if not good:
                continue
            for i in range(number):
                _leave(units, made, judged, work.leaving[i])
                if work.aims[i] != _SUPPRESSED:
                    _enter(costs, units, made, judged, work.leaving[i], work.aims[i])
            moved += 1
            spare = room
            _narrowed(costs, units, made, here, work)
        if moved * _FEW_MOVES < total and (spare == 0 or price == whole):
            break
