"""Classes from fine to coarse: at each level of generalisation the groups that hold the conditions are formed
and leave; what is left goes on to the next. Levels come in the order of what they lose.

A group that is large enough but breaks a condition gives as many of its rows as can be kept, if the condition
tells how many of each value that are (all but ordered and hierarchical closeness).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.compiling import compiled
from techniques.models.local_recoding.holding import holds, taken

_WHOLE_LATTICE = 60_000
_NODES = 20_000
_WAYS = 200
_DENSE = 256
"""The lowest nodes are all tried."""


def nodes_by_loss(losses: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """Nodes (N, m) of a lattice by rising sum of ``losses[i][level]``.

    Of a lattice too large to be gone through, the lowest nodes and ways from some of them to the top.
    """
    widths = [len(one) for one in losses]
    if np.prod([float(width) for width in widths]) <= _WHOLE_LATTICE:
        total = np.zeros(())
        for one in losses:
            total = np.add.outer(total, one)
        order = np.argsort(total.ravel(), kind="stable")
        return np.ascontiguousarray(np.array(np.unravel_index(order, tuple(widths))).T)
    start = (0,) * len(widths)
    heap, seen = [(0.0, start)], {start}
    found: list[tuple[int, ...]] = []
    while heap and len(found) < _NODES:
        loss, node = heapq.heappop(heap)
        found.append(node)
        for i, level in enumerate(node):
            raised = (*node[:i], level + 1, *node[i + 1 :])
            if level + 1 < widths[i] and raised not in seen:
                seen.add(raised)
                heapq.heappush(heap, (loss + float(losses[i][level + 1] - losses[i][level]), raised))
    known = set(found)
    for node in found[:: len(found) // _WAYS]:
        known.update(way_up(losses, node))
    nodes = np.array(sorted(known), dtype=np.int64)
    total = np.array([one[nodes[:, i]] for i, one in enumerate(losses)]).sum(axis=0)
    return nodes[np.argsort(total, kind="stable")]


def way_up(losses: Sequence[NDArray[np.float64]], node: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Nodes from ``node`` to the top, each raising the column that loses least by it."""
    way: list[tuple[int, ...]] = []
    while True:
        steps = [
            (float(one[level + 1] - one[level]), i)
            for i, (one, level) in enumerate(zip(losses, node, strict=True))
            if level + 1 < len(one)
        ]
        if not steps:
            return way
        i = min(steps)[1]
        node = (*node[:i], node[i] + 1, *node[i + 1 :])
        way.append(node)


def key_ladder(levels: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.uint64], bool]:
    """What each code (last axis) adds at each level to a key, column after column, and whether keys are exact.

    Where 64 bits are too few for that, the codes are spread by odd numbers, which keeps those of a column apart.
    """
    radix, parts, product_ = [], [], 1
    for one in levels:
        radix.append(product_)
        product_ *= int(one.max(initial=0)) + 1
    exact = product_ < 1 << 63
    for i, one in enumerate(levels):
        factor = np.uint64(radix[i] if exact else pow(0x9E3779B97F4A7C15, 2 * i + 1, 1 << 64))
        parts.append((one.astype(np.uint64) * factor).ravel())
    return np.concatenate(parts), exact


@compiled
def peel(  # type: ignore[no-untyped-def]
    cells, weights, values, ladder, exact, starts, widths, nodes, k, budget, size, conditions, share_of,
):  # fmt: skip
    """(class of each unit or -1, number of classes).

    ``cells`` (T, m) codes, ``weights`` (T) rows, ``values`` (T, s) numbers of the sensitive values, below
    ``size`` in all. ``ladder[starts[i] + l * widths[i] + code]`` is what a code of column i adds at level l to
    the key of its combination (:func:`key_ladder`); with ``exact`` no two combinations share a key. Units that
    a group cannot take whole go on whole. About ``budget`` units are looked at in all: where they are many, only
    some of the nodes are tried.
    """
    rows, columns = cells.shape
    class_of = np.full(rows, -1, np.int32)
    left = np.arange(rows).astype(np.int32)
    count = rows
    capacity = 16
    while capacity < 2 * rows:
        capacity *= 2
    slots = np.zeros(capacity, np.int32)
    stamp = np.full(capacity, -1, np.int32)
    keys = np.empty(rows, np.uint64)
    first = np.empty(rows, np.int32)
    heads = np.empty(rows, np.int64)
    group = np.empty(rows, np.int32)
    fate = np.empty(rows, np.int32)
    parts = np.empty((columns, widths.max()), np.uint64)
    made = np.int64(0)
    work = 0
    place: Any = np.int64(-1)
    ahead: Any = np.int64(1)
    final = len(nodes) - 1
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
        for column in range(columns):
            at = starts[column] + nodes[place, column] * widths[column]
            for code in range(widths[column]):
                parts[column, code] = ladder[at + code]
        mask = 16
        while mask < 2 * count:
            mask *= 2
        mask -= 1
        found = 0
        large = 0
        for i in range(count):
            unit = left[i]
            key = np.uint64(0)
            for column in range(columns):
                key += parts[column, cells[unit, column]]
            spread = key * np.uint64(0x9E3779B97F4A7C15)
            slot = np.int64((spread >> np.uint64(32)) & np.uint64(mask))
            while True:
                if stamp[slot] != place:
                    stamp[slot] = place
                    slots[slot] = found
                    keys[found] = key
                    first[found] = unit
                    heads[found] = 0
                    here = found
                    found += 1
                    break
                here = slots[slot]
                if keys[here] == key:
                    same = True
                    if not exact:
                        other = first[here]
                        for column in range(columns):
                            if parts[column, cells[unit, column]] != parts[column, cells[other, column]]:
                                same = False
                                break
                    if same:
                        break
                slot = (slot + 1) & mask
            if heads[here] < k and heads[here] + weights[unit] >= k:
                large += 1
            heads[here] += weights[unit]
            group[i] = here
        if large == 0:
            continue
        if len(conditions[0]):
            made = _judged(
                left, count, group, found, heads, weights, values, k, size, conditions, share_of, fate, made
            )
        else:
            for here in range(found):
                fate[here] = -1
                if heads[here] >= k:
                    fate[here] = made
                    made += 1
            for i in range(count):
                group[i] = fate[group[i]]
        kept = 0
        for i in range(count):
            unit = left[i]
            if group[i] >= 0:
                class_of[unit] = group[i]
            else:
                left[kept] = unit
                kept += 1
        count = kept
    return class_of, made


@compiled
def _judged(  # type: ignore[no-untyped-def]
    left, count, group, found, heads, weights, values, k, size, conditions, share_of, fate, made
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
