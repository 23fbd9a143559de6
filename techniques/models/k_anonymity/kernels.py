"""The innermost loops: which class each combination falls into, and what the classes cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile at first use; keep the machine code on disk where a folder for it can be written."""
    made: Callable[..., Any]
    try:
        made = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        made = njit(nogil=True)(function)
    return made


@compiled
def _keys(cells, table):  # type: ignore[no-untyped-def]
    columns, rows = cells.shape
    keys = np.zeros(rows, np.int64)
    for column in range(columns):
        here = cells[column]
        for row in range(rows):
            keys[row] += table[here[row]]
    return keys


@compiled
def _classes_dense(keys, counts, space):  # type: ignore[no-untyped-def]
    rows = len(keys)
    number = np.full(space, -1, np.int32)
    class_of = np.empty(rows, np.int32)
    first = np.empty(rows, np.int32)
    sizes = np.zeros(rows, np.int64)
    found = 0
    for row in range(rows):
        key = keys[row]
        here = number[key]
        if here < 0:
            here = found
            number[key] = here
            first[here] = row
            found += 1
        class_of[row] = here
        sizes[here] += counts[row]
    return class_of, sizes[:found].copy(), first[:found].copy()


@compiled
def grouped(keys, counts):  # type: ignore[no-untyped-def]
    """(class of each entry, numbered as they appear; sum of the counts and first entry of each class)."""
    rows = len(keys)
    capacity = 16
    while capacity < 2 * rows:
        capacity *= 2
    mask = capacity - 1
    slots = np.full(capacity, -1, np.int32)
    class_of = np.empty(rows, np.int32)
    first = np.empty(rows, np.int32)
    sizes = np.zeros(rows, np.int64)
    found = 0
    for row in range(rows):
        key = keys[row]
        spread = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64((spread ^ (spread >> np.uint64(32))) & np.uint64(mask))
        while True:
            here = slots[slot]
            if here < 0:
                here = found
                slots[slot] = here
                first[here] = row
                found += 1
                break
            if keys[first[here]] == key:
                break
            slot = (slot + 1) & mask
        class_of[row] = here
        sizes[here] += counts[row]
    return class_of, sizes[:found].copy(), first[:found].copy()


@compiled
def gone_sums(cells, first, sizes, kept, ladder, ladder_start, levels):  # type: ignore[no-untyped-def]
    """(rows of the classes not kept, per attribute the sum over these rows of 1 - share).

    ``ladder[ladder_start[cell] + l]`` is the share of a cell at level l.
    """
    columns = cells.shape[0]
    sums = np.zeros(columns, np.float64)
    gone = np.flatnonzero(~kept)
    for column in range(columns):
        total = 0.0
        for here in gone:
            share = ladder[ladder_start[cells[column, first[here]]] + levels[column]]
            total += sizes[here] * (1.0 - share)
        sums[column] = total
    rows = 0
    for here in gone:
        rows += sizes[here]
    return rows, sums


@compiled
def lost_by_level(  # type: ignore[no-untyped-def]
    cells, counts, class_of, first, sizes, least, ladder, ladder_start, lowest, levels, floor
):  # fmt: skip
    """What the rows of ``least`` lose by being suppressed: per attribute and level (from 0) the sum of 1 - share.

    Rows of a class that goes as a whole lose 1 - share at the level; levels below ``floor`` are not told apart by these
    combinations, there the share at the floor stands, which is never too small. Where only a part of a class must go,
    its rows lose no less than at ``levels``.
    """
    columns = cells.shape[0]
    widest = 0
    for column in range(columns):
        widest = max(widest, levels[column] + 1)
    sums = np.zeros((columns, widest), np.float64)
    gone = np.empty(len(class_of), np.int32)
    found = 0
    for row in range(len(class_of)):
        here = class_of[row]
        if least[here] == sizes[here]:
            gone[found] = row
            found += 1
    partly = np.flatnonzero((least > 0) & (least < sizes))
    part = np.zeros(columns, np.float64)
    for column in range(columns):
        bottom = max(lowest[column], floor[column])
        for row in gone[:found]:
            start = ladder_start[cells[column, row]]
            for level in range(bottom, levels[column] + 1):
                sums[column, level] += counts[row] * (1.0 - ladder[start + level])
        for here in partly:
            share = ladder[ladder_start[cells[column, first[here]]] + levels[column]]
            part[column] += least[here] * (1.0 - share)
    for column in range(columns):
        for level in range(lowest[column], levels[column] + 1):
            if level < floor[column]:
                sums[column, level] = sums[column, floor[column]]
        for level in range(lowest[column], levels[column] + 1):
            sums[column, level] += part[column]
    return sums


