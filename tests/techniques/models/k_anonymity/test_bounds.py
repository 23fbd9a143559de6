"""What a node costs, and what every node below it must: cell by cell, by the definitions."""

from __future__ import annotations

from itertools import pairwise, product
from math import exp

import numpy as np
import pytest
from numpy.typing import NDArray

from techniques.models.k_anonymity.grouping import by_class, kept_by_size, looked_up, nearest, taken
from techniques.models.k_anonymity.loss import Loss, Objective
from techniques.models.k_anonymity.problem import Attribute, Grouping, Problem
from techniques.models.k_anonymity.products import highest_open

KINDS = ["geometric", "arithmetic", "entropy", "precision"]


def attribute(
    values: int, widths: tuple[int, ...], lowest: int, highest: int, unfit: int | None
) -> Attribute:
    """Code v + 1 at each level is the interval of this width that v lies in; at the last all are one. A missing value is a leaf."""
    leaves = values + 1
    maps, sizes, shares = [], [], []
    for width in widths:
        number = -(-values // width)
        codes = np.append(number, np.arange(values) // width)
        maps.append(codes.astype(np.int64))
        sizes.append(number + 1)
        shares.append(np.bincount(codes, minlength=number + 1) / leaves)
    maps.append(np.zeros(leaves, np.int64))
    sizes.append(1)
    shares.append(np.ones(1))
    given_up = np.zeros(leaves, np.bool_)
    if unfit is not None:
        given_up[unfit] = True
    return Attribute(maps, sizes, shares, leaves, lowest, highest, True, given_up)


def drawn(seed: int) -> Problem:
    draw = np.random.default_rng(seed)
    attributes = [
        attribute(6, (1, 2), 0, 2, None),
        attribute(8, (1, 2, 4), seed % 2, 3, 3 if seed % 3 == 0 else None),
        attribute(2, (1,), 0, 1, None),
    ]
    columns = [draw.integers(-1, size, 40) for size in (6, 8, 2)]
    distinct, counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    codes = [np.ascontiguousarray(distinct[:, i]).astype(np.int32) for i in range(3)]
    return Problem(attributes, codes, counts.astype(np.int64), 3)


class Cells:
    """The loss of each cell at each level, said again from the definition of each kind."""

    def __init__(self, problem: Problem, kind: str) -> None:
        self.problem, self.kind = problem, kind
        self.weights = problem.counts
        self.codes = [problem.codes(i) for i in range(len(problem.attributes))]

    def share(self, i: int, code: int, level: int) -> float:
        one = self.problem.attributes[i]
        if one.unfit[code]:
            return 1.0
        if self.kind == "precision":
            return level / (len(one.maps) - 1)
        label = one.maps[level][code]
        if self.kind == "entropy":
            under = int(self.weights[one.maps[level][self.codes[i]] == label].sum())
            own = int(self.weights[self.codes[i] == code].sum())
            return float(np.log2(under / own) / max(np.log2(self.problem.rows), 1.0))
        return float((one.maps[level] == label).sum() / one.leaves)

    def sums(self, levels: tuple[int, ...], gone: NDArray[np.int64]) -> list[float]:
        """Per attribute, with so many rows of each combination suppressed."""
        return [
            sum(
                (count - lost) * self.share(i, int(code), level) + lost
                for code, count, lost in zip(self.codes[i], self.weights, gone, strict=True)
            )
            for i, level in enumerate(levels)
        ]

    def product(self, sums: list[float]) -> float:
        made = 1.0
        for one, total in zip(self.problem.attributes, sums, strict=True):
            mean, least = total / self.problem.rows, 1 / one.leaves
            value = (mean - least) / (1 - least) if self.kind in ("geometric", "arithmetic") else mean
            made *= 1 + value if self.kind == "geometric" else exp(value)
        return made


def nodes(problem: Problem) -> list[tuple[int, ...]]:
    return list(product(*(range(one.lowest, one.highest + 1) for one in problem.attributes)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_product_of_a_node(kind: str, seed: int) -> None:
    problem = drawn(seed)
    cells, loss = Cells(problem, kind), Loss(problem, Objective(kind))
    for levels in nodes(problem):
        found = problem.group(levels, loss.source)
        key = np.column_stack(
            [one.maps[at][c] for one, at, c in zip(problem.attributes, levels, cells.codes, strict=True)]
        )
        _, of = np.unique(key, axis=0, return_inverse=True)
        rows = np.bincount(of.reshape(-1), weights=problem.counts)[of.reshape(-1)]
        gone = np.where(rows < problem.k, problem.counts, 0)
        value, suppressed = loss.of(found)
        assert suppressed == gone.sum()
        assert value == pytest.approx(cells.product(cells.sums(levels, gone)), rel=1e-12)
        assert loss.of(found, int(gone.sum()))[0] == value
        if gone.sum():
            assert loss.of(found, int(gone.sum()) - 1)[0] == np.inf


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_suppressed_above_costs_as_much_below(kind: str, seed: int) -> None:
    """Of classes that go as a whole what each row loses; of those of which a part must go what its cheapest value does."""
    problem = drawn(seed)
    cells, loss = Cells(problem, kind), Loss(problem, Objective(kind))
    every = nodes(problem)
    draw = np.random.default_rng(seed)
    raised = 0
    for top in [every[at] for at in draw.permutation(len(every))[:6]]:
        found = problem.group(top, problem.base, keep=False)
        parts = seed % 2 == 1
        least = np.where(
            parts & found.kept, draw.integers(0, found.sizes), np.where(found.kept, 0, found.sizes)
        )
        found = found._replace(least=least)
        shape = [one.highest - one.lowest + 1 for one in problem.attributes]
        before = np.array([cells.product(cells.sums(at, np.zeros_like(problem.counts))) for at in every])
        bounds = before.copy()
        strides = np.array([shape[1] * shape[2], shape[2], 1])
        loss.raise_bounds(found, bounds, strides)
        lost = loss.lost(found)
        for place, levels in enumerate(every):
            below = all(a <= b for a, b in zip(levels, top, strict=True))
            wanted = (
                before[place]
                if not below
                else max(before[place], cells.product(raised_sums(cells, found, levels, top)))
            )
            assert bounds[place] == pytest.approx(wanted, rel=1e-12), (levels, top)
            if below:
                assert loss.bound(levels, lost) == pytest.approx(wanted, rel=1e-12)
            raised += below and wanted > before[place]
    assert raised


def raised_sums(cells: Cells, found: Grouping, levels: tuple[int, ...], top: tuple[int, ...]) -> list[float]:
    whole = found.least == found.sizes
    sums = cells.sums(levels, np.where(whole[found.class_of], cells.weights, 0))
    for here in np.flatnonzero(~whole & (found.least > 0)):
        member = int(np.flatnonzero(found.class_of == here)[0])
        for i, level in enumerate(levels):
            one = cells.problem.attributes[i]
            label = one.maps[top[i]][cells.codes[i][member]]
            alike = np.unique(cells.codes[i][one.maps[top[i]][cells.codes[i]] == label])
            sums[i] += found.least[here] * (1 - max(cells.share(i, int(code), level) for code in alike))
    return sums


def test_bounds_hold_from_classes_of_a_node_above_the_lowest() -> None:
    """What classes do not tell apart counts by the level from which they were formed: never above what is lost."""
    for seed in (1, 2, 4):
        problem = drawn(seed)
        cells, loss = Cells(problem, "geometric"), Loss(problem)
        floor, top = (1, 2, 1), (2, 2, 1)
        problem.group(floor, problem.base)
        found = problem.group(top)
        assert found.source.floor == floor
        found = found._replace(least=found.sizes.copy())
        lost = loss.lost(found)
        for levels in nodes(problem):
            if all(a <= b for a, b in zip(levels, top, strict=True)):
                for i, level in enumerate(levels):
                    at = max(level, floor[i])
                    each = [1 - cells.share(i, int(code), at) for code in cells.codes[i]]
                    assert lost[i, level] == pytest.approx(float(np.dot(each, problem.counts)))


def test_of_what_is_open_the_highest_first_and_of_those_the_cheapest() -> None:
    draw = np.random.default_rng(5)
    for _ in range(40):
        number = int(draw.integers(1, 30))
        bounds = np.where(draw.random(number) < 0.2, np.inf, draw.integers(0, 8, number) / 8)
        heights = draw.integers(0, 4, number).astype(np.float64)
        enough = float(draw.random())
        places, lowest = highest_open(bounds, heights, enough)
        still = [at for at in range(number) if bounds[at] < enough]
        most = max((heights[at] for at in still), default=0)
        assert places.tolist() == sorted(
            (at for at in still if heights[at] == most), key=lambda at: (bounds[at], at)
        )
        assert lowest == min((bounds[at] for at in still), default=np.inf)


def test_the_fewest_classes_known_below_a_node() -> None:
    draw = np.random.default_rng(6)
    for _ in range(60):
        number, columns = int(draw.integers(1, 9)), int(draw.integers(1, 4))
        floors = draw.integers(0, 3, (12, columns))
        floors[0] = 0
        lengths = draw.integers(1, 9, 12)
        lengths[0] = 9
        levels = draw.integers(0, 3, columns)
        below = [at for at in range(number) if (floors[at] <= levels).all()]
        fewest = min(lengths[at] for at in below)
        assert nearest(floors, lengths, number, levels) == min(at for at in below if lengths[at] == fewest)


def test_rows_by_class_and_what_tables_say_of_codes() -> None:
    draw = np.random.default_rng(7)
    for _ in range(20):
        classes = int(draw.integers(1, 8))
        class_of = draw.integers(0, classes, 25).astype(np.int32)
        order, start = by_class(class_of, classes)
        found = [order[a:b].tolist() for a, b in pairwise(start)]
        assert found == [np.flatnonzero(class_of == here).tolist() for here in range(classes)]
        table, codes = draw.integers(0, 99, 7), draw.integers(-1, 6, 12).astype(np.int32)
        assert looked_up(table, codes).tolist() == [table[code + 1] for code in codes]
        cells, first = draw.integers(0, 9, (3, 25)), draw.integers(0, 25, 6).astype(np.int32)
        assert taken(cells, first).tolist() == cells[:, first].tolist()
        sizes = draw.integers(1, 6, 9)
        kept, least, rows = kept_by_size(sizes, 3)
        assert kept.tolist() == [size >= 3 for size in sizes]
        assert least.tolist() == [0 if size >= 3 else size for size in sizes]
        assert rows == sizes[sizes < 3].sum()
