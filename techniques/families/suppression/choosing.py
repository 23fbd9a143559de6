"""Which cells of a rare combination go: the cheapest choice after which enough rows agree in the others.

Columns are kept or given up one after the other, as in a tree whose leaves are the choices. The more columns are kept, the
fewer rows agree: a group that is too small at one node is too small below it. And what is given up only costs more further
down: a group is left where none of its rows can still find anything cheaper. So most of the tree is never entered.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.core.operations import Tally
from techniques.models.k_anonymity.grouping import grouped

_DIRECT = 2
"""Groups that may come about, for each row, that have a place each to be counted at."""


def cheapest_choices(
    tally: Tally, weights: Sequence[float], least: int, tick: Callable[[float], None]
) -> NDArray[np.int64]:
    """Per combination (T,) the columns to give up, as bits: of the choices after which ``least`` rows, or persons, agree in
    the other columns that of the smallest sum of ``weights`` (above 0), of the fewest columns, of the first ones.

    At least so many rows, or persons, there must be in all.
    """
    return _Choices(tally, weights, least, tick).run()


class _Choices:
    def __init__(
        self, tally: Tally, weights: Sequence[float], least: int, tick: Callable[[float], None]
    ) -> None:
        self.tally, self.least, self.tick = tally, least, tick
        columns = len(weights)
        cost, first = np.zeros(1), np.zeros(1, dtype=np.int64)
        for i, weight in enumerate(weights):
            cost = np.append(cost, cost + weight)
            first = np.append(first, first | 1 << (columns - i))
        # Of as many columns those with the first one that not both have come first.
        self.choices: NDArray[np.int64] = np.lexsort((-first, np.bitwise_count(first), cost))
        """All of them, the cheapest first."""
        self.rank = np.argsort(self.choices)
        # Nothing goes where enough share the combination; otherwise, at the worst, everything.
        self.found = np.where(tally.sharing >= least, 0, len(self.choices) - 1)
        """Place of the cheapest choice of each combination so far."""
        self.counts = np.array(tally.counts, dtype=np.int64)
        self.codes = [codes.astype(np.int32) + np.int32(1) for codes in tally.codes]
        # Columns of many values first: where one of them is kept, few rows agree, and that half of the tree ends soon.
        self.order = sorted(range(columns), key=lambda i: -len(tally.dictionaries[i]))

    def run(self) -> NDArray[np.int64]:
        every = np.arange(len(self.tally.counts), dtype=np.int32)
        self._choose(0, 0, every, np.zeros(len(every), dtype=np.int32), 1, 0.0)
        return self.choices[self.found]

    def _choose(
        self,
        depth: int,
        gone: int,
        rows: NDArray[np.int32],
        group: NDArray[np.int32],
        groups: int,
        share: float,
    ) -> None:
        """Go through the choices that give up the columns ``gone`` of the first ``depth`` in order: for the combinations
        ``rows``, which agree by ``group`` in the others of these, enough in each. ``share`` of the tree lies behind."""
        self.tick(share)
        rows, group, groups = _still(rows, group, groups, self.found, self.rank[gone])
        if not len(rows):
            return
        if depth == len(self.order):
            self.found[rows] = np.minimum(self.found[rows], self.rank[gone])
            return
        column = self.order[depth]
        values = len(self.tally.dictionaries[column]) + 1
        finer, sizes = _finer(rows, group, groups, self.codes[column], values, self.counts)
        if self.tally.persons is not None:
            sizes = self.tally.persons.taken(rows).by_class(finer, len(sizes))
        left, finer, number = _left(rows, finer, sizes >= self.least)
        self._choose(depth + 1, gone, left, finer, number, share)
        share += 0.5 ** (depth + 1)
        self._choose(depth + 1, gone | 1 << column, rows, group, groups, share)


@compiled
def _still(rows, group, groups, found, rank):
    """(the rows of the groups in which a row has found nothing as cheap as ``rank``, their groups numbered anew, the number of
    these)."""
    wanting = np.zeros(groups, np.bool_)
    for i in range(len(rows)):
        if found[rows[i]] > rank:
            wanting[group[i]] = True
    return _left(rows, group, wanting)


@compiled
def _finer(rows, group, groups, codes, values, counts):
    """(the group of each row after one more column with codes below ``values`` is kept, the counts of each group, of which
    some may be empty)."""
    if groups * values <= _DIRECT * len(rows):
        finer, sizes = np.empty(len(rows), np.int32), np.zeros(groups * values, np.int64)
        for i in range(len(rows)):
            row = np.uint32(rows[i])
            here = np.int32(group[i] * values + codes[row])
            finer[i] = here
            sizes[np.uint32(here)] += counts[row]
        return finer, sizes
    keys, mine = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        row = np.uint32(rows[i])
        keys[i] = np.int64(group[i]) * values + codes[row]
        mine[i] = counts[row]
    finer, sizes, _first = grouped(keys, mine)
    return finer, sizes


@compiled
def _left(rows, group, wanted):
    """(the rows of the ``wanted`` groups, these numbered anew, their number)."""
    number = np.empty(len(wanted), np.int32)
    groups = 0
    for here in range(len(wanted)):
        number[here] = groups
        groups += wanted[here]
    if groups == len(wanted):
        return rows, group, groups
    left, finer = np.empty(len(rows), np.int32), np.empty(len(rows), np.int32)
    found = 0
    for i in range(len(rows)):
        # What is not wanted is written over by what comes next.
        of = np.uint32(group[i])
        left[found], finer[found] = rows[i], number[of]
        found += wanted[of]
    return left[:found].copy(), finer[:found].copy(), groups
