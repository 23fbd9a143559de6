"""The innermost loops of a search: the products by which solutions are ordered, and the bounds of these."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.models.k_anonymity.grouping import Ladder


class Node(NamedTuple):
    """The classes at a node of the lattice, formed from C combinations."""

    cells: NDArray[np.int32]
    """(m, C)"""
    counts: NDArray[np.int64]
    class_of: NDArray[np.int32]
    """(C,)"""
    first: NDArray[np.int32]
    """A combination of each class."""
    sizes: NDArray[np.int64]
    """Rows of each class."""


class Box(NamedTuple):
    """Nodes by their levels, from the ``lowest`` to the ``highest``; combinations are those of the node ``floor``."""

    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    floor: NDArray[np.int64]


class Measure(NamedTuple):
    """What a search minimises over a table of ``rows``: the loss of each cell at each level, and how losses are put
    together."""

    shares: Ladder
    """What a cell loses, 1 if it is suppressed."""
    codes: NDArray[np.int64]
    """The code of each cell at each level."""
    by_leaf: bool
    """Whether combinations of one class may differ in that."""
    totals: NDArray[np.float64]
    """Sum of the shares by attribute and level."""
    smallest: NDArray[np.float64]
    """The least mean share of each attribute, that of a loss of 0."""
    weights: NDArray[np.float64]
    additive: bool
    """Whether losses are added up, so that products are those of exp; otherwise losses plus 1 are multiplied."""
    rows: int


@compiled
def cell_sums(cells, counts, size):
    """The rows with each of ``size`` cells, all attributes' cells one behind the other."""
    sums = np.zeros(size, np.int64)
    for column in range(len(cells)):
        here = cells[column]
        for row in range(len(counts)):
            sums[np.uint32(here[row])] += counts[row]
    return sums


@compiled
def gone_sums(node, kept, measure, levels, most):
    """(rows of the classes not kept, per attribute the sum over these rows of 1 - share); the sums only up to
    ``most`` such rows."""
    # By names of their own: each use of an array as a part of a tuple is counted, which takes as long as the step.
    cells, counts, class_of, first, sizes = node
    shares, start, begin = measure.shares
    by_leaf = measure.by_leaf
    columns = len(cells)
    sums = np.zeros(columns, np.float64)
    gone = np.empty(len(sizes), np.int32)
    found, rows = 0, 0
    for here in range(len(sizes)):
        gone[found] = here
        found += not kept[here]
        rows += 0 if kept[here] else sizes[here]
    if rows > most or found == 0:
        return rows, sums
    loses = np.empty(len(start), np.float64)
    for column in range(columns):
        for cell in range(begin[column], begin[column + 1]):
            loses[cell] = 1.0 - shares[start[cell] + levels[column]]
        mine = cells[column]
        total = 0.0
        if by_leaf:
            for row in range(len(class_of)):
                if not kept[np.uint32(class_of[row])]:
                    total += counts[row] * loses[np.uint32(mine[row])]
            sums[column] = total
            continue
        for i in range(found):
            lost = np.uint32(gone[i])
            total += sizes[lost] * loses[np.uint32(mine[np.uint32(first[lost])])]
        sums[column] = total
    return rows, sums


@compiled
def factor(total, rows, smallest, weight, additive):
    """What an attribute contributes to a product whose cells' shares sum up to ``total`` over ``rows``."""
    if smallest >= 1.0:
        return 1.0
    value = (total / rows - smallest) / (1.0 - smallest)
    return np.exp(weight * value) if additive else (1.0 + value) ** weight


@compiled
def product_of(node, kept, measure, levels, most):
    """(product of a node, rows of its classes not kept); the product is infinite above ``most`` such rows."""
    gone, sums = gone_sums(node, kept, measure, levels, most)
    if gone > most:
        return np.inf, gone
    product = 1.0
    for column in range(len(levels)):
        total = measure.totals[column, levels[column]] + sums[column]
        product *= factor(
            total, measure.rows, measure.smallest[column], measure.weights[column], measure.additive
        )
    return product, gone


