"""Algorithm 1 of Cao et al. 2018: a cluster is split around two far records until its parts are small.

Parts that break l or α come together and are split again as long as that gives some that hold; who is left goes where it adds
least to what is lost and all conditions still hold.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.models.conditions.judging import all_hold
from techniques.models.conditions.values import Requirements
from techniques.models.k_anonymity.solution import no_solution
from techniques.models.local_recoding.costs import (
    Units,
    alone,
    cell_cost,
    covering,
    joint_cost,
    row_cost,
    united,
    widened,
)
from techniques.models.local_recoding.shapes import Costs

Order = NDArray[np.int64]


def clustered(
    costs: Costs, units: Units, k: int, requirements: Requirements, random: np.random.Generator
) -> tuple[NDArray[np.int32], int]:
    """(class of each record, number of classes), of ``units`` of one row each; EngineError ``no_solution``.

    Where records that are left fit in no class one by one, they take the nearest classes in until all of it holds together.
    """
    class_of = np.full(len(units.rows), -1, dtype=np.int32)
    classes = 0
    left: Order = random.permutation(len(units.rows)).astype(np.int64)
    while len(left) and (classes == 0 or len(left) >= 2 * k):
        order, starts = divided(costs, units.cells, left, k, random.random(len(left)))
        good = judged(units.values, order, starts, requirements)
        if not good.any():
            break
        number = np.where(good, classes + np.cumsum(good) - 1, -1).astype(np.int32)
        class_of[order] = np.repeat(number, np.diff(starts))
        classes += int(good.sum())
        left = order[class_of[order] < 0]
    if len(left) and classes:
        inserted(
            costs,
            units,
            requirements,
            class_of,
            covering(costs.columns, units.cells, class_of, classes),
            left,
        )
        left = left[class_of[left] < 0]
    if len(left):
        classes = _taken_in(costs, units, k, requirements, class_of, classes)
    return class_of, classes


@inner
def _pair_cost(costs, cells, a, b):
    total = 0.0
    for column in range(cells.shape[1]):
        kind = costs.columns[column].kind
        first, last = alone(kind, cells[a, column])
        first, last = widened(kind, first, last, cells[b, column])
        total += cell_cost(costs, column, first, last)
    return total


@inner
def _joined(costs, cells, first, last, record):
    """Cost of a row of the group that covers ``first`` … ``last`` (m,) once the record is in."""
    total = 0.0
    for column in range(cells.shape[1]):
        a, b = widened(costs.columns[column].kind, first[column], last[column], cells[record, column])
        total += cell_cost(costs, column, a, b)
    return total


@inner
def _take(costs, cells, first, last, record):
    for column in range(cells.shape[1]):
        a, b = widened(costs.columns[column].kind, first[column], last[column], cells[record, column])
        first[column] = a
        last[column] = b


@inner
def _two_parts(costs, cells, order, begin, end, k, draw, side, first, last, price):
    """Give each record of ``order[begin:end]`` its ``side``, at least ``k`` to each; how many are of the first."""
    seed = order[begin + np.int64(draw * (end - begin))]
    far, most = seed, -1.0
    for at in range(begin, end):
        apart = _pair_cost(costs, cells, seed, order[at])
        if order[at] != seed and apart > most:
            far, most = order[at], apart
    for column in range(cells.shape[1]):
        kind = costs.columns[column].kind
        first[0, column], last[0, column] = alone(kind, cells[seed, column])
        first[1, column], last[1, column] = alone(kind, cells[far, column])
    size = np.ones(2, np.int64)
    for at in range(begin, end):
        record = order[at]
        if record in (seed, far):
            side[at] = record == far
            continue
        a = _joined(costs, cells, first[0], last[0], record)
        b = _joined(costs, cells, first[1], last[1], record)
        there = 1 if b < a or (b == a and size[1] < size[0]) else 0
        side[at] = there
        size[there] += 1
        _take(costs, cells, first[there], last[there], record)
    small = 0 if size[0] < k else 1
    if size[small] < k:
        # The nearest records of the larger part fill the smaller one up.
        for at in range(begin, end):
            near = side[at] != small
            price[at] = _joined(costs, cells, first[small], last[small], order[at]) if near else np.inf
        for at in np.argsort(price[begin:end], kind="mergesort")[: k - size[small]]:
            side[begin + at] = small
        size[1 - small] -= k - size[small]
        size[small] = k
    return size[0]


@compiled
def divided(costs, cells, records, k, draws):
    """(the records class by class, begin of each class and the end of all): lines 1 to 5, as long as a part has 2k records.

    ``draws`` (n,) in 0 … 1 choose the first record of each split.
    """
    n, columns = len(records), cells.shape[1]
    order = records.copy()
    moved = np.empty(n, np.int64)
    side = np.zeros(n, np.int64)
    price = np.empty(n)
    first = np.empty((2, columns), np.int64)
    last = np.empty((2, columns), np.int64)
    starts = np.empty(n + 2, np.int64)
    found = 0
    open_ends = np.empty(n + 2, np.int64)
    open_ends[0] = n
    waiting, begin, drawn = 1, 0, 0
    # The parts lie side by side: the first of those that wait begins where the last that is done ends.
    while waiting > 0:
        end = open_ends[waiting - 1]
        if end - begin < 2 * k:
            starts[found] = begin
            found += 1
            begin = end
            waiting -= 1
            continue
        number = _two_parts(costs, cells, order, begin, end, k, draws[drawn % n], side, first, last, price)
        drawn += 1
        here, there = begin, begin + number
        for at in range(begin, end):
            if side[at] == 0:
                moved[here] = order[at]
                here += 1
            else:
                moved[there] = order[at]
                there += 1
        order[begin:end] = moved[begin:end]
        open_ends[waiting] = begin + number
        waiting += 1
    starts[found] = n
    return order, starts[: found + 1].copy()


@compiled
def judged(values, order, starts, requirements):
    """Which classes hold all conditions (line 6)."""
    good = np.ones(len(starts) - 1, np.bool_)
    histogram = np.zeros(len(requirements.shares), np.int64)
    for here in range(len(good)):
        histogram[:] = 0
        for at in range(starts[here], starts[here + 1]):
            for attribute in range(values.shape[1]):
                histogram[values[order[at], attribute]] += 1
        good[here] = all_hold(histogram, starts[here + 1] - starts[here], requirements)
    return good


@compiled
def inserted(costs, units, requirements, class_of, extents, left):
    """Give each record that is ``left`` the class to which it adds least and that still holds all conditions (line 8); in place."""
    cells, values = units.cells, units.values
    classes = len(extents.first)
    sizes = np.zeros(classes, np.int64)
    counts = np.zeros((classes, len(requirements.shares)), np.int64)
    cost = np.zeros(classes)
    for record in range(len(class_of)):
        here = class_of[record]
        if here >= 0:
            sizes[here] += 1
            for attribute in range(values.shape[1]):
                counts[here, values[record, attribute]] += 1
    for here in range(classes):
        cost[here] = row_cost(costs, extents.first[here], extents.last[here])
    for record in left:
        best, least = -1, np.inf
        for here in range(classes):
            joint = joint_cost(costs, extents, here, units, record, np.inf)
            more = joint * (sizes[here] + 1) - cost[here] * sizes[here]
            if more < least:
                for attribute in range(values.shape[1]):
                    counts[here, values[record, attribute]] += 1
                if all_hold(counts[here], sizes[here] + 1, requirements):
                    best, least = here, more
                for attribute in range(values.shape[1]):
                    counts[here, values[record, attribute]] -= 1
        if best < 0:
            continue
        class_of[record] = best
        sizes[best] += 1
        for attribute in range(values.shape[1]):
            counts[best, values[record, attribute]] += 1
        _take(costs, cells, extents.first[best], extents.last[best], record)
        cost[best] = row_cost(costs, extents.first[best], extents.last[best])


def _taken_in(
    costs: Costs, units: Units, k: int, requirements: Requirements, class_of: NDArray[np.int32], classes: int,
) -> int:  # fmt: skip
    """Make a class of the records that are in none and as many of the nearest classes as it takes; the number of classes then."""
    inside = class_of < 0
    while not _hold(units, inside, k, requirements):
        if inside.all():
            raise no_solution(k, 0.0)
        extents = covering(
            costs.columns, units.cells, np.where(inside, classes, class_of).astype(np.int32), classes + 1
        )
        there = np.unique(class_of[~inside])
        price = _with(costs, extents, classes, there)
        inside |= class_of == there[int(price.argmin())]
    class_of[inside] = classes
    used, number = np.unique(class_of, return_inverse=True)
    class_of[:] = number.reshape(-1)
    return len(used)


def _hold(units: Units, inside: NDArray[np.bool_], k: int, requirements: Requirements) -> bool:
    order = np.flatnonzero(inside)
    return len(order) >= k and bool(judged(units.values, order, np.array([0, len(order)]), requirements)[0])


@compiled
def _with(costs, extents, group, others):
    """Cost of a row of ``group`` united with each of the ``others``."""
    first, last = extents.first, extents.last
    found = np.zeros(len(others))
    for number in range(len(others)):
        there = others[number]
        for column in range(first.shape[1]):
            a, b = united(
                costs.columns[column].kind, first[group, column], last[group, column], first[there, column], last[there, column],
            )  # fmt: skip
            found[number] += cell_cost(costs, column, a, b)
    return found
