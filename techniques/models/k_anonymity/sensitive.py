"""Conditions on the sensitive attributes of an equivalence class (GB/T 37964 B.1.2, B.1.3).

Each condition holds for a union of classes that hold it, so a class that breaks one breaks it in every
finer table too: at least in part. How many of its rows a finer table must suppress at the least is worked out
along with the verdict; the search prunes with it.

A missing value may be any value, and a condition has to hold whichever it is and also if it is a value of its own; that
keeps the above, since it is so for every way to fill the cells. In l it counts as the most frequent value of its class;
in t those of the class and those elsewhere count as two values as far apart as values can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled

DISTINCT, ENTROPY, RECURSIVE, EQUAL, ORDERED, HIERARCHICAL = range(6)
_TOLERANCE = 1e-12
"""Rounding that a condition forgives."""
_HALVINGS = 8
"""Steps of a bisection for the rows that a class may keep; the answer errs on the safe side."""


@dataclass(frozen=True)
class Condition:
    """One condition: ``kind``, and l, c or t as far as that kind has them."""

    kind: int
    l: float = 0.0  # noqa: E741 - the model's own letter
    c: float = 0.0
    t: float = 0.0


@dataclass(frozen=True)
class Tree:
    """A value hierarchy for the hierarchical distance: nodes level by level, the V values first.

    ``parent`` has an entry for each node but the root, which comes last; ``height`` is a node's level
    divided by that of the root.
    """

    parent: NDArray[np.int64]
    height: NDArray[np.float64]

    @classmethod
    def flat(cls, values: int) -> Tree:
        """All values under one root, for conditions that need no tree."""
        return cls(np.full(values, values, np.int64), np.append(np.zeros(values), 1.0))


class Sensitive:
    """One sensitive attribute with V values over T combinations, as (combination, value, count) entries.

    ``start`` (T+1), ``values`` and ``counts`` hold the entries combination by combination; values are
    numbered so that the ordered distance finds them in order. With ``missing`` the value 0 is a missing one.
    """

    def __init__(
        self,
        start: NDArray[np.int64],
        values: NDArray[np.int32],
        counts: NDArray[np.int64],
        size: int,
        conditions: Sequence[Condition],
        tree: Tree | None = None,
        missing: bool = False,
    ) -> None:
        self.start, self.values, self.counts, self.size = start, values, counts, size
        self.missing = missing
        self.conditions = list(conditions)
        self.tree = tree or Tree.flat(size)
        self.kinds = np.array([one.kind for one in conditions], dtype=np.int64)
        self.bounds = np.array([[one.l, one.c, one.t] for one in conditions], dtype=np.float64).reshape(-1, 3)
        total = np.bincount(values, weights=counts, minlength=size)
        self.rows = float(max(total.sum(), 1))
        """Rows of the whole table, suppressed ones included."""
        self.reference: NDArray[np.float64] = total / self.rows
        """Shares of the values in the whole table."""

    @property
    def unknown(self) -> int:
        """The number of the missing value, or -1."""
        return 0 if self.missing else -1

    def judge(
        self,
        order: NDArray[np.int32],
        start: NDArray[np.int64],
        sizes: NDArray[np.int64],
        k: int,
        kept: NDArray[np.bool_],
        least: NDArray[np.int64],
    ) -> None:
        """Unset ``kept`` for classes that break a condition and raise ``least``, the rows of the class that
        any finer table must suppress, accordingly."""
        _judge(
            order, start, sizes, self.start, self.values, self.counts, self.reference, self.kinds,
            self.bounds, self.tree.parent, self.tree.height, self.missing, self.rows, k, kept, least,
        )  # fmt: skip

    def merged(self, order: NDArray[np.int32], start: NDArray[np.int64]) -> Sensitive:
        """The same attribute over the classes instead of the combinations."""
        made = object.__new__(Sensitive)
        made.__dict__.update(self.__dict__)
        made.start, made.values, made.counts = _merged(
            order, start, self.start, self.values, self.counts, self.size
        )
        return made


@compiled
def _merged(order, start, entry_start, entry_values, entry_counts, size):  # type: ignore[no-untyped-def]
    classes = len(start) - 1
    scratch = np.zeros(size, np.int64)
    touched = np.empty(size, np.int32)
    new_start = np.zeros(classes + 1, np.int64)
    values = np.empty(len(entry_values), np.int32)
    counts = np.empty(len(entry_values), np.int64)
    found = 0
    for here in range(classes):
        used = 0
        for place in range(start[here], start[here + 1]):
            row = order[place]
            for entry in range(entry_start[row], entry_start[row + 1]):
                value = entry_values[entry]
                if scratch[value] == 0:
                    touched[used] = value
                    used += 1
                scratch[value] += entry_counts[entry]
        for i in range(used):
            values[found] = touched[i]
            counts[found] = scratch[touched[i]]
            scratch[touched[i]] = 0
            found += 1
        new_start[here + 1] = found
    return new_start, values[:found].copy(), counts[:found].copy()


@compiled
def _entropy(counts, cap):  # type: ignore[no-untyped-def]
    total = 0.0
    result = 0.0
    for count in counts:
        total += min(float(count), cap)
    for count in counts:
        share = min(float(count), cap) / total
        result -= share * np.log(share)
    return result


@compiled
def _entropy_filled(counts, lost):  # type: ignore[no-untyped-def]
    """The entropy if ``lost`` more rows have the most frequent value."""
    most = 0
    for i in range(len(counts)):
        if counts[i] > counts[most]:
            most = i
    counts[most] += lost
    result = _entropy(counts, np.inf)
    counts[most] -= lost
    return result


@compiled
def _recursive(counts, cap, l, c):  # type: ignore[no-untyped-def]  # noqa: E741
    """c * tail - largest, for counts in falling order, none above ``cap``."""
    tail = 0.0
    for i in range(l - 1, len(counts)):
        tail += min(float(counts[i]), cap)
    return c * tail - min(float(counts[0]), cap)


@compiled
def _equal(counts, reference, n, lost, rows):  # type: ignore[no-untyped-def]
    """Least distance to the reference of n rows taken from rows with these counts and ``lost`` missing values, of a
    table of ``rows``; ``counts`` and ``reference`` for the values that occur. With all rows it is the distance itself:
    half the L1 distance, and min(u, v) with u = lost/n - lost/rows and v = share missing - lost/rows."""
    covered = 0.0
    distance = 0.0
    for i in range(len(counts)):
        covered += reference[i]
        distance += max(0.0, reference[i] - counts[i] / n)
    return distance + max(0.0, 1.0 - covered) - lost / rows


@compiled
def _apart(lost, n, reference, rows):  # type: ignore[no-untyped-def]
    """(u, v): what the missing values of the class and those elsewhere can move, value 0 being the missing one."""
    return lost / n - lost / rows, max(0.0, reference[0] - lost / rows)


@compiled
def _ordered(scratch, reference, n, missing, rows):  # type: ignore[no-untyped-def]
    """Missing as a value before all others, or as those that move the most, by the sum of |difference + (v-u)/2| over
    the steps between known values and half of u + v; whichever is greater."""
    steps = len(scratch) - 1
    if steps < 1:
        return 0.0
    u, v = 0.0, 0.0
    if missing:
        u, v = _apart(scratch[0], n, reference, rows)
    running = 0.0
    distance = 0.0
    filled = 0.0
    for i in range(steps):
        running += scratch[i] / n - reference[i]
        distance += abs(running)
        if missing and i > 0:
            filled += abs(running + 0.5 * (v - u))
    distance /= steps
    if missing and steps > 1:
        distance = max(distance, filled / (steps - 1) + 0.5 * (u + v))
    return distance


@compiled
def _hierarchical(scratch, reference, n, parent, height, extra, above, below):  # type: ignore[no-untyped-def]
    extra[:] = 0.0
    above[:] = 0.0
    below[:] = 0.0
    for i in range(len(scratch)):
        extra[i] = scratch[i] / n - reference[i]
    for node in range(len(parent)):
        up = parent[node]
        extra[up] += extra[node]
        if extra[node] > 0:
            above[up] += extra[node]
        else:
            below[up] -= extra[node]
    distance = 0.0
    for node in range(len(height)):
        distance += height[node] * min(above[node], below[node])
    return distance


@compiled
def _rows_left(counts, cap):  # type: ignore[no-untyped-def]
    total = 0.0
    for count in counts:
        total += min(float(count), cap)
    return total


@compiled
def _judge(  # type: ignore[no-untyped-def]
    order, start, sizes, entry_start, entry_values, entry_counts, reference, kinds, bounds, parent, height,
    missing, rows, k, kept, least,
):  # fmt: skip
    size = len(reference)
    scratch = np.zeros(size, np.int64)
    touched = np.empty(size, np.int32)
    counts = np.empty(size, np.int64)
    shares = np.empty(size, np.float64)
    nodes = len(height)
    extra = np.empty(nodes, np.float64)
    above = np.empty(nodes, np.float64)
    below = np.empty(nodes, np.float64)
    for here in range(len(sizes)):
        n = sizes[here]
        if n < k:
            continue
        used = 0
        for place in range(start[here], start[here + 1]):
            row = order[place]
            for entry in range(entry_start[row], entry_start[row + 1]):
                value = entry_values[entry]
                if scratch[value] == 0:
                    touched[used] = value
                    used += 1
                scratch[value] += entry_counts[entry]
        there = 0
        lost = scratch[0] if missing else np.int64(0)
        for i in range(used):
            if not missing or touched[i] > 0:
                counts[there] = scratch[touched[i]]
                shares[there] = reference[touched[i]]
                there += 1
        # The values that are known: what a finer table keeps has to hold the conditions without the others too.
        have, expected = counts[:there], shares[:there]
        gone = np.int64(0)
        for number in range(len(kinds)):
            kind = kinds[number]
            l, c, t = bounds[number, 0], bounds[number, 1], bounds[number, 2]  # noqa: E741
            # The most rows that a finer table may keep of this class.
            most = float(n)
            if kind == 0:
                if there < l:
                    most = 0.0
            elif kind == 1:
                if there < l:
                    most = 0.0
                elif _entropy_filled(have, lost) < np.log(l) - _TOLERANCE:
                    low, high = 0.0, float(have.max())
                    for _ in range(_HALVINGS):
                        cap = 0.5 * (low + high)
                        if _entropy(have, cap) < np.log(l) - _TOLERANCE:
                            high = cap
                        else:
                            low = cap
                    most = min(n - 1.0, _rows_left(have, high) + lost)
            elif kind == 2:
                if there < l:
                    most = 0.0
                else:
                    falling = np.sort(have)[::-1].copy()
                    if _recursive(falling, float(n), int(l), c) - lost <= _TOLERANCE:
                        if c * (there - l + 1) <= 1 + _TOLERANCE:
                            most = 0.0
                        else:
                            low, high = 0.0, float(falling[0])
                            for _ in range(_HALVINGS):
                                cap = 0.5 * (low + high)
                                if _recursive(falling, cap, int(l), c) <= _TOLERANCE:
                                    high = cap
                                else:
                                    low = cap
                            most = min(n - 1.0, _rows_left(falling, high) + lost)
            elif kind == 3:
                if _equal(have, expected, float(n), lost, rows) > t + _TOLERANCE:
                    low, high = 0.0, float(n)
                    for _ in range(_HALVINGS):
                        middle = 0.5 * (low + high)
                        if _equal(have, expected, middle, lost, rows) > t + _TOLERANCE:
                            high = middle
                        else:
                            low = middle
                    most = min(n - 1.0, high)
            elif kind == 4:
                if _ordered(scratch, reference, n, missing, rows) > t + _TOLERANCE:
                    most = n - 1.0
            else:
                distance = _hierarchical(scratch, reference, n, parent, height, extra, above, below)
                if missing:
                    u, v = _apart(lost, n, reference, rows)
                    distance += min(u, v)
                if distance > t + _TOLERANCE:
                    most = n - 1.0
            if most < n:
                kept[here] = False
                # What stays in a finer table is at least one class, so k rows.
                stays = np.int64(np.floor(most + 1e-9))
                gone = max(gone, n if stays < k else n - stays)
        least[here] = max(least[here], gone)
        for i in range(used):
            scratch[touched[i]] = 0
