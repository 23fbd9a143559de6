"""Equal and hierarchical closeness of all classes of a node at once, value by value.

Most classes of the many nodes that a search looks at are far from the table. So the rows are counted in one pass over the
entries, in the order in which these lie; classes are compared in loops that take several of them at a time; and how many
rows a class may keep is worked out only where it may keep k at all. The answers are those of :func:`judging.judge`.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.models.conditions import equal_closeness
from techniques.models.conditions.entries import Entries
from techniques.models.conditions.judging import EQUAL, HIERARCHICAL, rows_gone
from techniques.models.conditions.values import TOLERANCE

TOGETHER = frozenset((EQUAL, HIERARCHICAL))
"""The kinds of condition that can be judged so."""
MOST_ROWS = 1 << 32
"""Tables have to have fewer rows to be judged so."""
_DENSE = 4
"""Cells of a table for each entry that is counted into it, at the most."""


class ByValue(NamedTuple):
    """How often each value occurs, value by value."""

    start: NDArray[np.int64]
    """Begin of the entries of each of V values, and the end of all (V+1,)."""
    combination: NDArray[np.int32]
    counts: NDArray[np.uint32]
    """Below :data:`MOST_ROWS`: half as long as the sums that they are added to, as most of the time goes into reading them."""

    @classmethod
    def of(cls, entries: Entries, size: int) -> ByValue:
        """The same ``entries``, of ``size`` values."""
        return cls(*_by_value(*entries, size))


@compiled
def _by_value(start, values, counts, size):
    """The fields of :class:`ByValue`."""
    begin = np.zeros(size + 1, np.int64)
    for value in values:
        begin[value + 1] += 1
    for value in range(size):
        begin[value + 1] += begin[value]
    place = begin[:-1].copy()
    combination, rows = np.empty(len(values), np.int32), np.empty(len(values), np.uint32)
    for here in range(len(start) - 1):
        for entry in range(start[here], start[here + 1]):
            at = place[values[entry]]
            combination[at], rows[at] = here, counts[entry]
            place[values[entry]] = at + 1
    return begin, combination, rows


def most_cells(entries: int) -> int:
    """The largest table of the rows at each node of a tree, in each class, that ``entries`` fill well enough."""
    return _DENSE * entries


@compiled
def judge_together(
    class_of, sizes, begin, combination, counts, conditions, shares, parent, fall, under, missing, k, most, kept, least
):  # fmt: skip
    """What :func:`judging.judge` does, where all conditions are of the kinds :data:`TOGETHER`; nothing, and False, where a table
    of the rows at each node in each class of ``k`` rows has more than ``most`` cells.

    ``class_of`` (C,) is the class of each combination; ``begin`` to ``counts`` are the fields of the entries' :class:`ByValue`,
    ``conditions`` and ``shares`` those of :class:`Requirements`, ``parent`` to ``under`` the first fields of its :class:`Trees`:
    one by one, because tuples take Python longer to hand over.
    """
    large, place_of = _large_classes(sizes, k)
    tree, distinct = conditions[0].tree, len(shares)
    nodes, classes = conditions[0].root - tree, len(large)
    if nodes * classes > most:
        return False
    rows_at = _counted(class_of, place_of, classes, begin, combination, counts, nodes)
    unknown = np.zeros(classes, np.float64)
    if missing:
        unknown[:], rows_at[0] = rows_at[0, :classes], 0.0
    parts = np.empty(classes, np.float64)
    for place in range(classes):
        parts[place] = 1.0 / sizes[large[place]]
    flat = np.ones(distinct, np.float64)
    raised = False
    doubtful = np.empty(classes, np.int32)
    for number in range(len(conditions)):
        condition = conditions[number]
        used, falls, reference = distinct, flat, shares
        if condition.kind == HIERARCHICAL:
            used, falls, reference = nodes, fall[tree : tree + nodes], under[tree : tree + nodes]
            if not raised:
                _raise(rows_at, parent[tree : tree + nodes])
                raised = True
        common, at_best = _in_common(condition, rows_at[:used], falls, reference, unknown, parts, 1.0 / k)
        found = 0
        for place in range(classes):
            here = large[place]
            good = common[place] >= 1.0 - TOLERANCE
            kept[here] &= good
            # Of fewer rows each is a larger part of its class: if k of them are too far from the table, so are more.
            hopeless = not good and at_best[place] < 1.0 - 2.0 * TOLERANCE
            least[here] = sizes[here] if hopeless else least[here]
            doubtful[found] = place
            found += not good and least[here] < sizes[here]
        rows_left = _rows_kept(condition, rows_at[:used], falls, reference, unknown, parts, doubtful[:found])
        for i in range(found):
            here = large[doubtful[i]]
            rows = sizes[here]
            least[here] = max(least[here], rows_gone(min(rows_left[i], rows - 1.0), rows, k))
    return True


@inner
def _large_classes(sizes, k):
    """(the classes of k rows; the place of each class among them, and their number for the others)."""
    large = np.empty(len(sizes), np.int32)
    place_of = np.empty(len(sizes), np.int32)
    found = 0
    for here in range(len(sizes)):
        # What is not wanted is written over by what comes next.
        large[found] = here
        place_of[here] = found
        found += sizes[here] >= k
    for here in range(len(sizes)):
        place_of[here] = place_of[here] if sizes[here] >= k else found
    return large[:found], place_of


@inner
def _counted(class_of, place_of, classes, begin, combination, counts, nodes):
    """The rows with each value in each of the large ``classes``, and in all others together: the values are the first of the
    ``nodes``."""
    place_at = np.empty(len(class_of), np.int32)
    for row in range(len(class_of)):
        place_at[row] = place_of[np.uint32(class_of[row])]
    rows_at = np.zeros((nodes, classes + 1), np.float64)
    for value in range(len(begin) - 1):
        here = rows_at[value]
        # A loop without any question: the rows of small classes go to a place of their own, the last.
        for entry in range(begin[value], begin[value + 1]):
            here[np.uint32(place_at[np.uint32(combination[entry])])] += counts[entry]
    return rows_at


@inner
def _raise(rows_at, parent):
    """Add the rows at each node of the tree to those at its parent; the root, the last, has no place."""
    nodes, classes = rows_at.shape
    for node in range(nodes):
        if parent[node] < nodes:
            below, above = rows_at[node], rows_at[parent[node]]
            for place in range(classes):
                above[place] += below[place]


@inner
def _in_common(condition, rows_at, falls, reference, unknown, parts, largest):
    """What each class has in common with the table, t included: (if each of its rows is the part of it that it is, if each is
    the ``largest`` part of a class that there may be)."""
    classes = len(parts)
    common, at_best = np.empty(classes, np.float64), np.empty(classes, np.float64)
    for place in range(classes):
        common[place] = at_best[place] = condition.limit + unknown[place] / condition.rows
    for node in range(len(rows_at)):
        rows, fall, most = rows_at[node], falls[node], reference[node]
        for place in range(classes):
            fallen = fall * rows[place]
            here, best = fallen * parts[place], fallen * largest
            common[place] += here if here < most else most
            at_best[place] += best if best < most else most
    return common, at_best


@inner
def _rows_kept(condition, rows_at, falls, reference, unknown, parts, doubtful):
    """What :func:`equal_closeness.rows_kept` finds for each of the ``doubtful`` classes, all in the same steps."""
    classes = len(doubtful)
    inverse, start = np.empty(classes, np.float64), np.empty(classes, np.float64)
    common, slope = np.empty(classes, np.float64), np.empty(classes, np.float64)
    counts = np.empty((len(rows_at), classes), np.float64)
    for i in range(classes):
        inverse[i] = parts[doubtful[i]]
        start[i] = condition.limit + unknown[doubtful[i]] / condition.rows
    for node in range(len(rows_at)):
        mine, rows, fall = counts[node], rows_at[node], falls[node]
        for i in range(classes):
            mine[i] = rows[doubtful[i]] * fall
    for _ in range(equal_closeness.STEPS):
        common[:], slope[:] = start, 0.0
        for node in range(len(counts)):
            mine, expected = counts[node], reference[node]
            for i in range(classes):
                here = mine[i] * inverse[i]
                common[i] += here if here < expected else expected
                slope[i] += mine[i] if here < expected else 0.0
        open_classes = 0
        for i in range(classes):
            lacking = 1.0 - TOLERANCE - common[i]
            if lacking > 0.0:
                # No rows at all may be kept where fewer make it no better.
                inverse[i] = inverse[i] + lacking / slope[i] if slope[i] > 0.0 else np.inf
                open_classes += slope[i] > 0.0
        if open_classes == 0:
            break
    return 1.0 / inverse
