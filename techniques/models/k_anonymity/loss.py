"""The cost of a solution: the loss that the search minimises, and granularity.

Share of a cell = leaves under its value / leaves of the hierarchy; the cells of a suppressed row count 1.
A value that its hierarchy does not cover, and that is given up for that, counts 1 as well.
Per attribute v = (mean share - 1/N) / (1 - 1/N); loss = (product of (v+1))^(1/m) - 1, between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from techniques.models.k_anonymity import products
from techniques.models.k_anonymity.problem import Attribute, Grouping, Problem

KINDS = ("geometric", "arithmetic", "precision", "entropy", "discernibility", "class_size")
"""What a search may minimise; the last two look at classes, the others at cells."""


@dataclass(frozen=True)
class Objective:
    """The loss that the search minimises, between 0 and 1, and the importance of each attribute (all alike by default).

    ``geometric`` and ``arithmetic`` mean of the attributes' losses by shares of leaves; ``precision``: levels climbed /
    levels there are; ``entropy``: bits that tell a value from those under its label, of log2 of the rows (non-uniform
    entropy); ``discernibility``: sum over records of the records they look like, a suppressed one like all, of the most
    there can be; ``class_size``: rows per class, of the rows. A suppressed cell loses 1.
    """

    kind: str = "geometric"
    weights: tuple[float, ...] = ()

    def importance(self, attributes: int) -> NDArray[np.float64]:
        """Weights with the mean 1."""
        weights = np.array(self.weights or (1.0,) * attributes, dtype=np.float64)
        weights *= attributes / weights.sum()
        return weights


class Loss:
    """Loss of the solutions of one problem, and the bounds that hold before suppression is known.

    The search compares products (of v+1 over the attributes, or of exp v), which order solutions as their losses do.
    """

    def __init__(self, problem: Problem, objective: Objective | None = None) -> None:
        self.problem = problem
        self.objective = objective or Objective()
        self._additive = self.objective.kind != "geometric"
        attributes = problem.attributes
        self._weights = self.objective.importance(len(attributes))
        widest = max(attribute.highest for attribute in attributes) + 1
        self.totals = np.zeros((len(attributes), widest))
        """Per attribute and level the sum of the shares of its cells."""
        cell_rows, bundle_rows = products.cell_sums(
            problem.base.bundles, problem.counts, problem.packing, problem.starts[-1]
        )
        every = cell_rows.astype(np.float64)
        unfit = np.concatenate([attribute.unfit for attribute in attributes])
        losses = self._losses(every)
        products.overrule(losses, problem.codes_at.start, cell_rows, unfit)
        end = 0
        for i, attribute in enumerate(attributes):
            rows = every[problem.starts[i] : problem.starts[i + 1]]
            begin, end = end, end + len(rows) * len(attribute.maps)
            table = losses[begin:end].reshape(len(rows), -1)
            self.totals[i, : table.shape[1]] = (rows @ table)[:widest]
        by_leaf = self.objective.kind == "entropy" or bool(unfit.any())
        self.source = problem.base if by_leaf else None
        """What a node has to be formed from to be measured: where what a cell loses depends on its leaf, classes of
        several leaves do not tell; None where any source does."""
        self._leaves = np.array([attribute.leaves for attribute in attributes])
        by_leaves = self.objective.kind in ("geometric", "arithmetic")
        self._smallest = 1.0 / self._leaves if by_leaves else np.zeros(len(attributes))
        measure = products.Measure(
            problem.codes_at._replace(values=losses), problem.codes_at.values, by_leaf,
            problem.packing, self.totals, self._smallest, self._weights, self._additive, problem.rows,
            bundle_rows,
        )  # fmt: skip
        self.measure = measure.parts()
        """What kernels take last."""
        self._lowest = np.array([attribute.lowest for attribute in attributes])
        self._from = self.totals
        """Per attribute and level the least of ``totals`` from there upwards."""
        if not problem.nested:
            self._from = self.totals.copy()
            for row, attribute in zip(self._from, attributes, strict=True):
                used = row[attribute.highest :: -1]
                used[:] = np.minimum.accumulate(used)

    def _losses(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Loss of each cell at each level, cell by cell, of cells with so many ``rows``."""
        problem = self.problem
        if self.objective.kind in ("precision", "entropy"):
            parts = np.split(rows, problem.starts[1:-1])
            return np.concatenate(
                [self._table(*one).ravel() for one in zip(problem.attributes, parts, strict=True)]
            )
        shares = [share for attribute in problem.attributes for share in attribute.shares]
        levels = np.array([len(attribute.shares) for attribute in problem.attributes])
        ends = np.cumsum([len(share) for share in shares])
        made: NDArray[np.float64] = products.cell_shares(
            *problem.codes_at, np.concatenate(shares), np.append(0, ends), levels
        )
        return made

    def _table(self, attribute: Attribute, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Loss of each code (first axis) at each level by levels climbed or bits, growing with the levels where these are nested."""
        top = len(attribute.maps) - 1
        if self.objective.kind == "precision":
            return np.tile(np.arange(top + 1) / max(top, 1), (len(rows), 1))
        bits = max(np.log2(self.problem.rows), 1.0)
        under = [np.bincount(codes, weights=rows)[codes] for codes in attribute.maps]
        return np.column_stack([np.log2(np.maximum(u, 1) / np.maximum(rows, 1)) / bits for u in under])

    @cached_property
    def factors(self) -> NDArray[np.float64]:
        """The factors (m, levels) of each attribute's allowed levels, from the lowest on, if no row had to be suppressed.

        The product of one per attribute is a lower bound of that node's product, and grows with each level of nested
        ones.
        """
        made: NDArray[np.float64] = products.level_factors(
            self.totals, self._lowest, np.array([attribute.highest for attribute in self.problem.attributes]),
            self.problem.rows, self._smallest, self._weights, self._additive,
        )  # fmt: skip
        return made

    def of(self, found: Grouping, most: int | None = None) -> tuple[float, int]:
        """Product at a node, its suppressed rows counted, and their number; infinite above ``most`` of them."""
        most = self.problem.rows if most is None else most
        product, gone = products.product_of(*_node(found), found.kept, found.at, most, *self.measure)
        return product, gone

    def granularity(self, found: Grouping) -> float:
        """1 where nothing is lost, 0 where everything is."""
        least = float((1 / self._leaves).sum())
        widest = len(self._leaves) - least
        mean = float(self._sums(found)[1].sum()) / self.problem.rows
        return 1 - (mean - least) / widest if widest > 0 else 1.0

    def as_loss(self, product: float) -> float:
        mean = product ** (1 / len(self._leaves))
        return float(np.log(mean) if self._additive else mean - 1)

    def raise_bounds(self, found: Grouping, bounds: NDArray[np.float64], strides: NDArray[np.int64]) -> None:
        """Raise the bounds of the node and all nodes below it by the rows that they must suppress too.

        ``bounds`` holds a product per node of the lattice; level l of attribute i, counted from its lowest,
        stands ``strides[i]`` apart.
        """
        products.raise_bounds(*_node(found), found.least, *self._below(found), bounds, strides, *self.measure)

    def weighed(
        self,
        found: Grouping,
        bounds: NDArray[np.float64],
        strides: NDArray[np.int64],
        place: int,
        most: int,
        enough: float,
        wanted: float,
    ) -> tuple[float, int]:
        """:meth:`of` the node at this ``place`` of the ``bounds``, infinite if the rows that it must suppress bring it above
        ``wanted``; :meth:`raise_bounds` if they bring it to ``enough``, and that is finite."""
        product, gone = products.weighed(
            *_node(found), found.least, *self._below(found), bounds, strides, found.kept, place, most, enough, wanted,
            *self.measure,
        )  # fmt: skip
        return product, gone

    def lost(self, found: Grouping) -> NDArray[np.float64]:
        """Per attribute and level what the nodes below this one lose at the least by the rows that they must suppress
        too: the sum of 1 - share over their cells."""
        sums: NDArray[np.float64] = products.lost_by_level(
            *_node(found), found.least, *self._below(found), *self.measure
        )
        return sums

    def bound(self, levels: Sequence[int], lost: NDArray[np.float64]) -> float:
        """What no node from ``levels`` on upwards falls below as a product, with :meth:`lost` of one above them all."""
        product = 1.0
        for i, level in enumerate(levels):
            product *= self._factor(i, self._from[i, level] + lost[i, level])
        return product

    def _factor(self, attribute: int, total: float) -> float:
        smallest, weight = self._smallest[attribute], self._weights[attribute]
        made: float = products.factor(float(total), self.problem.rows, smallest, weight, self._additive)
        return made

    def _below(self, found: Grouping) -> products.Box:
        """A node and all below it."""
        return products.Box(self._lowest, found.at, found.source.at)

    def _sums(self, found: Grouping) -> tuple[int, NDArray[np.float64]]:
        """Suppressed rows, and the sum of the shares of each attribute's cells."""
        rows, more = products.gone_sums(*_node(found), found.kept, found.at, self.problem.rows, *self.measure)
        return int(rows), self.totals[np.arange(len(found.at)), found.at] + more


def _node(found: Grouping) -> products.Node:
    source = found.source
    return products.Node(source.bundles, source.counts, found.class_of, found.first, found.sizes)
