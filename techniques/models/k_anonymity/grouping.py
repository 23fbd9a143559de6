"""The innermost loops of forming classes: which class each combination falls into."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner


class Ladder(NamedTuple):
    """The value of each cell at each level: ``values[start[cell] + level]``.

    Cells are the codes of all attributes one behind the other; those of attribute i are ``columns[i]`` … ``columns[i + 1]``
    - 1.
    """

    values: NDArray[Any]
    start: NDArray[np.int64]
    columns: NDArray[np.int64]


@inner
def _keys(cells, table, used):
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


@inner
def _grouped_directly(keys, counts, space):
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
def grouped(keys, counts):
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
def classes_at(cells, counts, codes, sizes, levels):
    """Class of each of T combinations at ``levels`` (numbered as they appear), the rows and the first combination of
    each class.

    ``cells`` is (m, T), ``codes`` the :class:`Ladder` of their codes. Attribute i has ``sizes[i, level]`` of them at a
    level; the product of these is below 2^62.
    """
    columns = codes.columns
    table = np.empty(columns[-1], np.int64)
    used = np.empty(len(levels), np.int64)
    number, space = 0, np.int64(1)
    for column in range(len(levels)):
        level = levels[column]
        if sizes[column, level] > 1:
            for cell in range(columns[column], columns[column + 1]):
                table[cell] = codes.values[codes.start[cell] + level] * space
            space *= sizes[column, level]
            used[number] = column
            number += 1
    keys = _keys(cells, table, used[:number])
    if space <= len(counts):
        return _grouped_directly(keys, counts, space)
    return grouped(keys, counts)


@compiled
def looked_up(table, codes):
    """What ``table`` holds for each code (n,): first what stands for -1, then for 0 and so on."""
    made = np.empty(len(codes), table.dtype)
    for row in range(len(codes)):
        made[row] = table[np.uint32(codes[row] + 1)]
    return made


@compiled
def taken(cells, first):
    """The columns of ``cells`` that ``first`` names."""
    made = np.empty((len(cells), len(first)), cells.dtype)
    for column in range(len(cells)):
        mine, new = cells[column], made[column]
        for here in range(len(first)):
            new[here] = mine[np.uint32(first[here])]
    return made


@compiled
def kept_by_size(sizes, k):
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
def nearest(floors, lengths, used, levels):
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
def by_class(class_of, classes):
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
