"""What a solution costs: the loss that the search minimises, and granularity.

Share of a cell = leaves under its value / leaves of the hierarchy; the cells of a suppressed row count 1.
Per attribute v = (mean share - 1/N) / (1 - 1/N); loss = (product of (v+1))^(1/m) - 1, between 0 and 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.models.k_anonymity.kernels import gone_sums, raise_bounds
from techniques.models.k_anonymity.problem import Grouping, Problem


class Loss:
    """Loss of the solutions of one problem, and the bounds that hold before suppression is known.

    The search compares products (of v+1 over the attributes), which order solutions as their losses do.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        attributes = problem.attributes
        shares = []
        widest = max(attribute.highest for attribute in attributes) + 1
        self.totals = np.zeros((len(attributes), widest))
        """Per attribute and level the sum of the shares of its cells."""
        for i, attribute in enumerate(attributes):
            rows = np.bincount(problem.codes(i), weights=problem.counts, minlength=len(attribute.maps[0]))
            table = np.column_stack([s[c] for c, s in zip(attribute.maps, attribute.shares, strict=True)])
            used = min(widest, table.shape[1])
            self.totals[i, :used] = (rows @ table)[:used]
            shares.append(table.ravel())
        self._ladder = np.concatenate(shares)
        self._leaves = np.array([attribute.leaves for attribute in attributes])
        self._lowest = np.array([attribute.lowest for attribute in attributes])

    def factors(self) -> list[NDArray[np.float64]]:
        """Per attribute the factors of its allowed levels if no row had to be suppressed.

        The product of one per attribute is a lower bound of that node's product, and grows with each level.
        """
        return [
            np.array([self._factor(i, self.totals[i, level]) for level in range(a.lowest, a.highest + 1)])
            for i, a in enumerate(self.problem.attributes)
        ]

    def of(self, found: Grouping, most: int | None = None) -> tuple[float, int]:
        """Product at a node, its suppressed rows counted, and their number; infinite above ``most`` of them."""
        if most is not None:
            gone = self.problem.rows - int(found.sizes[found.kept].sum())
            if gone > most:
                return np.inf, gone
        rows, sums = self._sums(found)
        product = 1.0
        for i, total in enumerate(sums):
            product *= self._factor(i, total)
        return product, rows

    def granularity(self, found: Grouping) -> float:
        """1 where nothing is lost, 0 where everything is."""
        least = float((1 / self._leaves).sum())
        widest = len(self._leaves) - least
        mean = float(self._sums(found)[1].sum()) / self.problem.rows
        return 1 - (mean - least) / widest if widest > 0 else 1.0

    def as_loss(self, product: float) -> float:
        """The loss for a product."""
        return float(product ** (1 / len(self._leaves)) - 1)

    def raise_bounds(self, found: Grouping, bounds: NDArray[np.float64], strides: NDArray[np.int64]) -> None:
        """Raise the bounds of the node and all nodes below it by the rows that they must suppress too.

        ``bounds`` holds a product per node of the lattice; level l of attribute i, counted from its lowest,
        stands ``strides[i]`` apart.
        """
        source = found.source
        raise_bounds(
            source.cells, source.counts, found.class_of, found.first, found.sizes, found.least, self._ladder,
            self.problem.ladder_start, self._lowest, np.array(found.levels), np.array(source.floor),
            self.totals, self._leaves, self.problem.rows, bounds, strides,
        )  # fmt: skip

    def _factor(self, attribute: int, total: float) -> float:
        leaves = self.problem.attributes[attribute].leaves
        if leaves < 2:
            return 1.0
        return 1 + (float(total) / self.problem.rows - 1 / leaves) / (1 - 1 / leaves)

    def _sums(self, found: Grouping) -> tuple[int, NDArray[np.float64]]:
        """Suppressed rows, and the sum of the shares of each attribute's cells."""
        levels = np.array(found.levels)
        rows, more = gone_sums(
            found.source.cells, found.first, found.sizes, found.kept, self._ladder,
            self.problem.ladder_start, levels,
        )  # fmt: skip
        return int(rows), self.totals[np.arange(len(levels)), levels] + more
