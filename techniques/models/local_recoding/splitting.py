"""Splitting classes in two, again and again, where it saves most and both parts still hold the conditions."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.models.conditions.judging import all_hold
from techniques.models.local_recoding.costs import alone, cell_cost, row_cost, united, widened
from techniques.models.local_recoding.moving import count
from techniques.models.local_recoding.shapes import SET

_FREE = 200
"""Units up to which a class may be cut anywhere; a larger one loses at least an eighth."""
_SHARE = 8
_NOTHING = 1e-12
"""Cost per row up to which a class loses nothing that a cut could save."""
_LEAST = 1e-9
"""What a cut has to save."""
_UNSEEN = -1
_BEGIN, _END, _CLASS = range(3)
"""Columns of the classes that wait to be split: where their units begin and end, and their number."""


class Work(NamedTuple):
    """Arrays to work in, for one class and one column at a time. A place is the number of a value in its column."""

    rows_at: NDArray[np.int64]
    """Rows of the class at each place; 0 between two columns."""
    order: NDArray[np.int64]
    """Places that occur, in the order in which the column is cut."""
    rank: NDArray[np.int64]
    """The rank of each place in that order."""
    low: NDArray[np.int64]
    """What the units at each place of the order cover, column by column (places, m): the first numbers,"""
    high: NDArray[np.int64]
    """and the last ones."""
    tail: NDArray[np.float64]
    """Cost per row of what the units from each place of the order on cover."""
    values: NDArray[np.int64]
    """Rows with each sensitive value at each place of the order; nothing where there is no condition."""
    left: NDArray[np.int64]
    """Rows with each sensitive value before a cut"""
    right: NDArray[np.int64]
    """and behind it."""
    first: NDArray[np.int64]
    """What units cover together (m,)"""
    last: NDArray[np.int64]


@inner
def _ordered(order, found, mass, by_mass, rank):
    """Sort the first ``found`` places of ``order``, by falling ``mass`` or by themselves, and number them."""
    gap = 1
    while 3 * gap + 1 < found:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, found):
            place = order[i]
            j = i
            while j >= gap:
                other = order[j - gap]
                later = other > place
                if by_mass and mass[other] != mass[place]:
                    later = mass[other] < mass[place]
                if not later:
                    break
                order[j] = other
                j -= gap
            order[j] = place
        gap //= 3
    for i in range(found):
        rank[order[i]] = i


@inner
def _cover_all(costs, units, held, work):
    """What the units ``held`` by a class cover goes to ``work``."""
    for i in range(len(held)):
        for column in range(len(work.first)):
            kind, place = costs.columns[column].kind, units.cells[held[i], column]
            if i == 0:
                a, b = alone(kind, place)
            else:
                a, b = widened(kind, work.first[column], work.last[column], place)
            work.first[column], work.last[column] = a, b


@inner
def _put_in_order(costs, units, held, column, work):
    """The places that occur in a column, in the order in which it is cut, and their ranks; how many there are."""
    found = np.int64(0)
    for unit in held:
        place = units.cells[unit, column]
        if work.rows_at[place] == 0:
            work.order[found] = place
            found += 1
        work.rows_at[place] += units.rows[unit]
    by_mass = costs.columns[column].kind == SET
    _ordered(work.order, found, work.rows_at, by_mass, work.rank)
    return found


@inner
def _cover_places(costs, units, held, column, found, judged, work):
    """What the units at each place of a column's order cover, and their sensitive values."""
    for i in range(found):
        work.low[i, 0] = _UNSEEN
        if judged:
            work.values[i] = 0
    for unit in held:
        i = work.rank[units.cells[unit, column]]
        fresh = work.low[i, 0] == _UNSEEN
        for other in range(len(work.first)):
            kind, place = costs.columns[other].kind, units.cells[unit, other]
            if fresh:
                a, b = alone(kind, place)
            else:
                a, b = widened(kind, work.low[i, other], work.high[i, other], place)
            work.low[i, other], work.high[i, other] = a, b
        if judged:
            count(work.values[i], units.values, unit, units.rows[unit])


@inner
def _take_in(costs, i, fresh, work):
    """Cost per row of what is covered once the place ``i`` of the order is taken in, too."""
    total = 0.0
    for column in range(len(work.first)):
        if fresh:
            a, b = work.low[i, column], work.high[i, column]
        else:
            a, b = united(
                costs.columns[column].kind,
                work.first[column],
                work.last[column],
                work.low[i, column],
                work.high[i, column],
            )
        work.first[column], work.last[column] = a, b
        total += cell_cost(costs, column, a, b)
    return total


