"""The innermost loops: which class each combination falls into, and what the classes cost."""

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled


@compiled
def _keys(cells, table, used):  # type: ignore[no-untyped-def]
    """The sum of what the cells of the ``used`` columns add to the key of each combination."""
    rows = cells.shape[1]
    keys = np.zeros(rows, np.int64)
    # Three columns a turn read and write the keys a third as often; unsigned places need no test for "from the end".
    place = 0
    while place + 3 <= len(used):
        a, b, c = cells[used[place]], cells[used[place + 1]], cells[used[place + 2]]
        for row in range(rows):
            keys[row] += table[np.uint32(a[row])] + table[np.uint32(b[row])] + table[np.uint32(c[row])]
        place += 3
    while place < len(used):
        a = cells[used[place]]
        for row in range(rows):
            keys[row] += table[np.uint32(a[row])]
        place += 1
    return keys


@compiled
def _grouped_directly(keys, counts, space):  # type: ignore[no-untyped-def]
    """:func:`grouped` for keys below ``space``, with an entry for each of them."""
    rows = len(keys)
    number = np.full(space, -1, np.int32)
    class_of = np.empty(rows, np.int32)
    first = np.empty(rows, np.int32)
    sizes = np.zeros(rows, np.int64)
    found = 0
    for row in range(rows):
        key = np.uint64(keys[row])
        here = number[key]
        if here < 0:
            here = np.int32(found)
            number[key] = here
            first[found] = row
            found += 1
        class_of[row] = here
        sizes[np.uint32(here)] += counts[row]
    return class_of, sizes[:found].copy(), first[:found].copy()


@compiled
def grouped(keys, counts):  # type: ignore[no-untyped-def]
    """(class of each entry, numbered as they appear; sum of the counts and first entry of each class)."""
    rows = len(keys)
    capacity, shift = 16, np.uint64(60)
    while capacity < 2 * rows:
        capacity *= 2
        shift -= np.uint64(1)
    mask = np.uint64(capacity - 1)
    slots = np.full(capacity, -1, np.int32)
    key_of = np.empty(rows, np.int64)
    class_of = np.empty(rows, np.int32)
    first = np.empty(rows, np.int32)
    sizes = np.zeros(rows, np.int64)
    found = 0
    for row in range(rows):
        key = keys[row]
        slot = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> shift
        here = slots[slot]
        while here >= 0 and key_of[np.uint32(here)] != key:
            slot = (slot + np.uint64(1)) & mask
            here = slots[slot]
        if here < 0:
            here = np.int32(found)
            slots[slot] = here
            key_of[found] = key
            first[found] = row
            found += 1
        class_of[row] = here
        sizes[np.uint32(here)] += counts[row]
    return class_of, sizes[:found].copy(), first[:found].copy()


@compiled
def classes_at(  # type: ignore[no-untyped-def]
    cells, counts, maps, ladder_start, starts, levels, sizes
):  # fmt: skip
    """Class of each of T combinations at ``levels`` (numbered as they appear), the rows and the first combination of
    each class.

    ``cells`` is (m, T). Cell c of attribute i is code ``maps[ladder_start[c] + levels[i]]`` at that level, of
    ``sizes[i, levels[i]]`` ones; the product of these is below 2^62.
    """
    table = np.empty(starts[-1], np.int64)
    used = np.empty(len(levels), np.int64)
    number, space = 0, np.int64(1)
    for column in range(len(levels)):
        level = levels[column]
        if sizes[column, level] > 1:
            for cell in range(starts[column], starts[column + 1]):
                table[cell] = maps[ladder_start[cell] + level] * space
            space *= sizes[column, level]
            used[number] = column
            number += 1
    keys = _keys(cells, table, used[:number])
    if space <= len(counts):
        return _grouped_directly(keys, counts, space)
    return grouped(keys, counts)


@compiled
def looked_up(table, codes):  # type: ignore[no-untyped-def]
    """What ``table`` holds for each code (n,): first what stands for -1, then for 0 and so on."""
    made = np.empty(len(codes), table.dtype)
    for row in range(len(codes)):
        made[row] = table[np.uint32(codes[row] + 1)]
    return made


@compiled
def taken(cells, first):  # type: ignore[no-untyped-def]
    """The columns of ``cells`` that ``first`` names."""
    made = np.empty((len(cells), len(first)), cells.dtype)
    for column in range(len(cells)):
        mine, new = cells[column], made[column]
        for here in range(len(first)):
            new[here] = mine[np.uint32(first[here])]
    return made


@compiled
def kept_by_size(sizes, k):  # type: ignore[no-untyped-def]
    """(which classes have k rows, rows of each class that has not, the sum of these)."""
    kept = np.empty(len(sizes), np.bool_)
    least = np.empty(len(sizes), np.int64)
    rows = np.int64(0)
    for here in range(len(sizes)):
        kept[here] = sizes[here] >= k
        least[here] = 0 if kept[here] else sizes[here]
        rows += least[here]
    return kept, least, rows


@compiled
def cell_sums(cells, counts, size):  # type: ignore[no-untyped-def]
    """The rows with each of ``size`` cells, all attributes' cells one behind the other."""
    sums = np.zeros(size, np.int64)
    for column in range(len(cells)):
        here = cells[column]
        for row in range(len(counts)):
            sums[np.uint32(here[row])] += counts[row]
    return sums


