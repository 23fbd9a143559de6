"""Classes from fine to coarse: at each level of generalisation the groups that hold the conditions are formed
and leave; what is left goes on to the next. Levels come in the order of what they lose.

A group that is large enough but breaks a condition gives as many of its rows as can be kept, if the condition says
how many of each value (all but ordered and hierarchical closeness).
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.models.conditions.judging import all_hold, part_rows
from techniques.models.local_recoding.moving import count

_DENSE = 256
"""The lowest nodes are all tried."""
_SPREAD = 0x9E3779B97F4A7C15
"""2^64 by the golden ratio: a product with it has its high bits well mixed."""
_MOST_SLOTS = 58
"""64 less this is the number of bits of the smallest table of slots."""


class TellingValues(NamedTuple):
    """A bit per unit for its value in the attribute of which classes need ``distinct`` values, so that most groups that
    lack them are not looked at; 0 where there is no such condition."""

    bits: NDArray[np.uint64]
    distinct: int


class Left(NamedTuple):
    """Units without a class, side by side in the first places of these arrays."""

    unit: NDArray[np.int32]
    """The number of each."""
    cells: NDArray[np.uint32]
    """(M, T)"""
    rows: NDArray[np.int64]
    bits: NDArray[np.uint64]


class Work(NamedTuple):
    """Arrays to work in, for one node at a time."""

    keys: NDArray[np.uint64]
    """Key of each unit left,"""
    slots: NDArray[np.uint32]
    """and its slot: high bits of the key, spread."""
    sums: NDArray[np.int64]
    """Rows of each slot."""
    seen: NDArray[np.uint64]
    """Values of each slot."""
    found: NDArray[np.int32]
    """Places of the units that are looked at more closely."""
    group: NDArray[np.int32]
    """Group of each of these, later its class."""
    first: NDArray[np.int32]
    """Place of a unit of each group."""
    table: NDArray[np.int32]
    """Groups by a hash of their keys."""
    heads: NDArray[np.int64]
    """Rows of each group."""


@inner
def _add_up(left, number, ladder, starts, shift, work):
    """Key and slot of each of the first ``number`` units, and the rows of each slot."""
    cells, keys = left.cells, work.keys
    work.sums[: np.int64(1) << (64 - np.int64(shift))] = 0
    last = len(cells) - 3
    for column in range(0, last, 3):
        a, b, c = cells[column], cells[column + 1], cells[column + 2]
        x, y, z = ladder[starts[column] :], ladder[starts[column + 1] :], ladder[starts[column + 2] :]
        for i in range(number):
            key = keys[i] if column else np.uint64(0)
            keys[i] = key + x[a[i]] + y[b[i]] + z[c[i]]
    a, b, c = cells[last], cells[last + 1], cells[last + 2]
    x, y, z = ladder[starts[last] :], ladder[starts[last + 1] :], ladder[starts[last + 2] :]
    for i in range(number):
        key = keys[i] if last else np.uint64(0)
        key += x[a[i]] + y[b[i]] + z[c[i]]
        keys[i] = key
        slot = (key * np.uint64(_SPREAD)) >> shift
        work.slots[i] = slot
        work.sums[slot] += left.rows[i]


@inner
def _worth_a_look(left, number, k, distinct, shift, work):
    """The units that may be in a group of ``k`` rows and ``distinct`` values go to ``found``; their number.

    Rows and values are counted together for all keys of a slot: that is never too few.
    """
    slots, found, seen = work.slots, work.found, work.seen
    large = 0
    for i in range(number):
        found[large] = i
        large += work.sums[slots[i]] >= k
    if distinct < 2 or large == 0:
        return large
    seen[: np.int64(1) << (64 - np.int64(shift))] = 0
    for j in range(large):
        i = found[j]
        seen[slots[i]] |= left.bits[i]
    several = 0
    for j in range(large):
        i = found[j]
        values = seen[slots[i]]
        for _ in range(distinct - 1):
            values &= values - np.uint64(1)
        found[several] = i
        several += values != 0
    return several


@inner
def _same_cells(left, one, other, ladder, starts):
    """Whether two units have the same code in every column."""
    for column in range(len(left.cells)):
        start = starts[column]
        if ladder[start + left.cells[column, one]] != ladder[start + left.cells[column, other]]:
            return False
    return True


@inner
def _grouped(left, number, exact, ladder, starts, work):
    """The group of each unit ``found``, in the order in which groups appear; how many there are."""
    keys, found, table, first = work.keys, work.found, work.table, work.first
    shift = np.uint64(60)
    while (1 << (64 - np.int64(shift))) < 2 * number:
        shift -= np.uint64(1)
    capacity = 1 << (64 - np.int64(shift))
    mask = np.uint64(capacity - 1)
    table[:capacity] = -1
    groups = 0
    for j in range(number):
        i = found[j]
        key = keys[i]
        slot = (key * np.uint64(_SPREAD)) >> shift
        while True:
            here = table[slot]
            if here < 0:
                here = np.int32(groups)
                table[slot] = here
                first[groups] = i
                groups += 1
                break
            other = first[np.uint32(here)]
            if keys[other] == key and (exact or _same_cells(left, i, other, ladder, starts)):
                break
            slot = (slot + np.uint64(1)) & mask
        work.group[j] = here
    return groups


@inner
def _classes_by_size(number, groups, k, made, work):
    """Every group of ``k`` rows becomes a class: ``group`` gets its number, or -1. The number of classes then."""
    first = work.first  # no longer needed: it takes the class of each group
    for here in range(groups):
        first[here] = -1
        if work.heads[here] >= k:
            first[here] = made
            made += 1
    for j in range(number):
        work.group[j] = first[np.uint32(work.group[j])]
    return made


@inner
def _moved_up(left, number, looked_at, class_of, with_bits, work):
    """Give the units their class, and put those without one side by side; how many these are."""
    found, group = work.found, work.group
    kept = found[0]
    j = 0
    for i in range(found[0], number):
        if j < looked_at and found[j] == i:
            j += 1
            if group[j - 1] >= 0:
                class_of[left.unit[i]] = group[j - 1]
                continue
        left.unit[kept] = left.unit[i]
        left.rows[kept] = left.rows[i]
        if with_bits:
            left.bits[kept] = left.bits[i]
        for column in range(len(left.cells)):
            left.cells[column, kept] = left.cells[column, i]
        kept += 1
    return kept


@compiled
def peel(units, keys, telling, requirements, k, budget):
    """(class of each unit or -1, number of classes).

    Classes have at least ``k`` rows. Units that a group cannot take whole go on whole. About ``budget`` units are looked
    at in all: where they are many, only some of the nodes are tried.
    """
    rows = len(units.rows)
    judged = len(requirements.conditions) > 0
    class_of = np.full(rows, -1, np.int32)
    left = Left(np.arange(rows).astype(np.int32), keys.cells.copy(), units.rows.copy(), telling.bits.copy())
    number = rows
    shift = np.uint64(_MOST_SLOTS)
    while (1 << (64 - np.int64(shift))) < 2 * rows:
        shift -= np.uint64(1)
    capacity = 1 << (64 - np.int64(shift))
    work = Work(
        np.empty(rows, np.uint64), np.empty(rows, np.uint32), np.empty(capacity, np.int64),
        np.empty(capacity if telling.distinct > 1 else 1, np.uint64), np.empty(rows + 1, np.int32),
        np.empty(rows, np.int32), np.empty(rows, np.int32), np.empty(capacity, np.int32), np.empty(rows, np.int64),
    )  # fmt: skip
    made = np.int64(0)
    examined = 0
    place: Any = np.int64(-1)
    ahead: Any = np.int64(1)
    final = len(keys.starts) - 1
    while number > 0 and place < final:
        place += ahead
        if place > final:
            place = final
        examined += number
        ahead = np.int64(1)
        if place >= _DENSE:
            # As many nodes on as leave the budget for those that follow.
            share = max(budget - examined, 1) / (final - place + 1)
            ahead = np.int64(number / share) + np.int64(1)
        while shift < np.uint64(_MOST_SLOTS) and (1 << (63 - np.int64(shift))) >= 2 * number:
            shift += np.uint64(1)
        starts = keys.starts[place]
        _add_up(left, number, keys.ladder, starts, shift, work)
        looked_at = _worth_a_look(left, number, k, telling.distinct, shift, work)
        if looked_at == 0:
            continue
        groups = _grouped(left, looked_at, keys.exact, keys.ladder, starts, work)
        heads = work.heads
        heads[:groups] = 0
        for j in range(looked_at):
            heads[np.uint32(work.group[j])] += left.rows[work.found[j]]
        large = 0
        for here in range(groups):
            large += heads[here] >= k
        if large == 0:
            continue
        if judged:
            made = _judged(units, left, looked_at, groups, requirements, k, made, work)
        else:
            made = _classes_by_size(looked_at, groups, k, made, work)
        number = _moved_up(left, number, looked_at, class_of, telling.distinct > 1, work)
    return class_of, made


@inner
def _judged(units, left, number, groups, requirements, k, made, work):
    """Judge every group of ``k`` rows and turn ``group`` into the class of each unit looked at, or -1. The number of
    classes then."""
    group = work.group
    start = np.zeros(groups + 1, np.int64)
    for j in range(number):
        start[group[j] + 1] += 1
    for here in range(groups):
        start[here + 1] += start[here]
    fill = start[:-1].copy()
    order = np.empty(number, np.int32)
    for j in range(number):
        here = group[j]
        order[fill[here]] = j
        fill[here] += 1
    histogram = np.zeros(len(requirements.shares), np.int64)
    for here in range(groups):
        members = order[start[here] : start[here + 1]]
        verdict = False
        rows = np.int64(0)
        if work.heads[here] >= k:
            for j in members:
                unit = left.unit[work.found[j]]
                count(histogram, units.values, unit, units.rows[unit])
            verdict = all_hold(histogram, work.heads[here], requirements)
            if not verdict and units.values.shape[1] == 1:
                rows = part_rows(histogram, work.heads[here], k, requirements)
            for j in members:
                unit = left.unit[work.found[j]]
                for attribute in range(units.values.shape[1]):
                    histogram[units.values[unit, attribute]] = 0
        if rows > 0:
            made += _part(units, left, members, requirements, rows, k, made, work)
            continue
        for j in members:
            group[j] = made if verdict else -1
        if verdict:
            made += 1
    return made


@inner
def _quotas(have, shares, rows):
    """How many of the rows with each value, of which there are ``have``, to take for about ``rows`` in all."""
    quota = np.zeros(len(have), np.int64)
    total = np.int64(0)
    for value in range(len(have)):
        quota[value] = min(have[value], np.int64(np.floor(shares[value] * rows)))
        total += quota[value]
    # The rest goes round among the values of which there are more, the most wanted first.
    while total < rows:
        best, most = -1, -1.0
        for value in range(len(have)):
            if quota[value] < have[value]:
                lack = shares[value] * rows - quota[value]
                if best < 0 or lack > most:
                    best, most = value, lack
        if best < 0:
            break
        quota[best] += 1
        total += 1
    return quota


@inner
def _part(units, left, members, requirements, rows, k, made, work):
    """Take about ``rows`` rows out of a group as class ``made``, if they hold the conditions; whole units, most frequent
    last. The number of classes made, 1 or 0."""
    have = np.zeros(len(requirements.shares), np.int64)
    for j in members:
        unit = left.unit[work.found[j]]
        have[units.values[unit, 0]] += units.rows[unit]
    quota = _quotas(have, requirements.shares, rows)
    got = np.zeros(len(have), np.int64)
    number = np.int64(0)
    for j in members:
        unit = left.unit[work.found[j]]
        value = units.values[unit, 0]
        work.group[j] = -1
        if got[value] + units.rows[unit] <= quota[value]:
            got[value] += units.rows[unit]
            number += units.rows[unit]
            work.group[j] = made
    if number >= k and all_hold(got, number, requirements):
        return 1
    for j in members:
        work.group[j] = -1
    return 0
