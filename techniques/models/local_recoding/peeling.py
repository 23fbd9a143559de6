"""Classes from fine to coarse: at each level of generalisation the groups that hold the conditions are formed
and leave; what is left goes on to the next. Levels come in the order of what they lose.

A group that is large enough but breaks a condition gives as many of its rows as can be kept, if the condition
tells how many of each value that are (all but ordered and hierarchical closeness).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from techniques.core.compiling import compiled
from techniques.models.local_recoding.holding import holds, taken

_DENSE = 256
"""The lowest nodes are all tried."""


@compiled
def _add_up(cells, weights, count, ladder, starts, shift, keys, slots, sums):  # type: ignore[no-untyped-def]
    """Key and slot of each of the first ``count`` units, and the rows of each slot."""
    sums[: np.int64(1) << (64 - np.int64(shift))] = 0
    last = len(cells) - 3
    for column in range(0, last, 3):
        a, b, c = cells[column], cells[column + 1], cells[column + 2]
        x, y, z = ladder[starts[column] :], ladder[starts[column + 1] :], ladder[starts[column + 2] :]
        for i in range(count):
            key = keys[i] if column else np.uint64(0)
            keys[i] = key + x[a[i]] + y[b[i]] + z[c[i]]
    a, b, c = cells[last], cells[last + 1], cells[last + 2]
    x, y, z = ladder[starts[last] :], ladder[starts[last + 1] :], ladder[starts[last + 2] :]
    for i in range(count):
        key = keys[i] if last else np.uint64(0)
        key += x[a[i]] + y[b[i]] + z[c[i]]
        keys[i] = key
        slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> shift
        slots[i] = slot
        sums[slot] += weights[i]


@compiled
def _worth_a_look(slots, bits, count, k, distinct, shift, sums, seen, found):  # type: ignore[no-untyped-def]
    """The units that may be in a group of ``k`` rows and ``distinct`` values go to ``found``; their number.

    Rows and values are told together for all keys of a slot: that is never too few.
    """
    number = 0
    for i in range(count):
        found[number] = i
        number += sums[slots[i]] >= k
    if distinct < 2 or number == 0:
        return number
    seen[: np.int64(1) << (64 - np.int64(shift))] = 0
    for j in range(number):
        i = found[j]
        seen[slots[i]] |= bits[i]
    several = 0
    for j in range(number):
        i = found[j]
        left = seen[slots[i]]
        for _ in range(distinct - 1):
            left &= left - np.uint64(1)
        found[several] = i
        several += left != 0
    return several


@compiled
def _grouped(keys, found, number, exact, cells, ladder, starts, table, group, first):  # type: ignore[no-untyped-def]
    """The group of each unit that was ``found``, in the order in which groups appear; how many there are."""
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
        slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> shift
        while True:
            here = table[slot]
            if here < 0:
                here = np.int32(groups)
                table[slot] = here
                first[groups] = i
                groups += 1
                break
            other = first[np.uint32(here)]
            if keys[other] == key:
                same = True
                if not exact:
                    for column in range(len(cells)):
                        if (
                            ladder[starts[column] + cells[column, i]]
                            != ladder[starts[column] + cells[column, other]]
                        ):
                            same = False
                if same:
                    break
            slot = (slot + np.uint64(1)) & mask
        group[j] = here
    return groups


@compiled
def peel(  # type: ignore[no-untyped-def]
    cells, weights, values, bits, distinct, ladder, exact, starts, k, budget, size, conditions, share_of,
):  # fmt: skip
    """(class of each unit or -1, number of classes).

    ``cells`` (M, T), ``ladder``, ``exact`` and ``starts`` (N, M) tell the key of a combination at each of N nodes
    (:func:`~techniques.models.local_recoding.nodes.together`); ``weights`` (T) are rows, ``values`` (T, s) numbers of
    the sensitive values, below ``size`` in all. Classes need ``distinct`` of the values that ``bits`` (T) tell apart,
    one bit a value, so that most others are not looked at. Units that a group cannot take whole go on whole. About
    ``budget`` units are looked at in all: where they are many, only some of the nodes are tried.
    """
    columns, rows = cells.shape
    class_of = np.full(rows, -1, np.int32)
    left = np.arange(rows).astype(np.int32)
    # What is left stands side by side.
    weights_of = weights
    cells, weights, bits = cells.copy(), weights.copy(), bits.copy()
    count = rows
    shift = np.uint64(58)
    while (1 << (64 - np.int64(shift))) < 2 * rows:
        shift -= np.uint64(1)
    slots = np.empty(rows, np.uint32)
    table = np.empty(1 << (64 - np.int64(shift)), np.int32)
    sums = np.empty(1 << (64 - np.int64(shift)), np.int64)
    seen = np.empty(len(sums) if distinct > 1 else 1, np.uint64)
    keys = np.empty(rows, np.uint64)
    found = np.empty(rows + 1, np.int32)
    units = np.empty(rows, np.int32)
    first = np.empty(rows, np.int32)
    heads = np.empty(rows, np.int64)
    group = np.empty(rows, np.int32)
    fate = np.empty(rows, np.int32)
    made = np.int64(0)
    work = 0
    place: Any = np.int64(-1)
    ahead: Any = np.int64(1)
    final = len(starts) - 1
    while count > 0 and place < final:
        place += ahead
        if place > final:
            place = final
        work += count
        ahead = np.int64(1)
        if place >= _DENSE:
            # As many nodes on as leave the budget for those that follow.
            share = max(budget - work, 1) / (final - place + 1)
            ahead = np.int64(count / share) + np.int64(1)
        while shift < np.uint64(58) and (1 << (63 - np.int64(shift))) >= 2 * count:
            shift += np.uint64(1)
        _add_up(cells, weights, count, ladder, starts[place], shift, keys, slots, sums)
        number = _worth_a_look(slots, bits, count, k, distinct, shift, sums, seen, found)
        if number == 0:
            continue
        groups = _grouped(keys, found, number, exact, cells, ladder, starts[place], table, group, first)
        heads[:groups] = 0
        for j in range(number):
            heads[np.uint32(group[j])] += weights[found[j]]
        large = 0
        for here in range(groups):
            large += heads[here] >= k
        if large == 0:
            continue
        if len(conditions[0]):
            for j in range(number):
                units[j] = left[found[j]]
            made = _judged(
                units, number, group, groups, heads, weights_of, values, k, size, conditions, share_of, made
            )
        else:
            for here in range(groups):
                fate[here] = -1
                if heads[here] >= k:
                    fate[here] = made
                    made += 1
            for j in range(number):
                group[j] = fate[np.uint32(group[j])]
        # -- those without a class move up
        kept = found[0]
        j = 0
        for i in range(found[0], count):
            if j < number and found[j] == i:
                j += 1
                if group[j - 1] >= 0:
                    class_of[left[i]] = group[j - 1]
                    continue
            left[kept] = left[i]
            weights[kept] = weights[i]
            if distinct > 1:
                bits[kept] = bits[i]
            for column in range(columns):
                cells[column, kept] = cells[column, i]
            kept += 1
        count = kept
    return class_of, made


@compiled
def _judged(  # type: ignore[no-untyped-def]
    left, count, group, found, heads, weights, values, k, size, conditions, share_of, made
):  # fmt: skip
    """Judge every large group and turn ``group`` into the new class of each unit left, or -1."""
    start = np.zeros(found + 1, np.int64)
    for i in range(count):
        start[group[i] + 1] += 1
    for here in range(found):
        start[here + 1] += start[here]
    fill = start[:-1].copy()
    order = np.empty(count, np.int32)
    for i in range(count):
        here = group[i]
        order[fill[here]] = i
        fill[here] += 1
    histogram = np.zeros(size, np.int64)
    for here in range(found):
        begin, end = start[here], start[here + 1]
        verdict = False
        if heads[here] >= k:
            for at in range(begin, end):
                unit = left[order[at]]
                for s in range(values.shape[1]):
                    histogram[values[unit, s]] += weights[unit]
            verdict = holds(histogram, heads[here], conditions, share_of)
            rows = np.int64(0)
            if not verdict and values.shape[1] == 1:
                rows = taken(histogram, heads[here], k, conditions, share_of)
            for at in range(begin, end):
                unit = left[order[at]]
                for s in range(values.shape[1]):
                    histogram[values[unit, s]] = 0
            if rows > 0:
                made = _part(left, order, begin, end, group, weights, values, k, size, conditions, share_of,
                             rows, made)  # fmt: skip
                continue
        for at in range(begin, end):
            group[order[at]] = made if verdict else -1
        if verdict:
            made += 1
    return made


@compiled
def _part(  # type: ignore[no-untyped-def]
    left, order, begin, end, group, weights, values, k, size, conditions, share_of, rows, made
):  # fmt: skip
    """Take about ``rows`` rows out of a group so that the conditions hold; whole units, most frequent last."""
    have = np.zeros(size, np.int64)
    for at in range(begin, end):
        unit = left[order[at]]
        have[values[unit, 0]] += weights[unit]
    quota = np.zeros(size, np.int64)
    total = np.int64(0)
    for value in range(size):
        quota[value] = min(have[value], np.int64(np.floor(share_of[value] * rows)))
        total += quota[value]
    # The rest goes round among the values of which there are more, the most wanted first.
    while total < rows:
        best, most = -1, -1.0
        for value in range(size):
            if quota[value] < have[value]:
                lack = share_of[value] * rows - quota[value]
                if best < 0 or lack > most:
                    best, most = value, lack
        if best < 0:
            break
        quota[best] += 1
        total += 1
    got = np.zeros(size, np.int64)
    number = np.int64(0)
    for at in range(begin, end):
        unit = left[order[at]]
        value = values[unit, 0]
        group[order[at]] = -1
        if got[value] + weights[unit] <= quota[value]:
            got[value] += weights[unit]
            number += weights[unit]
            group[order[at]] = made
    if number >= k and holds(got, number, conditions, share_of):
        return made + np.int64(1)
    for at in range(begin, end):
        group[order[at]] = -1
    return made
