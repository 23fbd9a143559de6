"""What a solution costs: the loss that the search minimises, and granularity.

Share of a cell = leaves under its value / leaves of the hierarchy; the cells of a suppressed row count 1.
Per attribute v = (mean share - 1/N) / (1 - 1/N); loss = (product of (v+1))^(1/m) - 1, between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from techniques.models.k_anonymity.kernels import weighted_sums
from techniques.models.k_anonymity.problem import Problem


class Loss:
    """Loss of solutions of one problem, and the bound that holds before suppression is known."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.totals: list[list[float]] = []
        self._lost: list[list[NDArray[np.float64]]] = []
        for i, attribute in enumerate(problem.attributes):
            rows = np.bincount(problem.codes(i), weights=problem.counts, minlength=len(attribute.maps[0]))
            shares = [share[codes] for codes, share in zip(attribute.maps, attribute.shares, strict=True)]
            self.totals.append([float(rows @ share) for share in shares])
            self._lost.append([1 - share for share in shares])

    def bound(self, levels: Sequence[int]) -> float:
        """Loss at ``levels`` if no row had to be suppressed: never above the true loss, and monotone."""
        return self._combine([self.totals[i][level] for i, level in enumerate(levels)])

    def of(self, levels: Sequence[int], suppressed: NDArray[np.int64]) -> float:
        """Loss at ``levels`` with the given combinations suppressed."""
        return self._combine(self._sums(levels, suppressed))

    def granularity(self, levels: Sequence[int], suppressed: NDArray[np.int64]) -> float:
        """1 where nothing is lost, 0 where everything is."""
        least = sum(1 / attribute.leaves for attribute in self.problem.attributes)
        widest = len(self.problem.attributes) - least
        mean = sum(self._sums(levels, suppressed)) / self.problem.rows
        return 1 - (mean - least) / widest if widest > 0 else 1.0

    def _sums(self, levels: Sequence[int], suppressed: NDArray[np.int64]) -> list[float]:
        """Sum of the shares of each attribute's cells."""
        kept = [self.totals[i][level] for i, level in enumerate(levels)]
        if len(suppressed) == 0:
            return kept
        problem = self.problem
        lost = np.concatenate([self._lost[i][level] for i, level in enumerate(levels)])
        more = weighted_sums(problem.cells, lost, problem.counts, suppressed)
        return [total + float(extra) for total, extra in zip(kept, more, strict=True)]

    def _combine(self, sums: Sequence[float]) -> float:
        product = 1.0
        for attribute, total in zip(self.problem.attributes, sums, strict=True):
            if attribute.leaves > 1:
                least = 1 / attribute.leaves
                product *= 1 + (total / self.problem.rows - least) / (1 - least)
        return float(product ** (1 / len(sums)) - 1)
