"""The innermost loops of forming classes: which class each combination falls into."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner

_PACKED = 32
"""So many combinations for each bundle of a group of several attributes, at the least."""
_RANKED = 64
"""Keys that may come about, for each bundle of a group, that are worth numbering anew."""
_AT_A_TIME = 256
"""Rows whose pairs are counted before it is asked whether they are too many already."""
_SPARSE = 2
"""Keys that may come about, for each combination, that it takes longer to go through than to number the classes."""


class Ladder(NamedTuple):
    """The value of each cell at each level: ``values[start[cell] + level]``.

    Cells are the codes of all attributes one behind the other; those of attribute i are ``columns[i]`` … ``columns[i + 1]``
    - 1.
    """

    values: NDArray[Any]
    start: NDArray[np.int64]
    columns: NDArray[np.int64]


class Packing(NamedTuple):
    """The attributes in groups: a combination's cells of one group are one number, their bundle, so that it takes few steps to
    go through them. The bundles of all groups are numbered one behind the other."""

    of: NDArray[np.int64]
    """The group of each attribute."""
    start: NDArray[np.int64]
    """The first bundle of each group, and the end of all."""
    cell_of: NDArray[np.int64]
    """``cell_of[begin[i] + b]``: the cell (of a :class:`Ladder`) of attribute i in the b-th bundle of its group."""
    begin: NDArray[np.int64]

    def cells(self, bundles: NDArray[np.int32], attribute: int) -> NDArray[np.int64]:
        """The cells of one attribute, of combinations by their ``bundles`` (g, T)."""
        group = self.of[attribute]
        found: NDArray[np.int64] = self.cell_of[bundles[group] + (self.begin[attribute] - self.start[group])]
        return found


@compiled
def packed(cells, columns, order, most):
    """(bundles (g, T), the fields of their :class:`Packing`) of ``cells`` (m, T): attributes in this ``order`` share a
    group as long as no more than ``most`` different bundles occur."""
    attributes, rows = cells.shape
    of = np.zeros(attributes, np.int64)
    bundles = np.zeros((attributes, rows), np.int32)
    numbers = np.zeros(attributes, np.int64)
    several = np.zeros(attributes, np.bool_)
    member = np.zeros((attributes, most + 1), np.int32)
    groups = 0
    for attribute in order:
        mine, foot = cells[attribute], columns[attribute]
        size = columns[attribute + 1] - foot
        number = numbers[groups - 1] if groups else np.int64(1)
        found = most + 1
        if groups and number * size <= most * most:
            key = bundles[groups - 1]
            found = _paired(key, mine, foot, size, number, most, member[groups - 1])
        if found <= most:
            several[groups - 1] = True
        else:
            groups += 1
            bundles[groups - 1] = mine - np.int32(foot)
            found = size
        numbers[groups - 1] = found
        of[attribute] = groups - 1
    start = np.zeros(groups + 1, np.int64)
    for group in range(groups):
        start[group + 1] = start[group] + numbers[group]
        bundles[group] += np.int32(start[group])
    begin = np.zeros(attributes + 1, np.int64)
    for attribute in range(attributes):
        begin[attribute + 1] = begin[attribute] + numbers[of[attribute]]
    cell_of = np.zeros(begin[-1], np.int64)
    for attribute in range(attributes):
        group = of[attribute]
        for bundle in range(numbers[group]):
            # The bundles of a group of one attribute are its cells, even those that do not occur.
            cell = cells[attribute, member[group, bundle]] if several[group] else columns[attribute] + bundle
            cell_of[begin[attribute] + bundle] = cell
    return bundles[:groups].copy(), of, start, cell_of, begin


@inner
def _paired(key, mine, foot, size, number, most, member):
    """Number the pairs of ``key``, below ``number``, and ``mine``, from ``foot`` to before ``foot + size``, in their order;
    how many there are, or of more than ``most`` some number above it. If no more: the number of each row to ``key``, a row of each
    pair to ``member``."""
    rank = np.zeros(number * size, np.int32)
    found, row = np.int64(0), 0
    while row < len(key):
        for here in range(row, min(row + _AT_A_TIME, len(key))):
            pair = np.uint64(key[here] * size + (mine[here] - foot))
            found += 1 - rank[pair]
            rank[pair] = 1
        if found > most:
            return found
        row += _AT_A_TIME
    found = np.int64(0)
    for place in range(len(rank)):
        occurs = rank[place]
        rank[place] = found
        found += occurs
    if found <= most:
        for row in range(len(key)):
            here = rank[np.uint64(key[row] * size + (mine[row] - foot))]
            key[row] = here
            member[np.uint32(here)] = row
    return found


def bundled(cells: NDArray[np.int32], columns: NDArray[np.int64]) -> tuple[Packing, NDArray[np.int32]]:
    """The packing of ``cells`` (m, T), attributes of few values first, and their bundles (g, T)."""
    order = np.argsort(np.diff(columns), kind="stable")
    bundles, *fields = packed(cells, columns, order, cells.shape[1] // _PACKED)
    return Packing(*fields), bundles


@inner
def _ranks(table, space):
    """Number the keys of one group's bundles, all below ``space``, in their order without gaps; how many different ones there
    are."""
    rank = np.zeros(space, np.int32)
    for bundle in range(len(table)):
        rank[np.uint32(table[bundle])] = 1
    found = np.int32(0)
    for key in range(space):
        occurs = rank[key]
        rank[key] = found
        found += occurs
    for bundle in range(len(table)):
        table[bundle] = rank[np.uint32(table[bundle])]
    return np.int64(found)


@inner
def _add_keys(cells, table, used, keys):
    """Add what the bundles of the ``used`` groups add to the key of each combination."""
    rows = len(keys)
    # Four groups a turn read and write the keys a quarter as often; unsigned places need no test for "from the end".
    place = 0
    while place + 4 <= len(used):
        a, b, c, d = (
            cells[used[place]],
            cells[used[place + 1]],
            cells[used[place + 2]],
            cells[used[place + 3]],
        )
        for row in range(rows):
            first, second = table[np.uint32(a[row])] + table[np.uint32(b[row])], table[np.uint32(c[row])]
            keys[row] += first + second + table[np.uint32(d[row])]
        place += 4
    while place + 2 <= len(used):
        a, b = cells[used[place]], cells[used[place + 1]]
        for row in range(rows):
            keys[row] += table[np.uint32(a[row])] + table[np.uint32(b[row])]
        place += 2
    while place < len(used):
        a = cells[used[place]]
        for row in range(rows):
            keys[row] += table[np.uint32(a[row])]
        place += 1


@inner
def _grouped_directly(keys, counts, number):
    """:func:`grouped` for keys below the length of ``number``, which is -1 before and afterwards."""
    rows = len(keys)
    class_of = np.empty(rows, np.int32)
    first = np.empty(rows, np.int32)
    sizes = np.zeros(rows, np.int64)
    found = np.int32(0)
    for row in range(rows):
        key = np.uint32(keys[row])
        here = number[key]
        # Written whether or not the class is a new one: a question that nobody can foresee takes longer.
        here = found if here < 0 else here
        number[key] = here
        first[np.uint32(found)] = row
        class_of[row] = here
        sizes[np.uint32(here)] += counts[row]
        found += np.int32(here == found)
    for here in range(found):
        number[np.uint32(keys[np.uint32(first[here])])] = -1
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
    found = np.int32(0)
    for row in range(rows):
        key = keys[row]
        # As if the class were a new one, which an empty slot then leads to: only other keys in the slot are asked about.
        key_of[np.uint32(found)] = key
        first[np.uint32(found)] = row
        slot = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> shift
        here = slots[slot]
        here = found if here < 0 else here
        while key_of[np.uint32(here)] != key:
            slot = (slot + np.uint64(1)) & mask
            here = slots[slot]
            here = found if here < 0 else here
        slots[slot] = here
        class_of[row] = here
        sizes[np.uint32(here)] += counts[row]
        found += np.int32(here == found)
    return class_of, sizes[:found].copy(), first[:found].copy()


@inner
def _key_parts(start, sizes, levels, values, foot, of, cell_of, begin):
    """(what each bundle adds to the key of a combination that has it, the groups whose bundles add anything, the number of
    keys there may be), by the arguments of :func:`classes_at`."""
    table = np.zeros(start[-1], np.int64)
    groups = len(start) - 1
    spaces = np.ones(groups, np.int64)
    for column in range(len(levels)):
        level = levels[column]
        if sizes[column, level] > 1:
            group = of[column]
            moved, space = begin[column] - start[group], spaces[group]
            for bundle in range(start[group], start[group + 1]):
                table[bundle] += values[foot[cell_of[bundle + moved]] + level] * space
            spaces[group] *= sizes[column, level]
    # The fewer keys there may be, the nearer to each other lie the places where they are looked for.
    space = np.int64(1)
    for group in range(groups):
        mine = table[start[group] : start[group + 1]]
        if 1 < spaces[group] <= _RANKED * len(mine):
            spaces[group] = _ranks(mine, spaces[group])
        if space > 1:
            for bundle in range(len(mine)):
                mine[bundle] *= space
        space *= spaces[group]
    return table, np.flatnonzero(spaces > 1), space


@compiled
def classes_at(bundles, counts, sizes, levels, number, values, foot, of, start, cell_of, begin):
    """Class of each of T combinations at ``levels`` (numbered as they appear), the rows and the first combination of
    each class.

    ``bundles`` is (g, T), ``values`` and ``foot`` those and the ``start`` of the :class:`Ladder` of the codes of their cells;
    ``of`` to ``begin`` are the :class:`Packing`: one by one, because tuples take Python longer to hand over. Attribute i has
    ``sizes[i, level]`` codes at a level; the product of these is below 2^62. Where it is below the length of ``number``, an
    array of -1 that stays so, no keys have to be looked for.
    """
    table, wanted, space = _key_parts(start, sizes, levels, values, foot, of, cell_of, begin)
    rows = bundles.shape[1]
    if space <= len(number):
        places = np.zeros(rows, np.int32)
        _add_keys(bundles, table.astype(np.int32), wanted, places)
        return _grouped_directly(places, counts, number)
    keys = np.zeros(rows, np.int64)
    _add_keys(bundles, table, wanted, keys)
    return grouped(keys, counts)


@compiled
def smallest_at(bundles, counts, sizes, levels, values, foot, of, start, cell_of, begin):
    """The rows of the smallest class, by the arguments of :func:`classes_at`; more than any has where there is none."""
    table, wanted, space = _key_parts(start, sizes, levels, values, foot, of, cell_of, begin)
    keys = np.zeros(bundles.shape[1], np.int64)
    _add_keys(bundles, table, wanted, keys)
    if space > _SPARSE * len(keys):
        found = grouped(keys, counts)[1]
    else:
        # Classes need no numbers to be counted.
        found = np.zeros(space, np.int64)
        for row in range(len(keys)):
            found[np.uint32(keys[row])] += counts[row]
    smallest = np.int64(1 << 62)
    for rows in found:
        smallest = rows if 0 < rows < smallest else smallest
    return smallest


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
def total(rows):
    """The sum of ``rows``: for the few of a node NumPy's own takes several times as long to begin with."""
    return rows.sum()


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
def start_of(floors, lengths, used, steps, formed, lowest, levels):
    """:func:`nearest`, or -1 where the node that ``levels`` share with others is not ``formed`` yet: its place is the sum of the
    last ``steps`` of the levels above the ``lowest``."""
    place = np.int64(0)
    for column in range(len(levels)):
        place += steps[-1, column] * (levels[column] - lowest[column])
    return np.int64(nearest(floors, lengths, used, levels)) if formed[-1, place] else np.int64(-1)


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
