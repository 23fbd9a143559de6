"""A sensitive attribute over the combinations of a table, and which classes hold its conditions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from techniques.models.conditions.entries import Entries, Members, merged
from techniques.models.conditions.judging import judge
from techniques.models.conditions.values import Condition, Requirements, Tree


class Sensitive:
    """One sensitive attribute with V values over T combinations, as (combination, value, count) entries.

    Values are numbered so that the ordered distance finds them in order. With ``missing`` the value 0 is a missing one.
    """

    def __init__(
        self,
        entries: Entries,
        size: int,
        conditions: Sequence[Condition],
        tree: Tree | None = None,
        missing: bool = False,
    ) -> None:
        self.entries, self.size = entries, size
        self.missing = missing
        self.conditions = list(conditions)
        self.tree = tree or Tree.flat(size)
        total = np.bincount(entries.values, weights=entries.counts, minlength=size)
        self.rows = float(max(total.sum(), 1))
        """Rows of the whole table, suppressed ones included."""
        self.reference: NDArray[np.float64] = total / self.rows
        """Shares of the values in the whole table."""
        self.requirements = Requirements.of([self])

    @property
    def unknown(self) -> int:
        """The number of the missing value, or -1."""
        return 0 if self.missing else -1

    def judge(
        self,
        members: Members,
        sizes: NDArray[np.int64],
        k: int,
        kept: NDArray[np.bool_],
        least: NDArray[np.int64],
    ) -> None:
        """Unset ``kept`` for classes that break a condition and raise ``least``, the rows of the class that
        any finer table must suppress, accordingly."""
        judge(members, sizes, self.entries, self.requirements, self.missing, k, kept, least)

    def merged(self, members: Members) -> Sensitive:
        """The same attribute over the classes instead of the combinations."""
        made = object.__new__(Sensitive)
        made.__dict__.update(self.__dict__)
        made.entries = Entries(*merged(members, self.entries, self.size))
        return made