@compiled
def lost_by_level(node, least, measure, box):
    """The loss of the rows of ``least`` when suppressed: per attribute and level (from 0) the sum of 1 - share. Rows
    of a class that goes as a whole lose 1 - share at the level. These combinations do not separate levels below the box's
    floor: the share at the floor counts there, which is never too small. Where only a part of a class must go, its rows
    lose no less than whatever value loses least at the level, of all that are the class's at the highest.
    """
    # By names of their own: each use of an array as a part of a tuple is counted, which takes as long as the step.
    cells, counts, class_of, first, sizes = node
    shares, start, begin = measure.shares
    by_leaf = measure.by_leaf
    lowest, top, floor = box
    columns = len(cells)
    widest = 0
    for column in range(columns):
        widest = max(widest, top[column] + 1)
    sums = np.zeros((columns, widest), np.float64)
    # What is not wanted is written over by what comes next: a question for each row would take longer.
    whole = least == sizes
    gone, rows = np.empty(len(class_of), np.int32), np.empty(len(class_of), np.int64)
    found = 0
    for row in range(len(class_of)):
        gone[found], rows[found] = row, counts[row]
        found += whole[np.uint32(class_of[row])]
    wholly, partly = np.empty(len(sizes), np.int32), np.empty(len(sizes), np.int32)
    wholes, parts = 0, 0
    for here in range(len(sizes)):
        wholly[wholes] = partly[parts] = here
        wholes += whole[here]
        parts += least[here] > 0 and not whole[here]
    weight = np.zeros(len(start), np.int64)
    rest = np.zeros(len(start), np.int64)
    codes = measure.codes
    most = np.empty(codes.max() + 1 if parts else 0, np.float64)
    for column in range(columns):
        mine, highest = cells[column], top[column]
        bottom = max(lowest[column], floor[column])
        # Summed by cell first: each attribute has few of them, whatever its levels. Where only the highest level counts,
        # all cells of a class are one there.
        if bottom == highest and not by_leaf:
            for i in range(wholes):
                lost = np.uint32(wholly[i])
                weight[np.uint32(mine[np.uint32(first[lost])])] += sizes[lost]
        else:
            for i in range(found):
                weight[np.uint32(mine[np.uint32(gone[i])])] += rows[i]
        for cell in range(begin[column], begin[column + 1]):
            if weight[cell]:
                for level in range(bottom, highest + 1):
                    sums[column, level] += weight[cell] * (1.0 - shares[start[cell] + level])
        for level in range(lowest[column], bottom):
            sums[column, level] = sums[column, bottom]
        for i in range(parts):
            rest[np.uint32(mine[np.uint32(first[partly[i]])])] += least[partly[i]]
        for level in range(lowest[column], highest + 1 if parts else 0):
            most[:] = 0.0
            for cell in range(begin[column], begin[column + 1]):
                here = codes[start[cell] + highest]
                most[here] = max(most[here], shares[start[cell] + level])
            for cell in range(begin[column], begin[column + 1]):
                if rest[cell]:
                    sums[column, level] += rest[cell] * (1.0 - most[codes[start[cell] + highest]])
    return sums


@compiled
def raise_bounds(node, least, measure, box, bounds, strides):
    """Raise the ``bounds`` of all nodes of a box to what they must lose with the rows of ``least`` suppressed
    (:func:`lost_by_level`)."""
    columns = len(node.cells)
    lowest, highest = box.lowest, box.highest
    factors = lost_by_level(node, least, measure, box)
    for column in range(columns):
        for level in range(lowest[column], highest[column] + 1):
            total = measure.totals[column, level] + factors[column, level]
            factors[column, level] = factor(
                total, measure.rows, measure.smallest[column], measure.weights[column], measure.additive
            )
    # Walk through the box of nodes like an odometer, keeping the products of the leading columns.
    at = lowest.copy()
    product = np.ones(columns + 1, np.float64)
    place = np.zeros(columns + 1, np.int64)
    column = 0
    while True:
        for i in range(column, columns):
            product[i + 1] = product[i] * factors[i, at[i]]
            place[i + 1] = place[i] + (at[i] - lowest[i]) * strides[i]
        if product[columns] > bounds[place[columns]]:
            bounds[place[columns]] = product[columns]
        column = columns - 1
        while column >= 0 and at[column] == highest[column]:
            at[column] = lowest[column]
            column -= 1
        if column < 0:
            return
        at[column] += 1


@compiled
def rule_out(bounds, strides, widths):
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
def highest_open(bounds, heights, enough):
    """(places of the open nodes with the highest sum of levels, those of lowest bound first; the lowest open bound).

    A node is open while its bound is below ``enough``.
    """
    highest, number = -np.inf, 0
    lowest = np.inf
    for place in range(len(bounds)):
        if bounds[place] < enough:
            lowest = min(lowest, bounds[place])
            if heights[place] > highest:
                highest, number = heights[place], 0
            number += heights[place] == highest
    found = np.empty(number, np.int64)
    number = 0
    for place in range(len(bounds)):
        if heights[place] == highest and bounds[place] < enough:
            found[number] = place
            number += 1
    return found[np.argsort(bounds[found], kind="mergesort")], lowest
