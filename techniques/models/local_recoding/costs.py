"""The cost of what a class covers, as compiled code over :class:`shapes.Costs`."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.models.local_recoding.shapes import NUMBER, SET, TABLE


class Extents(NamedTuple):
    """What each class covers in each column (classes, m), by two numbers (:mod:`shapes`)."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]


class Units(NamedTuple):
    """Distinct combinations of T: ``cells`` (T, m) places, ``rows`` (T,) of each, ``values`` (T, s) sensitive ones."""

    cells: NDArray[np.uint32]
    rows: NDArray[np.int64]
    values: NDArray[np.int32]


@inner
def _other_cost(costs, column, first, last):
    shape = costs.columns[column]
    if shape.kind == SET:
        count = 0
        mask = first
        while mask:
            mask &= mask - 1
            count += 1
        return costs.amounts[shape.amounts + count]
    if shape.kind == NUMBER:
        if first == last:
            return 0.0
        if first == 0:
            return costs.amounts[shape.amounts]
        below = costs.amounts[shape.amounts + first] if first > 1 else 0.0
        return costs.amounts[shape.amounts + last] - below
    for level in range(shape.levels):
        at = shape.codes + level * shape.size
        if costs.codes[at + first] == costs.codes[at + last]:
            return costs.amounts[shape.amounts + level * shape.size + first]
    return np.inf  # above the highest level that is allowed


@inner
def cell_cost(costs, column, first, last):
    """What one row loses in a column whose class covers ``first`` … ``last``."""
    shape = costs.columns[column]
    if shape.kind == TABLE:
        return costs.amounts[shape.amounts + first * shape.size + last]
    return _other_cost(costs, column, first, last)


@inner
def row_cost(costs, first, last):
    """What one row loses whose class covers ``first``, ``last`` (m,)."""
    columns, amounts = costs.columns, costs.amounts
    total = 0.0
    for column in range(len(first)):
        shape = columns[column]
        if shape.kind == TABLE:  # as in joint_cost
            total += amounts[shape.amounts + first[column] * shape.size + last[column]]
        else:
            total += _other_cost(costs, column, first[column], last[column])
    return total


@inner
def widened(kind, first, last, place):
    """What the class covers in a column of that kind when a value at ``place`` comes in."""
    if kind == SET:
        mask = first | (np.int64(1) << np.int64(place))
        return mask, mask
    return min(first, np.int64(place)), max(last, np.int64(place))


@inner
def united(kind, a, b, c, d):
    """What two classes, one that covers ``a`` … ``b`` and one that covers ``c`` … ``d``, cover together."""
    if kind == SET:
        return a | c, a | c
    return min(a, c), max(b, d)


@inner
def alone(kind, place):
    """What a class of a single value covers."""
    if kind == SET:
        mask = np.int64(1) << np.int64(place)
        return mask, mask
    return np.int64(place), np.int64(place)


@inner
def joint_cost(costs, extents, here, units, unit, enough):
    """Cost per row of class ``here`` once ``unit`` is in; stops at ``enough``."""
    # By names of their own: each use of an array as a part of a tuple is counted, which takes longer than the step.
    columns, amounts = costs.columns, costs.amounts
    first, last, cells = extents.first, extents.last, units.cells
    total = 0.0
    for column in range(cells.shape[1]):
        shape = columns[column]
        a, b = widened(shape.kind, first[here, column], last[here, column], cells[unit, column])
        if shape.kind == TABLE:  # by far the most frequent: passing arrays on takes many times as long
            total += amounts[shape.amounts + a * shape.size + b]
        else:
            total += _other_cost(costs, column, a, b)
        if total >= enough:
            break
    return total


@compiled
def covering(columns, cells, class_of, classes):
    """:class:`Extents` of the classes that units with these ``cells`` form; of class -1 is none."""
    first = np.zeros((classes, cells.shape[1]), np.int64)
    last = np.zeros((classes, cells.shape[1]), np.int64)
    seen = np.zeros(classes, np.bool_)
    for unit in range(len(class_of)):
        here = class_of[unit]
        if here < 0:
            continue
        for column in range(cells.shape[1]):
            kind, place = columns[column].kind, cells[unit, column]
            if seen[here]:
                a, b = widened(kind, first[here, column], last[here, column], place)
            else:
                a, b = alone(kind, place)
            first[here, column] = a
            last[here, column] = b
        seen[here] = True
    return Extents(first, last)


@compiled
def class_costs(costs, extents):
    """Cost per row of each class."""
    found = np.zeros(len(extents.first))
    for here in range(len(found)):
        found[here] = row_cost(costs, extents.first[here], extents.last[here])
    return found
