"""Units that move between classes, as it is described, in plain Python; and the orders in which they look around."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from techniques.models.local_recoding.costs import class_costs, covering
from techniques.models.local_recoding.moving import improve, orders
from tests.techniques.models.local_recoding.test_steps import Plain, drawn, groups_of

SWEEPS, WINDOW, SMALL, LARGE, LEAST = 3, 2, 12, 64, 1e-9


class Moves:
    """Units one after the other, three times: alone where its class can do without it, else all of a small class."""

    def __init__(
        self, plain: Plain, class_of: NDArray[np.int32], classes: int, k: int, whole: float, spare: int
    ) -> None:
        self.plain, self.k, self.whole, self.spare = plain, k, whole, spare
        self.of = class_of.tolist()
        # Who came last leaves first.
        self.groups = [members[::-1] for members in groups_of(class_of, classes)]
        self.order = orders(plain.units.cells, plain.costs.columns["size"]).tolist()

    def run(self) -> list[int]:
        total = len(self.of)
        for sweep in range(SWEEPS):
            price = self.whole * 2 ** (SWEEPS - 1 - sweep)
            moved = sum(self.moves(unit, price) for unit in range(total))
            if moved * 200 < total and (self.spare == 0 or price == self.whole):
                break
        return self.of

    def cost(self, members: list[int]) -> float:
        return self.plain.cost(members) if members else 0.0

    def lost(self, members: list[int]) -> float:
        return self.cost(members) * self.plain.rows(members) if members else 0.0

    def moves(self, unit: int, price: float) -> bool:
        here = self.of[unit]
        if here < 0 or self.cost(self.groups[here]) <= LEAST:
            return False
        members = self.groups[here]
        rest = [other for other in members if other != unit]
        if rest and self.plain.rows(rest) >= self.k and self.plain.holds(rest):
            leaving, gain = [unit], self.lost(members) - self.lost(rest)
        elif len(members) <= SMALL:
            leaving, gain = list(members), self.lost(members)
        else:
            return False
        if gain <= LEAST:
            return False
        aims, left, spare = [], gain - LEAST, self.spare
        for one in leaving:
            rows = self.plain.rows([one])
            target, spent = self.best(one, left, aims)
            if rows <= spare and price * rows < spent:
                target, spent = None, self.whole * rows
                spare -= rows
            left -= spent
            if target == -1 or left <= 0:
                return False
            aims.append(target)
        for one, target in zip(leaving, aims, strict=True):
            self.groups[here].remove(one)
            self.of[one] = -1
            if target is not None:
                self.groups[target].insert(0, one)
                self.of[one] = target
        self.spare = spare
        return True

    def best(self, unit: int, left: float, taken: list[int | None]) -> tuple[int | None, float]:
        """The class of a neighbour that grows dearest by least, none that is ``taken``; -1 where that is not less than what is left."""
        own, target, seen = self.plain.rows([unit]), -1, {self.of[unit], -1, *taken}
        for order in self.order:
            at = order.index(unit)
            for near in order[max(at - WINDOW, 0) : at + WINDOW + 1]:
                there = self.of[near]
                if there in seen:
                    continue
                seen.add(there)
                members = self.groups[there]
                rows, before = self.plain.rows(members), self.cost(members)
                joined = self.cost([*members, unit])
                if joined < (left + before * rows) / (rows + own) and self.plain.holds([*members, unit]):
                    target, left = there, joined * (rows + own) - before * rows
        return target, left


@pytest.mark.parametrize("distinct", [0, 2, 3])
@pytest.mark.parametrize("spare", [0, 3, 9])
@pytest.mark.parametrize("seed", range(6))
def test_units_move_where_the_table_loses_less(seed: int, spare: int, distinct: int) -> None:
    plain = drawn(seed, 30, distinct)
    draw = np.random.default_rng(seed + 500)
    start, k = draw.integers(-1, 7, 30).astype(np.int32), 2 + seed % 4
    # What a class is, it is: of few rows, or of few values; nobody makes it worse.
    class_of = start.copy()
    order = orders(plain.units.cells, plain.costs.columns["size"])
    improve(plain.costs, plain.units, plain.asked, class_of, 8, order, k, plain.whole, spare)
    assert class_of.tolist() == Moves(plain, start, 8, k, plain.whole, spare).run()
    assert (class_of != start).any()
    assert all(class_of[unit] == -1 for unit in np.flatnonzero(start < 0))
    gone = plain.units.rows[(class_of < 0) & (start >= 0)].sum()
    assert gone <= spare


@pytest.mark.parametrize(("seed", "classes", "spare"), [(15, 8, 9), (22, 8, 9), (36, 12, 9), (17, 8, 40)])
def test_classes_of_up_to_twelve_units_are_dissolved_however_these_came_in(
    seed: int, classes: int, spare: int
) -> None:
    """Where classes have sixteen rows at least, units that have moved are among the twelve."""
    plain = drawn(seed, 60)
    start = np.random.default_rng(seed + 500).integers(-1, classes, 60).astype(np.int32)
    class_of = start.copy()
    order = orders(plain.units.cells, plain.costs.columns["size"])
    improve(plain.costs, plain.units, plain.asked, class_of, classes, order, 16, plain.whole, spare)
    assert class_of.tolist() == Moves(plain, start, classes, 16, plain.whole, spare).run()


def test_a_large_class_gives_units_away_and_is_none_the_cheaper_for_it() -> None:
    """Of more than sixty-four units nobody asks what they would cover without one: what they cover stays, and so does its price."""
    plain = drawn(3, 100)
    start = np.zeros(100, np.int32)
    start[:8], start[8:16] = 1, 2
    class_of = start.copy()
    order = orders(plain.units.cells, plain.costs.columns["size"])
    improve(plain.costs, plain.units, plain.asked, class_of, 3, order, 3, plain.whole, 0)
    before, after = (
        class_costs(plain.costs, covering(plain.costs.columns, plain.units.cells, of, 3))
        @ np.bincount(of, plain.units.rows, 3)
        for of in (start, class_of)
    )
    assert after < before
    assert (class_of[:16] > 0).any()
    assert np.bincount(class_of, plain.units.rows, 3).min() >= 3


@pytest.mark.parametrize("columns", [1, 2, 4])
def test_each_column_decides_first_in_an_order_of_its_own(columns: int) -> None:
    """Those behind it come next, round about; units that agree keep their order."""
    draw = np.random.default_rng(columns)
    sizes = np.array([5, 3, 4, 2][:columns])
    cells = draw.integers(0, sizes, (40, columns)).astype(np.uint32)
    found = orders(cells, sizes)
    assert found.shape == (columns, 40)
    for start, order in enumerate(found.tolist()):
        assert order == sorted(range(40), key=lambda unit: (*np.roll(cells[unit], -start).tolist(), unit))
