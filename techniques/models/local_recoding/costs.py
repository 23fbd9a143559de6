"""The cost of what a class covers, as compiled code over the arrays of :func:`shapes.packed`."""

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled


@compiled
def _other_cost(meta, amounts, codes, column, first, last):  # type: ignore[no-untyped-def]
    kind, size, start = meta[column, 0], meta[column, 1], meta[column, 2]
    if kind == 3:
        count = 0
        mask = first
        while mask:
            mask &= mask - 1
            count += 1
        return amounts[start + count]
    if kind == 2:
        if first == last:
            return 0.0
        if first == 0:
            return amounts[start]
        return amounts[start + last] - (amounts[start + first] if first > 1 else 0.0)
    ladder = meta[column, 3]
    for level in range(meta[column, 4]):
        at = ladder + level * size
        if codes[at + first] == codes[at + last]:
            return amounts[start + level * size + first]
    return np.inf  # above the highest level that is allowed


@compiled
def cell_cost(meta, amounts, codes, column, first, last):  # type: ignore[no-untyped-def]
    """What one row loses in a column whose class covers ``first`` … ``last``."""
    if meta[column, 0] == 0:
        return amounts[meta[column, 2] + first * meta[column, 1] + last]
    return _other_cost(meta, amounts, codes, column, first, last)


@compiled
def widened(kind, first, last, place):  # type: ignore[no-untyped-def]
    """What the class covers in a column of that kind when a value at ``place`` comes in."""
    if kind == 3:
        mask = first | (np.int64(1) << np.int64(place))
        return mask, mask
    return min(first, np.int64(place)), max(last, np.int64(place))


@compiled
def united(kind, a, b, c, d):  # type: ignore[no-untyped-def]
    """What two classes cover together."""
    if kind == 3:
        return a | c, a | c
    return min(a, c), max(b, d)


@compiled
def alone(kind, place):  # type: ignore[no-untyped-def]
    """What a class of a single value covers."""
    if kind == 3:
        mask = np.int64(1) << np.int64(place)
        return mask, mask
    return np.int64(place), np.int64(place)


@compiled
def joint_cost(meta, amounts, codes, first, last, here, cells, unit, enough):  # type: ignore[no-untyped-def]
    """Cost per row of class ``here`` of those that cover ``first``, ``last`` once ``unit`` is in; stops at
    ``enough``."""
    total = 0.0
    for column in range(cells.shape[1]):
        a, b = widened(meta[column, 0], first[here, column], last[here, column], cells[unit, column])
        if (
            meta[column, 0] == 0
        ):  # by far the most frequent: passing arrays on takes many times as long as this
            total += amounts[meta[column, 2] + a * meta[column, 1] + b]
        else:
            total += cell_cost(meta, amounts, codes, column, a, b)
        if total >= enough:
            break
    return total
