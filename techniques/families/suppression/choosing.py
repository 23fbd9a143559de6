"""Which cells of a rare combination go: the cheapest choice after which enough rows agree in the others.

Columns are kept or given up one after the other, as in a tree whose leaves are the choices. The more columns are kept, the
fewer rows agree: a group that is too small at one node is too small below it. And what is given up only costs more further
down: a group is left where none of its rows can still find anything cheaper. So most of the tree is never entered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from techniques.core.operations import Tally
from techniques.models.k_anonymity.grouping import grouped


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
        of_bits = [[i for i in range(columns) if bits >> i & 1] for bits in range(1 << columns)]
        choices = sorted(
            range(1 << columns),
            key=lambda bits: (sum(weights[i] for i in of_bits[bits]), len(of_bits[bits]), of_bits[bits]),
        )
        self.choices = np.array(choices, dtype=np.int64)
        """All of them, the cheapest first."""
        self.rank = np.argsort(self.choices)
        # Nothing goes where enough share the combination; otherwise, at the worst, everything.
        self.found = np.where(tally.sharing >= least, 0, len(choices) - 1)
        """Place of the cheapest choice of each combination so far."""
        self.counts = np.array(tally.counts, dtype=np.int64)
        self.codes = [codes.astype(np.int64) + 1 for codes in tally.codes]
        # Columns of few values first: what they leave together is large, and there are few ways to go on.
        self.order = sorted(range(columns), key=lambda i: len(tally.dictionaries[i]))

    def run(self) -> NDArray[np.int64]:
        every = np.arange(len(self.tally.counts))
        self._choose(0, 0, every, np.zeros(len(every), dtype=np.int64), 1, 0.0)
        return self.choices[self.found]

    def _choose(
        self,
        depth: int,
        gone: int,
        rows: NDArray[np.int64],
        group: NDArray[np.int64],
        groups: int,
        share: float,
    ) -> None:
        """Go through the choices that give up the columns ``gone`` of the first ``depth`` in order: for the combinations
        ``rows``, which agree by ``group`` in the others of these, enough in each. ``share`` of the tree lies behind."""
        self.tick(share)
        rows, group, groups = self._still(rows, group, groups, int(self.rank[gone]))
        if not len(rows):
            return
        if depth == len(self.order):
            self.found[rows] = np.minimum(self.found[rows], self.rank[gone])
            return
        column = self.order[depth]
        keys = group * np.int64(len(self.tally.dictionaries[column]) + 1) + self.codes[column][rows]
        finer, sizes, _first = grouped(keys, self.counts[rows])
        if self.tally.persons is not None:
            sizes = self.tally.persons.taken(rows).by_class(finer, len(sizes))
        enough = sizes >= self.least
        left = enough[finer]
        kept = np.cumsum(enough) - 1
        self._choose(depth + 1, gone, rows[left], kept[finer[left]], int(enough.sum()), share)
        share += 0.5 ** (depth + 1)
        self._choose(depth + 1, gone | 1 << column, rows, group, groups, share)

    def _still(
        self, rows: NDArray[np.int64], group: NDArray[np.int64], groups: int, rank: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """The rows of the groups in which a row has found nothing as cheap as ``rank``, groups numbered anew."""
        wanting = np.zeros(groups, dtype=np.bool_)
        wanting[group[self.found[rows] > rank]] = True
        number = int(wanting.sum())
        if number == groups:
            return rows, group, groups
        left = wanting[group]
        return rows[left], (np.cumsum(wanting) - 1)[group[left]], number