@compiled
def gone_sums(  # type: ignore[no-untyped-def]
    cells, counts, class_of, first, sizes, kept, ladder, ladder_start, starts, levels, most, by_leaf
):  # fmt: skip
    """(rows of the classes not kept, per attribute the sum over these rows of 1 - share); the sums only up to
    ``most`` such rows.

    ``ladder[ladder_start[cell] + l]`` is the share of a cell at level l. It is the same for all combinations of a
    class, unless a share is ``by_leaf``: then every combination counts with its own.
    """
    columns = len(cells)
    sums = np.zeros(columns, np.float64)
    gone = np.empty(len(sizes), np.int32)
    found, rows = 0, 0
    for here in range(len(sizes)):
        if not kept[here]:
            gone[found] = here
            found += 1
            rows += sizes[here]
    if rows > most or found == 0:
        return rows, sums
    loses = np.empty(len(ladder_start), np.float64)
    for column in range(columns):
        for cell in range(starts[column], starts[column + 1]):
            loses[cell] = 1.0 - ladder[ladder_start[cell] + levels[column]]
        mine = cells[column]
        total = 0.0
        if by_leaf:
            for row in range(len(class_of)):
                if not kept[np.uint32(class_of[row])]:
                    total += counts[row] * loses[np.uint32(mine[row])]
            sums[column] = total
            continue
        for here in gone[:found]:
            total += sizes[np.uint32(here)] * loses[np.uint32(mine[np.uint32(first[np.uint32(here)])])]
        sums[column] = total
    return rows, sums


@compiled
def factor(total, rows, smallest, weight, additive):  # type: ignore[no-untyped-def]
    """What an attribute contributes to a product whose cells' shares sum up to ``total`` over ``rows``."""
    if smallest >= 1.0:
        return 1.0
    value = (total / rows - smallest) / (1.0 - smallest)
    return np.exp(weight * value) if additive else (1.0 + value) ** weight


@compiled
def product_of(  # type: ignore[no-untyped-def]
    cells, counts, class_of, first, sizes, kept, ladder, ladder_start, starts, levels, most, by_leaf, totals,
    smallest, weights, additive, rows,
):  # fmt: skip
    """(product of a node, rows of its classes not kept); the product is infinite above ``most`` such rows."""
    gone, sums = gone_sums(
        cells, counts, class_of, first, sizes, kept, ladder, ladder_start, starts, levels, most, by_leaf
    )
    if gone > most:
        return np.inf, gone
    product = 1.0
    for column in range(len(levels)):
        total = totals[column, levels[column]] + sums[column]
        product *= factor(total, rows, smallest[column], weights[column], additive)
    return product, gone


@compiled
def lost_by_level(  # type: ignore[no-untyped-def]
    cells, counts, class_of, first, sizes, least, ladder, ladder_start, starts, lowest, levels, floor, by_leaf
):  # fmt: skip
    """What the rows of ``least`` lose by being suppressed: per attribute and level (from 0) the sum of 1 - share.

    Rows of a class that goes as a whole lose 1 - share at the level; levels below ``floor`` are not told apart by these
    combinations, there the share at the floor stands, which is never too small. Where only a part of a class must go,
    its rows lose no less than at ``levels``; where shares are ``by_leaf``, no less than the row of the class that loses
    least.
    """
    columns = len(cells)
    widest = 0
    for column in range(columns):
        widest = max(widest, levels[column] + 1)
    sums = np.zeros((columns, widest), np.float64)
    gone = np.empty(len(class_of), np.int32)
    found = 0
    for row in range(len(class_of)):
        of = np.uint32(class_of[row])
        if least[of] == sizes[of]:
            gone[found] = row
            found += 1
    partly = np.flatnonzero((least > 0) & (least < sizes))
    weight = np.zeros(len(ladder_start), np.int64)
    for column in range(columns):
        mine = cells[column]
        # Summed by cell first: each attribute has few of them, whatever its levels.
        for row in gone[:found]:
            weight[np.uint32(mine[np.uint32(row)])] += counts[np.uint32(row)]
        bottom = max(lowest[column], floor[column])
        for cell in range(starts[column], starts[column + 1]):
            if weight[cell]:
                for level in range(bottom, levels[column] + 1):
                    sums[column, level] += weight[cell] * (1.0 - ladder[ladder_start[cell] + level])
        part = 0.0
        if by_leaf and len(partly):
            highest = np.zeros(len(sizes), np.float64)
            for row in range(len(class_of)):
                share = ladder[ladder_start[mine[row]] + levels[column]]
                highest[class_of[row]] = max(highest[class_of[row]], share)
            for here in partly:
                part += least[here] * (1.0 - highest[here])
        else:
            for here in partly:
                part += least[here] * (1.0 - ladder[ladder_start[mine[first[here]]] + levels[column]])
        for level in range(lowest[column], bottom):
            sums[column, level] = sums[column, bottom]
        for level in range(lowest[column], levels[column] + 1):
            sums[column, level] += part
    return sums


@compiled
def raise_bounds(  # type: ignore[no-untyped-def]
    cells, counts, class_of, first, sizes, least, ladder, ladder_start, starts, lowest, levels, floor, totals,
    by_leaf, smallest, weights, additive, rows, bounds, strides,
):  # fmt: skip
    """Raise the ``bounds`` of all nodes up to ``levels`` to what they must lose with the rows of
    ``least`` suppressed (:func:`lost_by_level`)."""
    columns = cells.shape[0]
    sums = lost_by_level(
        cells,
        counts,
        class_of,
        first,
        sizes,
        least,
        ladder,
        ladder_start,
        starts,
        lowest,
        levels,
        floor,
        by_leaf,
    )
    for column in range(columns):
        for level in range(lowest[column], levels[column] + 1):
            total = totals[column, level] + sums[column, level]
            sums[column, level] = factor(total, rows, smallest[column], weights[column], additive)
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
