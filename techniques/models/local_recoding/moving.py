"""Improving classes unit by unit: a unit moves to a class that grows dearer by less than its own becomes cheaper; a
class as small as it may be is dissolved where all of its units are worth more elsewhere.

Candidates are the classes of a unit's neighbours in several orders of the table. Every step lowers the cost, so the
work may stop at any time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.models.local_recoding.costs import alone, cell_cost, joint_cost, widened
from techniques.models.local_recoding.holding import holds

_LARGE = 64
"""Units from which on a class is not searched for what it would cover without one of them."""
_SMALL = 12
"""Units up to which a class may be dissolved."""
_LEAST = 1e-9
_GONE = -2
"""In place of a class: suppressed."""


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


@compiled
def covering(meta, cells, class_of, classes):  # type: ignore[no-untyped-def]
    """What each class covers per column: two arrays (classes, m)."""
    columns = cells.shape[1]
    first = np.zeros((classes, columns), np.int64)
    last = np.zeros((classes, columns), np.int64)
    seen = np.zeros(classes, np.bool_)
    for unit in range(len(class_of)):
        here = class_of[unit]
        if here < 0:
            continue
        for column in range(columns):
            if seen[here]:
                a, b = widened(meta[column, 0], first[here, column], last[here, column], cells[unit, column])
            else:
                a, b = alone(meta[column, 0], cells[unit, column])
            first[here, column] = a
            last[here, column] = b
        seen[here] = True
    return first, last


@compiled
def class_costs(meta, amounts, codes, first, last):  # type: ignore[no-untyped-def]
    """Cost per row of each class."""
    costs = np.zeros(len(first))
    for here in range(len(first)):
        for column in range(first.shape[1]):
            a, b = first[here, column], last[here, column]
            if meta[column, 0] == 0:  # as in joint_cost
                costs[here] += amounts[meta[column, 2] + a * meta[column, 1] + b]
            else:
                costs[here] += cell_cost(meta, amounts, codes, column, a, b)
    return costs


@compiled
def _covered_without(meta, cells, members, start, here, unit, a, b):  # type: ignore[no-untyped-def]
    """What a class covers without ``unit`` goes to ``a``, ``b`` (m,)."""
    started = False
    other = start
    while other >= 0:
        if other != unit:
            for column in range(cells.shape[1]):
                if started:
                    a[column], b[column] = widened(
                        meta[column, 0], a[column], b[column], cells[other, column]
                    )
                else:
                    a[column], b[column] = alone(meta[column, 0], cells[other, column])
            started = True
        other = members[other, 0]


@compiled
def _cost(meta, amounts, codes, a, b):  # type: ignore[no-untyped-def]
    total = 0.0
    for column in range(len(a)):
        total += cell_cost(meta, amounts, codes, column, a[column], b[column])
    return total


@compiled
def _tally(histogram, values, unit, weight):  # type: ignore[no-untyped-def]
    for s in range(values.shape[1]):
        histogram[values[unit, s]] += weight


@compiled
def _best(  # type: ignore[no-untyped-def]
    meta, amounts, codes, cells, weights, values, class_of, order, places, window, unit, gain, first, last, cost,
    rows, histograms, seen, look, conditions, share_of,
):  # fmt: skip
    """(class that grows dearest by less than ``gain`` through ``unit``, by how much); -1 if there is none."""
    here, own = class_of[unit], weights[unit]
    best, target = gain, -1
    count = order.shape[1]
    for number in range(order.shape[0]):
        at = places[number, unit]
        for near in range(max(at - window, 0), min(at + window + 1, count)):
            there = class_of[order[number, near]]
            if there < 0 or there == here or seen[there] == look:
                continue
            seen[there] = look
            enough = (best + cost[there] * rows[there]) / (rows[there] + own)
            joined = joint_cost(meta, amounts, codes, first, last, there, cells, unit, enough)
            if joined >= enough:
                continue
            if len(conditions[0]):
                _tally(histograms[there], values, unit, own)
                good = holds(histograms[there], rows[there] + own, conditions, share_of)
                _tally(histograms[there], values, unit, -own)
                if not good:
                    continue
            best, target = joined * (rows[there] + own) - cost[there] * rows[there], there
    return target, best


@compiled
def _leave(members, head, here, unit):  # type: ignore[no-untyped-def]
    down, up = members[unit, 0], members[unit, 1]
    if up >= 0:
        members[up, 0] = down
    else:
        head[here] = down
    if down >= 0:
        members[down, 1] = up


@compiled
def _enter(  # type: ignore[no-untyped-def]
    meta, amounts, codes, cells, weights, values, class_of, members, head, rows, units, first, last, cost, histograms,
    target, unit,
):  # fmt: skip
    for column in range(cells.shape[1]):
        first[target, column], last[target, column] = widened(
            meta[column, 0], first[target, column], last[target, column], cells[unit, column]
        )
    cost[target] = _cost(meta, amounts, codes, first[target], last[target])
    rows[target] += weights[unit]
    units[target] += 1
    class_of[unit] = target
    top = head[target]
    members[unit, 0], members[unit, 1] = top, -1
    if top >= 0:
        members[top, 1] = unit
    head[target] = unit
    if len(histograms):
        _tally(histograms[target], values, unit, weights[unit])


@compiled
def improve(  # type: ignore[no-untyped-def]
    meta, amounts, codes, cells, weights, values, class_of, classes, order, window, sweeps, k, whole, spare, size,
    conditions, share_of,
):  # fmt: skip
    """Improve ``class_of`` in place, ``sweeps`` times at most. Emptied classes keep their numbers.

    ``order`` (P, T) are the units in P orders, looked at ``window`` to either side. Units of class -1 stay. Up to
    ``spare`` rows more get class -1 at ``whole`` a row, first where that saves several times as much.
    """
    columns = cells.shape[1]
    judged = len(conditions[0]) > 0
    count = len(class_of)
    first, last = covering(meta, cells, class_of, classes)
    cost = class_costs(meta, amounts, codes, first, last)
    members = np.full((count, 2), -1, np.int32)
    head = np.full(classes, -1, np.int32)
    rows = np.zeros(classes, np.int64)
    units = np.zeros(classes, np.int64)
    histograms = np.zeros((classes if judged else 0, size), np.int64)
    for unit in range(count):
        here = class_of[unit]
        if here >= 0:
            top = head[here]
            members[unit, 0] = top
            if top >= 0:
                members[top, 1] = unit
            head[here] = unit
            rows[here] += weights[unit]
            units[here] += 1
            if judged:
                _tally(histograms[here], values, unit, weights[unit])
    places = np.empty(order.shape, np.int32)
    for number in range(order.shape[0]):
        for at in range(count):
            places[number, order[number, at]] = at
    seen = np.full(classes, -1, np.int64)
    look = np.int64(0)
    a, b = np.zeros(columns, np.int64), np.zeros(columns, np.int64)
    inside, aims = np.empty(_SMALL, np.int32), np.empty(_SMALL, np.int64)
    for sweep in range(sweeps):
        moved = 0
        price = whole * 2.0 ** (sweeps - 1 - sweep)
        for unit in range(count):
            here = class_of[unit]
            if here < 0 or cost[here] <= _LEAST:
                continue
            own = weights[unit]
            stays = rows[here] - own >= k
            if stays and judged:
                _tally(histograms[here], values, unit, -own)
                stays = holds(histograms[here], rows[here] - own, conditions, share_of)
                _tally(histograms[here], values, unit, own)
            mates = 0
            if stays:
                rest = cost[here]
                if units[here] <= _LARGE:
                    _covered_without(meta, cells, members, head[here], here, unit, a, b)
                    rest = _cost(meta, amounts, codes, a, b)
                gain = cost[here] * rows[here] - rest * (rows[here] - own)
                inside[0] = unit
                mates = 1
            elif units[here] <= _SMALL:
                gain = cost[here] * rows[here]
                other = head[here]
                while other >= 0:
                    inside[mates] = other
                    mates += 1
                    other = members[other, 0]
            if mates == 0 or gain <= _LEAST:
                continue
            # -- a class for the unit, or one of its own for each unit of a class that goes as a whole
            left = gain - _LEAST
            room = spare
            for i in range(mates):
                look += 1
                for j in range(i):
                    if aims[j] >= 0:
                        seen[aims[j]] = look
                aims[i], spent = _best(
                    meta, amounts, codes, cells, weights, values, class_of, order, places, window, inside[i], left,
                    first, last, cost, rows, histograms, seen, look, conditions, share_of,
                )  # fmt: skip
                if weights[inside[i]] <= room and price * weights[inside[i]] < spent:
                    aims[i], spent = _GONE, whole * weights[inside[i]]
                    room -= weights[inside[i]]
                left -= spent
                if aims[i] == -1 or left <= 0:
                    mates = 0
                    break
            for i in range(mates):
                mate = inside[i]
                _leave(members, head, here, mate)
                rows[here] -= weights[mate]
                units[here] -= 1
                if judged:
                    _tally(histograms[here], values, mate, -weights[mate])
                if aims[i] == _GONE:
                    class_of[mate] = -1
                    continue
                _enter(
                    meta, amounts, codes, cells, weights, values, class_of, members, head, rows, units, first, last,
                    cost, histograms, aims[i], mate,
                )  # fmt: skip
            if mates:
                moved += 1
                spare = room
                if units[here] == 0:
                    cost[here] = 0.0
                elif units[here] < _LARGE:
                    _covered_without(meta, cells, members, head[here], here, -1, a, b)
                    first[here] = a
                    last[here] = b
                    cost[here] = _cost(meta, amounts, codes, a, b)
        if moved * 200 < count and (spare == 0 or price == whole):
            break