@inner
def _best_cut(costs, requirements, rows, found, least, best, judged, work):
    """(cost of the two parts of a class of ``rows`` rows, rank of the last place before the cut), below ``best``; rank -1
    if there is none. No part has fewer than ``least`` rows."""
    for i in range(found - 1, -1, -1):
        work.tail[i] = _take_in(costs, i, i == found - 1, work)
    if judged:
        for value in range(len(work.left)):
            work.left[value] = 0
            work.right[value] = 0
            for i in range(found):
                work.right[value] += work.values[i, value]
    before = np.int64(0)
    cut = -1
    for i in range(found - 1):
        front = _take_in(costs, i, i == 0, work)
        before += work.rows_at[work.order[i]]
        if judged:
            for value in range(len(work.left)):
                work.left[value] += work.values[i, value]
                work.right[value] -= work.values[i, value]
        if before < least or rows - before < least:
            continue
        both = front * before + work.tail[i + 1] * (rows - before)
        if both < best and (
            not judged
            or (
                all_hold(work.left, before, requirements)
                and all_hold(work.right, rows - before, requirements)
            )
        ):
            best, cut = both, i
    _take_in(costs, found - 1, found == 1, work)  # the class as a whole again, for the next column
    return best, cut


@inner
def _forget_rows(found, work):
    for i in range(found):
        work.rows_at[work.order[i]] = 0


@inner
def _parted(units, held, column, cut, buffer, work):
    """Put the units up to the ``cut`` of a column first; their number."""
    front = 0
    behind = 0
    for unit in held:
        if work.rank[units.cells[unit, column]] <= cut:
            held[front] = unit
            front += 1
        else:
            buffer[behind] = unit
            behind += 1
    for i in range(behind):
        held[front + i] = buffer[i]
    return front


@inner
def _grouped(class_of, classes):
    """(units side by side by class, where each class starts)."""
    start = np.zeros(classes + 1, np.int64)
    for here in class_of:
        if here >= 0:
            start[here + 1] += 1
    for here in range(classes):
        start[here + 1] += start[here]
    fill = start[:-1].copy()
    held = np.empty(start[classes], np.int32)
    for unit in range(len(class_of)):
        here = class_of[unit]
        if here >= 0:
            held[fill[here]] = unit
            fill[here] += 1
    return held, start


@compiled
def split(costs, units, requirements, class_of, classes, k):
    """Split in place into classes of at least ``k`` rows; the number of classes then.

    A class is cut by one column, between two places of an order or between the frequent and the rare values of
    a set. Work per level of cuts: units x columns squared.
    """
    total, columns = units.cells.shape
    judged = len(requirements.conditions) > 0
    values = len(requirements.shares)
    widest = 0
    for column in range(columns):
        widest = max(widest, costs.columns[column].size)
    work = Work(
        np.zeros(widest, np.int64), np.empty(widest, np.int64), np.empty(widest, np.int64),
        np.zeros((widest, columns), np.int64), np.zeros((widest, columns), np.int64), np.zeros(widest),
        np.zeros((widest if judged else 1, values), np.int64), np.zeros(values, np.int64),
        np.zeros(values, np.int64), np.zeros(columns, np.int64), np.zeros(columns, np.int64),
    )  # fmt: skip
    units_of, start = _grouped(class_of, classes)
    buffer = np.empty(total, np.int32)
    waiting = np.empty((total + classes + 1, 3), np.int64)
    waiting[:classes, _BEGIN], waiting[:classes, _END] = start[:-1], start[1:]
    waiting[:classes, _CLASS] = np.arange(classes)
    depth = classes
    while depth:
        depth -= 1
        begin, end, here = waiting[depth, _BEGIN], waiting[depth, _END], waiting[depth, _CLASS]
        held = units_of[begin:end]
        rows = np.int64(0)
        for unit in held:
            rows += units.rows[unit]
        if end - begin < 2 or rows < 2 * k:
            continue
        _cover_all(costs, units, held, work)
        whole = row_cost(costs, work.first, work.last)
        if whole <= _NOTHING:
            continue
        least = k if end - begin <= _FREE else max(k, rows // _SHARE)
        best = whole * rows - _LEAST
        best_column: Any = np.int64(-1)
        best_cut: Any = np.int64(-1)
        for column in range(columns):
            if cell_cost(costs, column, work.first[column], work.last[column]) <= 0.0:
                continue
            found = _put_in_order(costs, units, held, column, work)
            _cover_places(costs, units, held, column, found, judged, work)
            cheapest, cut = _best_cut(costs, requirements, rows, found, least, best, judged, work)
            if cut >= 0:
                best, best_column, best_cut = cheapest, column, cut
            _forget_rows(found, work)
        if best_column < 0:
            continue
        found = _put_in_order(costs, units, held, best_column, work)
        _forget_rows(found, work)
        middle = begin + _parted(units, held, best_column, best_cut, buffer, work)
        for unit in units_of[middle:end]:
            class_of[unit] = classes
        waiting[depth, _BEGIN], waiting[depth, _END], waiting[depth, _CLASS] = begin, middle, here
        depth += 1
        waiting[depth, _BEGIN], waiting[depth, _END], waiting[depth, _CLASS] = middle, end, classes
        depth += 1
        classes += 1
    return classes
