"""The traversal of a lattice from node to node, in one kernel for all nodes that need nothing from Python.

A node of a table of some thousand combinations takes about 50 microseconds; to call several kernels from Python for
each, and to make objects of what they return, would take half as long again.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.np.numpy_support import carray
from numpy.typing import NDArray

from techniques.core.compiling import READS_ADDRESSES, compiled, pointer
from techniques.models.conditions.together import judge_together, most_cells
from techniques.models.conditions.values import Requirements
from techniques.models.k_anonymity.crowds import Crowd, kept_by_persons
from techniques.models.k_anonymity.grouping import classes_at, kept_by_size, smallest_at, start_of, total
from techniques.models.k_anonymity.loss import Loss
from techniques.models.k_anonymity.problem import Combinations
from techniques.models.k_anonymity.products import highest_open, raise_box, undiminished, weighed

TICK_EVERY = 64
"""Before each node of so many a search says how far it is."""
DONE, START, NODE, FOUND = range(4)
"""Why a kernel stops: no node is open, or the effort is spent; what a node starts from is not known; a node is left to Python;
a node may be the best."""
_ROUNDING = 1e-9
_ADDRESS = np.dtype(
    [
        ("known", np.bool_),
        *(
            (name, np.int64)
            for name in (
                "bundles", "counts", "length", "begin", "combination", "rows", "cells",
                "weight", "pairs", "person", "persons",
            )
        ),
    ],
    align=True,
)  # fmt: skip
"""Where the arrays of :class:`Combinations`, the :class:`ByValue` of their attribute and their :class:`Crowd` lie in memory."""
_NO_REQUIREMENTS = Requirements.of([])


class Stop(NamedTuple):
    """Where a traversal stopped, and why."""

    why: int
    places: NDArray[np.int64]
    """The nodes of the same height that it is at, by their places among the bounds."""
    position: int
    """The first of these that it has not looked at."""
    checks: int
    """All nodes looked at so far."""
    levels: NDArray[np.int64]
    """Those of the node that it is about."""
    value: float
    """The product of a node that may be the best; the lowest bound left open where it is done."""
    suppressed: int

    @classmethod
    def none(cls) -> Stop:
        """Before the first node."""
        return cls(NODE, np.empty(0, np.int64), 0, 0, np.empty(0, np.int64), np.inf, 0)


class Traversal:
    """A search with at most ``most`` rows suppressed and so much ``effort``, over the bounds of all nodes."""

    def __init__(
        self,
        loss: Loss,
        most: int,
        effort: int,
        bounds: NDArray[np.float64],
        heights: NDArray[np.float64],
        strides: NDArray[np.int64],
        widths: NDArray[np.int64],
    ) -> None:
        problem = self.problem = loss.problem
        sensitive = problem.base.sensitive
        self.able = (
            READS_ADDRESSES
            and problem.fits
            and problem.average_risk is None
            and (problem.persons is None or not sensitive)
            and len(sensitive) < 2
            and all(one.together for one in sensitive)
        )
        """Whether the kernel can look at nodes of this problem; otherwise it leaves all to Python."""
        requirements = sensitive[0].requirements if sensitive else _NO_REQUIREMENTS
        trees = requirements.trees
        self._starts = np.zeros(len(problem.forming.floors), _ADDRESS)
        self._arguments = (
            effort, bounds, heights, strides, widths, most, problem.k, problem.nested, self._starts,
            *problem.forming, problem.persons is not None, requirements.conditions, requirements.shares, trees.parent, trees.fall, trees.shares,
            bool(sensitive) and sensitive[0].missing, *loss.measure,
        )  # fmt: skip
        if self.able and loss.source is not None:
            self.learn(0, loss.source)

    def on(self, stop: Stop, checks: int, end: int, below: float, enough: float, wanted: float) -> Stop:
        """Look at the nodes before the place ``end`` whose bounds are ``below`` this, those of most height first, from where the
        last traversal stopped. Products of ``enough`` raise the bounds of nodes below; those above ``wanted`` are not the best."""
        return Stop(
            *traverse(
                stop.places, stop.position, checks, end, below, enough, wanted, self.problem.known, self.able,
                *self._arguments,
            )
        )  # fmt: skip

    def learn(self, place: int, start: Combinations) -> None:
        """What nodes may start from, by its ``place`` among all that is known. Whoever knows it keeps its arrays."""
        bundles, counts = start.bundles, start.counts
        entries = [0, 0, 0, 0]
        if start.sensitive:
            one = start.sensitive[0]
            entries = [*(part.ctypes.data for part in one.by_value), most_cells(one.length)]
        crowd = [0, 0, 0, 0]
        if start.crowd is not None:
            crowd = [*(part.ctypes.data for part in start.crowd), len(start.crowd.person)]
        self._starts[place] = (True, bundles.ctypes.data, counts.ctypes.data, len(counts), *entries, *crowd)


@compiled
def traverse(
    places, position, checks, end, below, enough, wanted, known, able,
    effort, bounds, heights, strides, widths, most, k, nested, starts,
    floors, lengths, steps, formed, lowest, level_sizes, number, seen, by_person,
    conditions, shares, parent, fall, under, missing, *measure,
):  # fmt: skip
    """The fields of the :class:`Stop` at which :meth:`Traversal.on` ends; all arrays one by one, because tuples take Python
    longer to hand over."""
    codes, foot, by_leaf, rows = measure[3], measure[1], measure[4], measure[13]
    groups = len(measure[6]) - 1
    node, levels = np.zeros_like(widths), np.zeros_like(widths)
    bottom = np.zeros_like(widths)
    whole = nested and most == 0 and not by_person and len(conditions) == 0
    while True:
        if position == len(places):
            places, lowest_open = highest_open(bounds[:end], heights[:end], below)
            position = 0
            if len(places) == 0 or checks >= effort:
                return DONE, places, position, checks, levels, lowest_open, 0
        place = places[position]
        # None of them lies below another, but a better solution may have been found meanwhile.
        if place >= end or bounds[place] >= below or checks >= effort:
            position += 1
            continue
        for column in range(len(widths)):
            node[column] = place // strides[column] % widths[column]
            levels[column] = node[column] + lowest[column]
        if not able or (checks + 1) % TICK_EVERY == 0:
            return NODE, places, position, checks, levels, np.inf, 0
        at = 0 if by_leaf else start_of(floors, lengths, known, steps, formed, lowest, levels)
        if at < 0 or not starts[at].known:
            return START, places, position, checks, levels, np.inf, 0
        start = starts[at]
        bundles = carray(pointer(start.bundles), (groups, start.length), np.int32)
        counts = carray(pointer(start.counts), (start.length,), np.int64)
        if whole:
            # Where no row may go classes are counted, not formed: what is in them makes no difference.
            smallest = smallest_at(
                bundles, counts, level_sizes, levels, codes, foot, measure[5], measure[6], measure[7], measure[8]
            )  # fmt: skip
            value = undiminished(levels, *measure)
            fits = smallest >= k and (bounds[place] if by_leaf else value) <= wanted
            if smallest < k:
                raise_box(bounds, strides, bottom, node, np.inf)
            bounds[place] = np.inf
            checks += 1
            position += 1
            if fits:
                return FOUND, places, position, checks, levels, value, 0
            continue
        class_of, sizes, first = classes_at(
            bundles, counts, level_sizes, levels, number, codes, foot, measure[5], measure[6], measure[7], measure[8]
        )  # fmt: skip
        if by_person:
            crowd = Crowd(
                carray(pointer(start.weight), (start.length,), np.int64),
                carray(pointer(start.pairs), (start.length + 1,), np.int64),
                carray(pointer(start.person), (start.persons,), np.int32),
            )
            kept, least, gone = kept_by_persons(class_of, sizes, crowd, k, seen)
        else:
            kept, least, gone = kept_by_size(sizes, k)
        # Conditions only add to the rows that go.
        if len(conditions) and gone < rows and not (nested and gone > most):
            begin = carray(pointer(start.begin), (len(shares) + 1,), np.int64)
            combination = carray(pointer(start.combination), (begin[-1],), np.int32)
            counted = carray(pointer(start.rows), (begin[-1],), np.uint32)
            if not judge_together(
                class_of, sizes, begin, combination, counted, conditions, shares, parent, fall, under, missing, k,
                start.cells, kept, least,
            ):  # fmt: skip
                return NODE, places, position, checks, levels, np.inf, 0
            gone = total(least)
        gone = gone if nested else 0
        if gone > most:
            raise_box(bounds, strides, bottom, node, np.inf)
            value, suppressed = np.inf, most + 1
        else:
            value, suppressed = weighed(
                bundles, counts, class_of, first, sizes, least, lowest, levels, floors[at], bounds, strides, kept, place,
                most, enough if gone else np.inf, wanted, *measure,
            )  # fmt: skip
        bounds[place] = np.inf
        checks += 1
        position += 1
        if suppressed <= most and value <= wanted * (1.0 + _ROUNDING):
            return FOUND, places, position, checks, levels, value, suppressed
