"""The innermost loops of a search: the products by which solutions are ordered, and the bounds of these."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.models.k_anonymity.grouping import Ladder, Packing


class Node(NamedTuple):
    """The classes at a node of the lattice, formed from C combinations."""

    bundles: NDArray[np.int32]
    """(g, C)"""
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
    packing: Packing
    totals: NDArray[np.float64]
    """Sum of the shares by attribute and level."""
    smallest: NDArray[np.float64]
    """The least mean share of each attribute, that of a loss of 0."""
    weights: NDArray[np.float64]
    additive: bool
    """Whether losses are added up, so that products are those of exp; otherwise losses plus 1 are multiplied."""
    rows: int
    bundle_rows: NDArray[np.int64]
    """The rows with each bundle."""

    def parts(self) -> tuple[Any, ...]:
        """All arrays and numbers, one behind the other: kernels take them from Python so, in a third of the time that tuples
        in tuples take."""
        return (
            *self.shares, self.codes, self.by_leaf, *self.packing, self.totals, self.smallest, self.weights,
            self.additive, self.rows, self.bundle_rows,
        )  # fmt: skip


@inner
def _joined(parts):
    """The :class:`Measure` of these :meth:`Measure.parts`."""
    return Measure(
        Ladder(parts[0], parts[1], parts[2]), parts[3], parts[4], Packing(parts[5], parts[6], parts[7], parts[8]),
        parts[9], parts[10], parts[11], parts[12], parts[13], parts[14],
    )  # fmt: skip


@compiled
def cell_sums(bundles, counts, packing, size):
    """(the rows with each of ``size`` cells, all attributes' cells one behind the other; the rows with each bundle)."""
    rows = np.zeros(packing.start[-1], np.int64)
    groups = len(bundles)
    for row in range(len(counts)):
        _add_bundles(bundles, groups, row, counts[row], rows)
    sums = np.zeros(size, np.int64)
    for column in range(len(packing.of)):
        _add_cells(rows, packing, column, sums)
    return sums, rows


@inner
def _add_bundles(bundles, groups, row, rows, sums):
    """Add ``rows`` to those of the bundle of each group that a combination has: one place after the other, so that none waits
    for what was just written to its own."""
    for group in range(groups):
        sums[np.uint32(bundles[group, np.uint32(row)])] += rows


@inner
def _add_cells(rows, packing, column, sums):
    """Add the ``rows`` of each bundle to those of its cell of one attribute."""
    of, start, cell_of, begin = packing
    group = of[column]
    moved = begin[column] - start[group]
    for bundle in range(start[group], start[group + 1]):
        sums[np.uint32(cell_of[bundle + moved])] += rows[bundle]


@compiled
def cell_shares(codes, start, columns, shares, begin, levels):
    """What each cell loses at each level, in the order of ``codes``, which with ``start`` and ``columns`` are a :class:`Ladder`.

    ``shares`` are those of the codes, level by level and attribute by attribute: a level's ``begin`` there, one behind the
    other for the ``levels`` that each attribute has.
    """
    made = np.empty(len(codes), np.float64)
    first = 0
    for column in range(len(levels)):
        for cell in range(columns[column], columns[column + 1]):
            for level in range(levels[column]):
                place = start[cell] + level
                made[place] = shares[begin[first + level] + codes[place]]
        first += levels[column]
    return made


@compiled
def overrule(losses, start, rows, unfit):
    """Set the ``losses`` of cells that are ``unfit`` to 1, those of cells without a row to 0; a cell's levels begin at ``start``."""
    for cell in range(len(start)):
        if unfit[cell] or rows[cell] == 0:
            end = start[cell + 1] if cell + 1 < len(start) else len(losses)
            losses[start[cell] : end] = 1.0 if rows[cell] else 0.0


@compiled
def gone_sums(bundles, counts, class_of, first, sizes, kept, levels, most, *parts):
    """(rows of the classes not kept, per attribute the sum over these rows of 1 - share) of a :class:`Node` by the ``parts`` of
    a :class:`Measure`; the sums only up to ``most`` such rows."""
    return _gone_sums(Node(bundles, counts, class_of, first, sizes), kept, _joined(parts), levels, most)


@inner
def _gone_sums(node, kept, measure, levels, most):
    """(rows of the classes not kept, per attribute the sum over these rows of 1 - share); the sums only up to
    ``most`` such rows."""
    # By names of their own: each use of an array as a part of a tuple is counted, which takes as long as the step.
    bundles, counts, class_of, first, sizes = node
    sums = np.zeros(len(levels), np.float64)
    gone = np.empty(len(sizes), np.int32)
    found, rows = 0, 0
    for here in range(len(sizes)):
        gone[found] = here
        found += not kept[here]
        rows += 0 if kept[here] else sizes[here]
    if rows > most or found == 0:
        return rows, sums
    lost_rows = np.zeros(measure.packing.start[-1], np.int64)
    groups = len(bundles)
    if measure.by_leaf:
        for row in range(len(class_of)):
            if not kept[np.uint32(class_of[row])]:
                _add_bundles(bundles, groups, row, counts[row], lost_rows)
    else:
        for i in range(found):
            lost = np.uint32(gone[i])
            _add_bundles(bundles, groups, first[lost], sizes[lost], lost_rows)
    _add_losses(lost_rows, measure, levels, sums)
    return rows, sums


@inner
def _add_losses(lost_rows, measure, levels, sums):
    """Add to the ``sums`` by attribute what the ``lost_rows`` of each bundle lose at ``levels``: 1 - share each."""
    shares, start, begin = measure.shares
    # Summed by cell first: there are few of them.
    weight = np.zeros(len(start), np.int64)
    for column in range(len(levels)):
        _add_cells(lost_rows, measure.packing, column, weight)
        total, level = 0.0, levels[column]
        for cell in range(begin[column], begin[column + 1]):
            # Cells without a lost row add nothing: to ask each would take longer.
            total += weight[cell] * (1.0 - shares[start[cell] + level])
        sums[column] += total


@compiled
def factor(total, rows, smallest, weight, additive):
    """What an attribute contributes to a product whose cells' shares sum up to ``total`` over ``rows``."""
    if smallest >= 1.0:
        return 1.0
    value = (total / rows - smallest) / (1.0 - smallest)
    return np.exp(weight * value) if additive else (1.0 + value) ** weight


@compiled
def level_factors(totals, lowest, highest, rows, smallest, weights, additive):
    """:func:`factor` of the ``totals`` of each attribute's levels, in columns from the ``lowest`` to the ``highest``."""
    widest = 0
    for column in range(len(lowest)):
        widest = max(widest, highest[column] - lowest[column] + 1)
    made = np.ones((len(lowest), widest), np.float64)
    for column in range(len(lowest)):
        for level in range(lowest[column], highest[column] + 1):
            total = totals[column, level]
            made[column, level - lowest[column]] = factor(
                total, rows, smallest[column], weights[column], additive
            )
    return made


@compiled
def lattice(factors, widths, whole):
    """(by node the product of its levels' ``factors`` (m, levels); its height: the sum of its levels, or where ``whole`` the
    number of nodes below it; what a level of each attribute adds to a node's place).

    Levels count from the lowest; those of the last attribute are next to each other.
    """
    columns = len(widths)
    strides = np.ones(columns, np.int64)
    nodes = np.int64(1)
    single = 1.0
    for column in range(columns - 1, -1, -1):
        strides[column] = nodes if widths[column] > 1 else 1
        nodes *= widths[column]
    for column in range(columns):
        single *= factors[column, 0] if widths[column] == 1 else 1.0
    products, heights = np.ones(nodes, np.float64), np.full(nodes, 1.0 if whole else 0.0)
    # One attribute after the other, from the left, so that products are rounded alike wherever they are worked out.
    done = 1
    for column in range(columns):
        if widths[column] > 1:
            # Backwards, as each node so far makes room for those of all levels.
            for node in range(done - 1, -1, -1):
                product, height = products[node], heights[node]
                for level in range(widths[column]):
                    place = node * widths[column] + level
                    products[place] = product * factors[column, level]
                    heights[place] = height * (level + 1) if whole else height + level
            done *= widths[column]
    for node in range(nodes):
        products[node] *= single
    return products, heights, strides


@compiled
def product_of(bundles, counts, class_of, first, sizes, kept, levels, most, *parts):
    """(product of a :class:`Node`, rows of its classes not kept) by the ``parts`` of a :class:`Measure`; the product is
    infinite above ``most`` such rows."""
    return _product_of(Node(bundles, counts, class_of, first, sizes), kept, _joined(parts), levels, most)


@inner
def _product_of(node, kept, measure, levels, most):
    """The same of a :class:`Measure`."""
    gone, sums = _gone_sums(node, kept, measure, levels, most)
    if gone > most:
        return np.inf, gone
    return _product(sums, measure, levels), gone


@compiled
def undiminished(levels, *parts):
    """The product of a node at ``levels`` that suppresses nothing, by the ``parts`` of a :class:`Measure`."""
    return _product(np.zeros(len(levels), np.float64), _joined(parts), levels)


@inner
def _product(sums, measure, levels):
    """The product at ``levels`` where suppression adds these ``sums`` to the attributes' totals."""
    product = 1.0
    for column in range(len(levels)):
        total = measure.totals[column, levels[column]] + sums[column]
        product *= factor(
            total, measure.rows, measure.smallest[column], measure.weights[column], measure.additive
        )
    return product


@inner
def _least_product(node, least, measure, levels):
    """What the product of a node cannot fall below, by the rows of ``least`` of each class; where classes tell what is lost."""
    bundles, _counts, _class_of, first, sizes = node
    groups = len(bundles)
    gone, left = np.empty(len(least), np.int32), np.empty(len(least), np.int32)
    found, others = 0, 0
    for here in range(len(least)):
        # What is not wanted is written over by what comes next.
        gone[found], left[others] = here, here
        found += least[here] > 0
        others += least[here] < sizes[here]
    if found <= others:
        lost_rows = np.zeros(measure.packing.start[-1], np.int64)
        for i in range(found):
            lost = np.uint32(gone[i])
            _add_bundles(bundles, groups, first[lost], least[lost], lost_rows)
    else:
        # All rows but those of the fewer classes of which some may stay: at these levels all cells of a class lose alike.
        lost_rows = measure.bundle_rows.copy()
        for i in range(others):
            kept = np.uint32(left[i])
            _add_bundles(bundles, groups, first[kept], least[kept] - sizes[kept], lost_rows)
    sums = np.zeros(len(levels), np.float64)
    _add_losses(lost_rows, measure, levels, sums)
    return _product(sums, measure, levels)


@compiled
def lost_by_level(bundles, counts, class_of, first, sizes, least, lowest, highest, floor, *parts):
    """The loss of the rows of ``least`` when suppressed (:func:`_lost_by_level`), for a :class:`Node`, a :class:`Box` and the
    ``parts`` of a :class:`Measure`."""
    node = Node(bundles, counts, class_of, first, sizes)
    return _lost_by_level(node, least, _joined(parts), Box(lowest, highest, floor))


@inner
def _lost_by_level(node, least, measure, box):
    """The loss of the rows of ``least`` when suppressed: per attribute and level (from 0) the sum of 1 - share. Rows
    of a class that goes as a whole lose 1 - share at the level. These combinations do not separate levels below the box's
    floor: the share at the floor counts there, which is never too small. Where only a part of a class must go, its rows
    lose no less than whatever value loses least at the level, of all that are the class's at the highest.
    """
    # By names of their own: each use of an array as a part of a tuple is counted, which takes as long as the step.
    bundles, counts, class_of, first, sizes = node
    shares, start, begin = measure.shares
    lowest, top, floor = box
    columns = len(top)
    widest = 0
    for column in range(columns):
        widest = max(widest, top[column] + 1)
    sums = np.zeros((columns, widest), np.float64)
    # What is not wanted is written over by what comes next: a question for each row would take longer.
    whole = least == sizes
    gone = np.empty(len(class_of), np.int32)
    found = 0
    for row in range(len(class_of)):
        gone[found] = row
        found += whole[np.uint32(class_of[row])]
    partly = np.empty(len(sizes), np.int32)
    parts = 0
    for here in range(len(sizes)):
        partly[parts] = here
        parts += least[here] > 0 and not whole[here]
    # Summed by bundle and then by cell first: there are few of them.
    groups = len(bundles)
    lost_rows = np.zeros(measure.packing.start[-1], np.int64)
    part_rows = np.zeros(measure.packing.start[-1] if parts else 0, np.int64)
    for i in range(found):
        _add_bundles(bundles, groups, gone[i], counts[np.uint32(gone[i])], lost_rows)
    for i in range(parts):
        lost = np.uint32(partly[i])
        _add_bundles(bundles, groups, first[lost], least[lost], part_rows)
    weight = np.zeros(len(start), np.int64)
    rest = np.zeros(len(start), np.int64)
    codes = measure.codes
    most = np.empty(codes.max() + 1 if parts else 0, np.float64)
    for column in range(columns):
        highest = top[column]
        bottom = max(lowest[column], floor[column])
        _add_cells(lost_rows, measure.packing, column, weight)
        if parts:
            _add_cells(part_rows, measure.packing, column, rest)
        for cell in range(begin[column], begin[column + 1]):
            if weight[cell]:
                for level in range(bottom, highest + 1):
                    sums[column, level] += weight[cell] * (1.0 - shares[start[cell] + level])
        for level in range(lowest[column], bottom):
            sums[column, level] = sums[column, bottom]
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
def raise_bounds(
    bundles, counts, class_of, first, sizes, least, lowest, highest, floor, bounds, strides, *parts
):
    """Raise the ``bounds`` of all nodes of a :class:`Box` to what they must lose with the rows of ``least`` suppressed
    (:func:`_lost_by_level`)."""
    node, measure = Node(bundles, counts, class_of, first, sizes), _joined(parts)
    _raise_bounds(node, least, measure, Box(lowest, highest, floor), bounds, strides)


@inner
def _raise_bounds(node, least, measure, box, bounds, strides):
    """The same of a :class:`Node`, a :class:`Box` and a :class:`Measure`."""
    lowest, highest, _floor = box
    columns = len(strides)
    factors = _lost_by_level(node, least, measure, box)
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
def weighed(
    bundles, counts, class_of, first, sizes, least, lowest, levels, floor, bounds, strides, kept, place, most, enough,
    wanted, *parts,
):  # fmt: skip
    """:func:`product_of` a :class:`Node` at ``levels``, the ``place`` of the ``bounds``, unless it must be above ``wanted`` by
    the rows of ``least``: then it is infinite, and the rows are more than ``most``. If by these it is ``enough`` or more,
    :func:`raise_bounds`: what a node below loses by these rows is never more, so otherwise none of them gets so far."""
    node, measure = Node(bundles, counts, class_of, first, sizes), _joined(parts)
    # Where classes do not tell what is lost, the bounds do.
    own = enough if measure.by_leaf else _least_product(node, least, measure, levels)
    if own >= enough and enough < np.inf:
        _raise_bounds(node, least, measure, Box(lowest, levels, floor), bounds, strides)
    if (bounds[place] if measure.by_leaf else own) > wanted:
        return np.inf, most + 1
    return _product_of(node, kept, measure, levels, most)


@compiled
def raise_box(bounds, strides, lowest, highest, least):
    """Raise the ``bounds`` of the nodes of a box to ``least``, at the least."""
    columns = len(strides)
    at = lowest.copy()
    place = 0
    for column in range(columns):
        place += at[column] * strides[column]
    while True:
        bounds[place] = max(bounds[place], least)
        column = columns - 1
        while column >= 0 and at[column] == highest[column]:
            place -= (at[column] - lowest[column]) * strides[column]
            at[column] = lowest[column]
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
    highest, number, start = -np.inf, 0, 0
    lowest = np.inf
    for place in range(len(bounds)):
        if bounds[place] < enough:
            lowest = min(lowest, bounds[place])
            if heights[place] > highest:
                highest, number, start = heights[place], 0, place
            number += heights[place] == highest
    found = np.empty(number, np.int64)
    number, place = 0, start
    while number < len(found):
        if heights[place] == highest and bounds[place] < enough:
            found[number] = place
            number += 1
        place += 1
    return found[np.argsort(bounds[found], kind="mergesort")], lowest


@compiled
def next_open(order, position, above, below, best):
    """The first place in ``order``, from ``position`` on, of a node whose two bounds together are no more than ``best``;
    its length if there is none."""
    while position < len(order) and above[order[position]] + below[order[position]] > best:
        position += 1
    return position


@compiled
def class_sums(sizes, kept, least, k, rows):
    """(classes kept, their rows, the rows that these look like; the rows that all look like in classes of at least ``k``;
    how many more of the ``rows`` those of ``least`` look like when they are suppressed), summed up over rows."""
    classes, stay, alike = 0, np.int64(0), np.int64(0)
    coarser, finer = np.int64(0), np.int64(0)
    for here in range(len(sizes)):
        size = sizes[here]
        cost = min(max(size, k), rows)
        coarser += size * cost
        finer += least[here] * (rows - cost)
        if kept[here]:
            classes += 1
            stay += size
            alike += size * size
    return classes, stay, alike, coarser, finer
