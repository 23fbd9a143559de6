"""Whether the conditions on the sensitive attributes hold for a class, from how often each value occurs in it.

The values of all sensitive attributes are numbered one behind the other; ``conditions`` are arrays (kind, l, c, t,
first value, end of values, and for trees: first entry, end of entries, parent, height; whether the first value is a
missing one, and the rows of the table). A missing value is read as :mod:`techniques.models.k_anonymity.sensitive` has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.models.k_anonymity.sensitive import Sensitive

_TOLERANCE = 1e-12
Conditions = tuple[Any, ...]


def conditions_of(sensitive: Sequence[Sensitive]) -> tuple[Conditions, NDArray[np.float64], int]:
    """(the arrays, the share of each value in the whole table, the number of values) for the kernels."""
    kinds, bounds, begin, end, tree_begin, tree_end, missing, rows = [], [], [], [], [], [], [], []
    parents, heights = [np.empty(0, np.int64)], [np.empty(0)]
    values = nodes = 0
    for one in sensitive:
        for condition in one.conditions:
            kinds.append(condition.kind)
            bounds.append([condition.l, condition.c, condition.t])
            begin.append(values)
            end.append(values + one.size)
            tree_begin.append(nodes)
            tree_end.append(nodes + len(one.tree.height))
            missing.append(one.missing)
            rows.append(one.rows)
        parents.append(np.append(one.tree.parent, -1))
        heights.append(one.tree.height)
        values += one.size
        nodes += len(one.tree.height)
    limits = np.array(bounds, dtype=np.float64).reshape(-1, 3)
    whole = np.int64
    arrays = (
        np.array(kinds, whole), limits[:, 0].copy(), limits[:, 1].copy(), limits[:, 2].copy(),
        np.array(begin, whole), np.array(end, whole), np.array(tree_begin, whole), np.array(tree_end, whole),
        np.concatenate(parents), np.concatenate(heights), np.array(missing, np.bool_), np.array(rows, np.float64),
    )  # fmt: skip
    shares = [one.reference for one in sensitive]
    return arrays, np.concatenate([np.empty(0), *shares]), values


@compiled
def holds(histogram, rows, conditions, share_of):  # type: ignore[no-untyped-def]
    """Whether a class of ``rows`` rows with these numbers of each value holds every condition."""
    for number in range(len(conditions[0])):
        kind, begin, end = conditions[0][number], conditions[4][number], conditions[5][number]
        # Rows with a missing value, and what those and the ones elsewhere can move.
        missing, lost, u, v = conditions[10][number], np.int64(0), 0.0, 0.0
        if missing:
            lost = histogram[begin]
            u = lost / rows - lost / conditions[11][number]
            v = max(0.0, share_of[begin] - lost / conditions[11][number])
        known = begin + 1 if missing else begin
        if kind == 0:
            good = _distinct(histogram, known, end, conditions[1][number])
        elif kind == 2:
            good = _recursive(histogram, known, end, lost, conditions[1][number], conditions[2][number])
        elif kind == 5:
            good = _hierarchical(histogram, begin, end, rows, number, conditions, share_of, min(u, v))
        else:
            good = _counted(
                kind,
                histogram,
                begin,
                known,
                end,
                rows,
                conditions[1][number],
                conditions[3][number],
                share_of,
                u,
                v,
            )
        if not good:
            return False
    return True


@compiled
def _distinct(histogram, known, end, l):  # type: ignore[no-untyped-def]  # noqa: E741
    """Whether l values occur; no further ones are looked for."""
    present = 0
    for value in range(known, end):
        if histogram[value] > 0:
            present += 1
            if present >= l:
                return True
    return present >= l


@compiled
def _counted(kind, histogram, begin, known, end, rows, l, t, share_of, u, v):  # type: ignore[no-untyped-def]  # noqa: E741
    """Entropy l-diversity, t-closeness with equal and ordered distance."""
    present = 0
    entropy = apart = running = moved = filled = most = 0.0
    for value in range(begin, end):
        share = histogram[value] / rows
        if share > 0 and value >= known:
            present += 1
            most = max(most, share)
            entropy -= share * np.log(share) if kind == 1 else 0.0
        apart += abs(share - share_of[value])
        if value < end - 1:
            running += share - share_of[value]
            moved += abs(running)
            filled += abs(running + 0.5 * (v - u)) if value >= known else 0.0
    if kind == 1:
        if known > begin and present > 0:
            grown = most + histogram[begin] / rows
            entropy += most * np.log(most) - grown * np.log(grown)
        return entropy >= np.log(l) - _TOLERANCE
    if kind == 3:
        return apart / 2 + min(u, v) <= t + _TOLERANCE
    steps = end - begin - 1
    if moved > t * max(steps, 1) + _TOLERANCE:
        return False
    return known == begin or steps < 2 or filled / (steps - 1) + 0.5 * (u + v) <= t + _TOLERANCE


@compiled
def _recursive(histogram, begin, end, lost, l, c):  # type: ignore[no-untyped-def]  # noqa: E741
    """Whether the largest number, with ``lost`` more, is below c times the sum from the l-th largest on."""
    largest = np.int64(0)
    tail = np.int64(0)
    for value in range(begin, end):
        largest = max(largest, histogram[value])
        # How many stand before this one in falling order decides whether it is in the tail.
        before = 0
        for other in range(begin, end):
            if histogram[other] > histogram[value] or (
                histogram[other] == histogram[value] and other < value
            ):
                before += 1
        if before >= l - 1:
            tail += histogram[value]
    return largest + lost < c * tail - _TOLERANCE


@compiled
def _hierarchical(histogram, first, last, rows, number, conditions, share_of, far):  # type: ignore[no-untyped-def]
    begin, end = conditions[6][number], conditions[7][number]
    nodes = end - begin
    extra, above, below = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes)
    for value in range(first, last):
        extra[value - first] = histogram[value] / rows - share_of[value]
    distance = 0.0
    for node in range(nodes):
        if node < nodes - 1:
            up = conditions[8][begin + node]
            extra[up] += extra[node]
            if extra[node] > 0:
                above[up] += extra[node]
            else:
                below[up] -= extra[node]
        distance += conditions[9][begin + node] * min(above[node], below[node])
    return distance + far <= conditions[3][number] + _TOLERANCE


@compiled
def taken(histogram, rows, k, conditions, share_of):  # type: ignore[no-untyped-def]
    """The most rows that may be taken from such a class under conditions on one attribute; 0 if none."""
    low, high = np.int64(0), np.int64(rows)
    for number in range(len(conditions[0])):
        if conditions[0][number] != 3:
            return np.int64(0)
    while high - low > 1:
        middle = (low + high) // 2
        fits = True
        for number in range(len(conditions[0])):
            distance = 0.0
            for value in range(len(share_of)):
                distance += max(0.0, share_of[value] - histogram[value] / middle)
            fits = fits and distance <= conditions[3][number]
        if fits:
            low = middle
        else:
            high = middle
    return low if low >= k else np.int64(0)
