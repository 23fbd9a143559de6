"""Splitting classes in two, again and again, where it saves most and both parts still hold the conditions."""

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled
from techniques.models.local_recoding.costs import alone, cell_cost, united, widened
from techniques.models.local_recoding.holding import holds

_FREE = 200
"""Units up to which a class may be cut anywhere; a larger one loses at least an eighth."""


@compiled
def _ordered(order, found, mass, by_mass, rank):  # type: ignore[no-untyped-def]
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


@compiled
def split(  # type: ignore[no-untyped-def]
    meta, amounts, codes, cells, weights, values, class_of, classes, k, size, conditions, share_of
):  # fmt: skip
    """Split in place; the number of classes then.

    A class is cut by one column, between two places of an order or between the frequent and the rare values of
    a set. Work per level of cuts: units x columns squared.
    """
    units, columns = cells.shape
    judged = len(conditions[0]) > 0
    # -- units side by side by class
    start = np.zeros(classes + 1, np.int64)
    for unit in range(units):
        if class_of[unit] >= 0:
            start[class_of[unit] + 1] += 1
    for here in range(classes):
        start[here + 1] += start[here]
    fill = start[:-1].copy()
    held = np.empty(start[classes], np.int32)
    for unit in range(units):
        here = class_of[unit]
        if here >= 0:
            held[fill[here]] = unit
            fill[here] += 1
    widest = 0
    for column in range(columns):
        widest = max(widest, meta[column, 1])
    mass = np.zeros(widest, np.int64)
    order = np.empty(widest, np.int64)
    rank = np.empty(widest, np.int64)
    low = np.zeros((widest, columns), np.int64)
    high = np.zeros((widest, columns), np.int64)
    tail = np.zeros(widest + 1)
    a, b = np.zeros(columns, np.int64), np.zeros(columns, np.int64)
    sums = np.zeros((widest if judged else 1, size), np.int64)
    left, right = np.zeros(size, np.int64), np.zeros(size, np.int64)
    buffer = np.empty(units, np.int32)
    stack_begin = np.empty(units + classes + 1, np.int64)
    stack_end = np.empty(units + classes + 1, np.int64)
    stack_class = np.empty(units + classes + 1, np.int32)
    depth = 0
    for here in range(classes):
        stack_begin[depth], stack_end[depth], stack_class[depth] = start[here], start[here + 1], here
        depth += 1
    while depth:
        depth -= 1
        begin, end, here = stack_begin[depth], stack_end[depth], stack_class[depth]
        rows = np.int64(0)
        for at in range(begin, end):
            rows += weights[held[at]]
        if end - begin < 2 or rows < 2 * k:
            continue
        for at in range(begin, end):
            for column in range(columns):
                if at == begin:
                    a[column], b[column] = alone(meta[column, 0], cells[held[at], column])
                else:
                    a[column], b[column] = widened(
                        meta[column, 0], a[column], b[column], cells[held[at], column]
                    )
        whole = 0.0
        for column in range(columns):
            whole += cell_cost(meta, amounts, codes, column, a[column], b[column])
        if whole <= 1e-12:
            continue
        least = k if end - begin <= _FREE else max(k, rows // 8)
        best, best_column, best_cut = whole * rows - 1e-9, -1, 0
        for column in range(columns):
            if cell_cost(meta, amounts, codes, column, a[column], b[column]) <= 0.0:
                continue
            found = 0
            for at in range(begin, end):
                place = cells[held[at], column]
                if mass[place] == 0:
                    order[found] = place
                    found += 1
                mass[place] += weights[held[at]]
            _ordered(order, found, mass, meta[column, 0] == 3, rank)
            # -- what each value's units cover, then what the values from each one on cover
            for i in range(found):
                low[i, 0] = -1
                if judged:
                    sums[i] = 0
            for at in range(begin, end):
                unit = held[at]
                i = rank[cells[unit, column]]
                fresh = low[i, 0] == -1
                for other in range(columns):
                    if fresh:
                        low[i, other], high[i, other] = alone(meta[other, 0], cells[unit, other])
                    else:
                        low[i, other], high[i, other] = widened(
                            meta[other, 0], low[i, other], high[i, other], cells[unit, other]
                        )
                if judged:
                    for s in range(values.shape[1]):
                        sums[i, values[unit, s]] += weights[unit]
            for i in range(found - 1, -1, -1):
                total = 0.0
                for other in range(columns):
                    if i < found - 1:
                        x, y = united(meta[other, 0], a[other], b[other], low[i, other], high[i, other])
                    else:
                        x, y = low[i, other], high[i, other]
                    a[other], b[other] = x, y
                    total += cell_cost(meta, amounts, codes, other, x, y)
                tail[i] = total
            before = np.int64(0)
            if judged:
                left[:] = 0
                right[:] = 0
                for i in range(found):
                    right += sums[i]
            for i in range(found - 1):
                total = 0.0
                for other in range(columns):
                    if i:
                        x, y = united(meta[other, 0], a[other], b[other], low[i, other], high[i, other])
                    else:
                        x, y = low[i, other], high[i, other]
                    a[other], b[other] = x, y
                    total += cell_cost(meta, amounts, codes, other, x, y)
                before += mass[order[i]]
                if judged:
                    left += sums[i]
                    right -= sums[i]
                if before < least or rows - before < least:
                    continue
                both = total * before + tail[i + 1] * (rows - before)
                if both < best:
                    if judged and not (
                        holds(left, before, conditions, share_of)
                        and holds(right, rows - before, conditions, share_of)
                    ):
                        continue
                    best, best_column, best_cut = both, column, i
            # The class as a whole again, for the next column.
            for other in range(columns):
                a[other], b[other] = united(
                    meta[other, 0], a[other], b[other], low[found - 1, other], high[found - 1, other]
                )
            for i in range(found):
                mass[order[i]] = 0
        if best_column < 0:
            continue
        # -- cut: the same order once more
        found = 0
        for at in range(begin, end):
            place = cells[held[at], best_column]
            if mass[place] == 0:
                order[found] = place
                found += 1
            mass[place] += weights[held[at]]
        _ordered(order, found, mass, meta[best_column, 0] == 3, rank)
        for i in range(found):
            mass[order[i]] = 0
        middle = begin
        kept = 0
        for at in range(begin, end):
            unit = held[at]
            if rank[cells[unit, best_column]] <= best_cut:
                held[middle] = unit
                middle += 1
            else:
                buffer[kept] = unit
                kept += 1
        for i in range(kept):
            held[middle + i] = buffer[i]
            class_of[buffer[i]] = classes
        stack_begin[depth], stack_end[depth], stack_class[depth] = begin, middle, here
        depth += 1
        stack_begin[depth], stack_end[depth], stack_class[depth] = middle, end, classes
        depth += 1
        classes += 1
    return classes
