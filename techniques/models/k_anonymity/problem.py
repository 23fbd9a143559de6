"""The search's view of a table: distinct combinations with counts, and each attribute's hierarchy as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.hierarchies.build import Hierarchy
from techniques.models.k_anonymity.kernels import class_of_rows
from techniques.tuples import Codes

_DENSE = 1 << 16
_LIMIT = 2**62


@dataclass(frozen=True)
class Attribute:
    """One quasi-identifier. Code 0 is a missing value, code v+1 the v-th of its dictionary.

    ``maps[l][code]`` is the code at level l, below ``sizes[l]``; ``shares[l][c]`` the share of the
    hierarchy's leaves under c, between 1/leaves and 1. Levels outside ``lowest``…``highest`` are not used.
    """

    maps: list[NDArray[np.int64]]
    sizes: list[int]
    shares: list[NDArray[np.float64]]
    leaves: int
    lowest: int
    highest: int

    @classmethod
    def from_hierarchy(cls, hierarchy: Hierarchy, missing: bool, lowest: int, highest: int) -> Attribute:
        """Add the missing value to a hierarchy.

        Missing is a value of its own, one leaf more if it occurs, at every level but the last, where it is
        ``*`` like all others; values that do not fit are treated as missing.
        """
        leaves = max(hierarchy.size + missing, 1)
        maps, sizes, shares = [], [], []
        for level, (codes, under) in enumerate(zip(hierarchy.codes, hierarchy.leaves, strict=True)):
            last = level == hierarchy.levels - 1
            own = 0 if last else len(under)
            moved = np.where(hierarchy.unfit, own, codes)
            maps.append(np.concatenate([[own], moved]).astype(np.int64))
            sizes.append(len(under) if last else len(under) + 1)
            share = np.ones(len(under)) if last else np.append(under, 1) / leaves
            shares.append(share)
        return cls(maps, sizes, shares, leaves, lowest, highest)


@dataclass(frozen=True)
class Check:
    """What a node of the lattice does to the table."""

    suppressed_rows: int
    suppressed: NDArray[np.int64]
    """Combinations (indices) whose class is smaller than k."""
    classes: int
    smallest: int
    """Rows of the smallest class kept; 0 if none is."""


class Problem:
    """m attributes over T distinct combinations: ``codes`` as m arrays with -1 for missing, ``counts`` (T,)."""

    def __init__(
        self, attributes: Sequence[Attribute], codes: Sequence[Codes], counts: NDArray[np.int64], k: int
    ) -> None:
        self.attributes = list(attributes)
        self.counts = np.ascontiguousarray(counts, dtype=np.int64)
        self.rows = int(self.counts.sum())
        self.k = k
        starts = np.cumsum([0, *(len(attribute.maps[0]) for attribute in self.attributes)])
        self.starts = starts.astype(np.int64)
        # Shifted so that all attributes' tables can stand one behind the other in one array.
        shifted = [column.astype(np.int64) + 1 + start for column, start in zip(codes, starts, strict=False)]
        self.cells = np.ascontiguousarray(np.column_stack(shifted), dtype=np.int32)
        """(T, m): where attribute i's entry for combination t stands in such an array."""

    def codes(self, attribute: int) -> NDArray[np.int64]:
        """Codes of one attribute: 0 for a missing value, v+1 for the v-th of its dictionary."""
        column: NDArray[np.int64] = self.cells[:, attribute] - self.starts[attribute]
        return column

    @property
    def lattice_size(self) -> int:
        """Number of solutions in all."""
        size = 1
        for attribute in self.attributes:
            size *= attribute.highest - attribute.lowest + 1
        return size

    def check(self, levels: Sequence[int]) -> Check:
        """Form the equivalence classes at ``levels`` and find those smaller than k."""
        chosen = list(zip(self.attributes, levels, strict=True))
        table = np.empty(int(self.starts[-1]), dtype=np.int64)
        product = 1
        for i, (attribute, level) in enumerate(chosen):
            if product * attribute.sizes[level] > _LIMIT:
                return self._check_wide(levels)
            table[self.starts[i] : self.starts[i + 1]] = attribute.maps[level] * product
            product *= attribute.sizes[level]
        dense = product <= max(_DENSE, 4 * len(self.counts))
        rows_of, sizes = class_of_rows(self.cells, table, self.counts, product if dense else 0)
        return self._judged(rows_of, sizes)

    def _check_wide(self, levels: Sequence[int]) -> Check:
        """The same where one 64-bit key cannot hold a combination: attribute by attribute."""
        key = np.zeros(len(self.counts), dtype=np.int64)
        for i, (attribute, level) in enumerate(zip(self.attributes, levels, strict=True)):
            key = key * attribute.sizes[level] + attribute.maps[level][self.codes(i)]
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        sizes = np.bincount(key, weights=self.counts).astype(np.int64)
        return self._judged(key, sizes)

    def _judged(self, class_of: NDArray[Any], sizes: NDArray[np.int64]) -> Check:
        kept = sizes[sizes >= self.k]
        suppressed = np.flatnonzero(sizes[class_of] < self.k)
        return Check(
            suppressed_rows=self.rows - int(kept.sum()),
            suppressed=suppressed,
            classes=len(kept),
            smallest=int(kept.min()) if len(kept) else 0,
        )