@compiled
def raise_bounds(  # type: ignore[no-untyped-def]
    cells, counts, class_of, first, sizes, least, ladder, ladder_start, lowest, levels, floor, totals,
    smallest, weights, additive, rows, bounds, strides,
):  # fmt: skip
    """Raise the ``bounds`` of all nodes up to ``levels`` to what they must lose with the rows of
    ``least`` suppressed (:func:`lost_by_level`)."""
    columns = cells.shape[0]
    sums = lost_by_level(
        cells, counts, class_of, first, sizes, least, ladder, ladder_start, lowest, levels, floor
    )
    for column in range(columns):
        for level in range(lowest[column], levels[column] + 1):
            factor = 1.0
            if smallest[column] < 1.0:
                mean = (totals[column, level] + sums[column, level]) / rows
                value = (mean - smallest[column]) / (1.0 - smallest[column])
                factor = np.exp(weights[column] * value) if additive else (1.0 + value) ** weights[column]
            sums[column, level] = factor
    # Walk through the box of nodes like an odometer, keeping the products of the leading columns.
    at = lowest.copy()
    product = np.ones(columns + 1, np.float64)
    place = np.zeros(columns + 1, np.int64)
    column = 0
    while True:
        for i in range(column, columns):
            product[i + 1] = product[i] * sums[i, at[i]]
            place[i + 1] = place[i] + (at[i] - lowest[i]) * strides[i]
        if product[columns] > bounds[place[columns]]:
            bounds[place[columns]] = product[columns]
        column = columns - 1
        while column >= 0 and at[column] == levels[column]:
            at[column] = lowest[column]
            column -= 1
        if column < 0:
            return
        at[column] += 1


@compiled
def rule_out(bounds, strides, widths):  # type: ignore[no-untyped-def]
    """Set the ``bounds`` of the nodes of a box, ``widths`` levels wide from the lowest, to infinity."""
    columns = len(widths)
    at = np.zeros(columns, np.int64)
    place = 0
    while True:
        bounds[place] = np.inf
        column = columns - 1
        while column >= 0 and at[column] == widths[column] - 1:
            place -= at[column] * strides[column]
            at[column] = 0
            column -= 1
        if column < 0:
            return
        at[column] += 1
        place += strides[column]


@compiled
def highest_open(bounds, heights, enough):  # type: ignore[no-untyped-def]
    """(place of the open node with the highest sum of levels, the lowest open bound); -1 if none is open.

    A node is open while its bound is below ``enough``. Among nodes as high, the one of lowest bound.
    """
    best = -1
    lowest = np.inf
    for place in range(len(bounds)):
        bound = bounds[place]
        if bound < enough:
            lowest = min(lowest, bound)
            if (
                best < 0
                or heights[place] > heights[best]
                or (heights[place] == heights[best] and bound < bounds[best])
            ):
                best = place
    return best, lowest


@compiled
def nearest(floors, lengths, used, levels):  # type: ignore[no-untyped-def]
    """Which of the first ``used`` ``floors`` (rows of levels) below ``levels`` has the least length."""
    best = 0
    for place in range(1, used):
        if lengths[place] < lengths[best]:
            below = True
            for column in range(len(levels)):
                if floors[place, column] > levels[column]:
                    below = False
                    break
            if below:
                best = place
    return best


@compiled
def by_class(class_of, classes):  # type: ignore[no-untyped-def]
    """Rows ordered by class: (order, where each class starts), by counting."""
    start = np.zeros(classes + 1, np.int64)
    for here in class_of:
        start[here + 1] += 1
    for here in range(classes):
        start[here + 1] += start[here]
    place = start[:-1].copy()
    order = np.empty(len(class_of), np.int32)
    for row in range(len(class_of)):
        here = class_of[row]
        order[place[here]] = row
        place[here] += 1
    return order, start


@compiled
def key_parts(maps, ladder_start, starts, levels, radices):  # type: ignore[no-untyped-def]
    """What each cell adds to the key of its combination at ``levels``."""
    table = np.empty(starts[-1], np.int64)
    for column in range(len(levels)):
        for cell in range(starts[column], starts[column + 1]):
            table[cell] = maps[ladder_start[cell] + levels[column]] * radices[column]
    return table


def class_of_rows(
    cells: NDArray[np.int32], table: NDArray[np.int64], counts: NDArray[np.int64], space: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """Class of each of T combinations (numbered as they appear), the rows and the first combination of each.

    ``table[cells[i, t]]`` is what attribute i adds to the key of combination t; ``cells`` is (m, T).
    ``space`` is the number of possible keys where a direct table is to be used, 0 for a hash table.
    """
    keys = _keys(cells, table)
    if space:
        class_of, sizes, first = _classes_dense(keys, counts, space)
    else:
        class_of, sizes, first = grouped(keys, counts)
    return class_of, sizes, first
