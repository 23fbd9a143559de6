"""Each step of a local recoding as it is described, in plain Python: splitting, putting in place, putting together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Table
from techniques.models.conditions.judging import DISTINCT
from techniques.models.conditions.values import Requirements
from techniques.models.local_recoding import merging
from techniques.models.local_recoding.costs import Units, class_costs, covering
from techniques.models.local_recoding.merging import merged, put_together
from techniques.models.local_recoding.placing import place_left
from techniques.models.local_recoding.shapes import SET, Costs, costs_of, free, of_hierarchy, whole_cost
from techniques.models.local_recoding.splitting import split
from tests.techniques.models.local_recoding.test_forming import requirements

TREE = [[f"v{leaf}", f"g{leaf // 2}", f"h{leaf // 4}", "*"] for leaf in range(7)]
VALUES = 4


@dataclass
class Plain:
    """Units, and what they cost and hold together, asked group by group."""

    costs: Costs
    units: Units
    whole: float
    asked: Requirements
    distinct: int

    def cost(self, members: Sequence[int], column: int | None = None) -> float:
        """Per row of a class of these units, in all columns or in one."""
        columns = slice(None) if column is None else slice(column, column + 1)
        costs = self.costs._replace(columns=self.costs.columns[columns])
        cells = np.ascontiguousarray(self.units.cells[list(members), columns])
        return float(
            class_costs(costs, covering(costs.columns, cells, np.zeros(len(members), np.int32), 1))[0]
        )

    def rows(self, members: Sequence[int]) -> int:
        return int(self.units.rows[list(members)].sum())

    def holds(self, members: Sequence[int]) -> bool:
        return (
            len({int(self.units.values[unit, 0]) for unit in members}) >= self.distinct
            if self.distinct
            else True
        )


def drawn(seed: int, units: int = 24, distinct: int = 0) -> Plain:
    draw = np.random.default_rng(seed)
    values = pa.array([row[0] for row in TREE])
    shapes = [
        of_hierarchy(build(Table(kind="table", rows=TREE), values), False, "q"),
        free(pa.array([str(n * n) for n in range(9)]), True),
        free(pa.array([*"pqrstu"]), False),
    ]
    weights = [1.0, 0.5, 2.0] if seed % 2 else [1.0] * 3
    # Numbers have a place for what is missing in front of their own, sets one behind.
    sizes = (7, 10, 6)
    cells = np.column_stack([draw.integers(0, size, units) for size in sizes]).astype(np.uint32)
    held = draw.integers(0, VALUES, (units, 1)).astype(np.int32)
    asked = requirements(*[(DISTINCT, float(distinct), 0, VALUES, False)] * bool(distinct), values=VALUES)
    return Plain(
        costs_of(shapes, weights, True),
        Units(cells, draw.integers(1, 4, units).astype(np.int64), held if distinct else held[:, :0]),
        whole_cost(shapes, weights, True),
        asked if distinct else asked._replace(shares=np.zeros(0), levels=np.zeros(0, np.int64)),
        distinct,
    )


def groups_of(class_of: NDArray[np.int32], classes: int) -> list[list[int]]:
    return [np.flatnonzero(class_of == here).tolist() for here in range(classes)]


def split_plainly(plain: Plain, class_of: NDArray[np.int32], classes: int, k: int) -> tuple[list[int], int]:
    """The class that came last first; the first cut of the first column that saves most."""
    found = class_of.tolist()
    waiting = list(enumerate(groups_of(class_of, classes)))
    while waiting:
        here, members = waiting.pop()
        rows = plain.rows(members) if members else 0
        if len(members) < 2 or rows < 2 * k or plain.cost(members) <= 1e-12:
            continue
        # A large class is not cut into a large one and a handful.
        least = k if len(members) <= 200 else max(k, rows // 8)
        best, parts = plain.cost(members) * rows - 1e-9, None
        for column, shape in enumerate(plain.costs.columns):
            if plain.cost(members, column) <= 0:
                continue
            places = {int(plain.units.cells[unit, column]) for unit in members}
            mass = {
                at: plain.rows([u for u in members if plain.units.cells[u, column] == at]) for at in places
            }
            order = sorted(places, key=lambda at: (-mass[at] if shape["kind"] == SET else 0, at))
            for cut in range(1, len(order)):
                first = [u for u in members if int(plain.units.cells[u, column]) in order[:cut]]
                other = [u for u in members if u not in first]
                if min(plain.rows(first), plain.rows(other)) < least:
                    continue
                both = plain.cost(first) * plain.rows(first) + plain.cost(other) * plain.rows(other)
                if both < best and plain.holds(first) and plain.holds(other):
                    best, parts = both, (first, other)
        if parts is not None:
            for unit in parts[1]:
                found[unit] = classes
            waiting += [(here, parts[0]), (classes, parts[1])]
            classes += 1
    return found, classes


@pytest.mark.parametrize("distinct", [0, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_a_class_is_split_where_it_saves_most(seed: int, distinct: int) -> None:
    plain = drawn(seed, 30, distinct)
    draw = np.random.default_rng(seed + 100)
    start = draw.integers(-1, 2, 30).astype(np.int32) if seed % 2 else np.zeros(30, np.int32)
    classes, k = int(start.max()) + 1, 2 + seed % 3
    wanted = split_plainly(plain, start, classes, k)
    class_of = start.copy()
    found = split(plain.costs, plain.units, plain.asked, class_of, classes, k)
    assert (class_of.tolist(), int(found)) == wanted
    assert found > classes


@pytest.mark.parametrize("number", [200, 201, 260])
def test_a_large_class_is_cut_into_parts_of_some_size(number: int) -> None:
    """One behind another class: five rows lie far from the others, which are alike but for a little."""
    shapes = [free(pa.array([str(value) for value in (*range(10), 1000)]), False)]
    cells = np.append(np.arange(number) % 10, np.full(5, 10)).astype(np.uint32)[:number, None] + 1
    cells[-5:] = 11
    start = np.zeros(number + 30, np.int32)
    start[30:] = 1
    units = Units(
        np.concatenate([np.ones((30, 1), np.uint32), cells]),
        np.ones(number + 30, np.int64),
        np.zeros((number + 30, 0), np.int32),
    )
    plain = Plain(costs_of(shapes, [1.0], True), units, 1.0, drawn(0).asked, 0)
    class_of = start.copy()
    found = split(plain.costs, units, plain.asked, class_of, 2, 5)
    assert (class_of.tolist(), int(found)) == split_plainly(plain, start, 2, 5)
    alone = (np.flatnonzero(class_of == class_of[-1]) >= number + 25).all()
    # A cut by an eighth takes others along; what is left is small enough to be cut anywhere.
    assert alone
    assert (class_of[:30] == 0).all()


@pytest.mark.parametrize("seed", range(3))
def test_a_column_of_many_places_is_cut_in_their_order(seed: int) -> None:
    draw = np.random.default_rng(seed)
    shapes = [
        free(pa.array([str(n * n) for n in range(40)]), False),
        free(pa.array([*"abcdefghijklmnopqrst"]), False),
    ]
    cells = np.column_stack([draw.permutation(40) + 1, draw.integers(0, 20, 40)]).astype(np.uint32)
    units = Units(cells, draw.integers(1, 4, 40).astype(np.int64), np.zeros((40, 0), np.int32))
    plain = Plain(costs_of(shapes, [1.0, 0.6], True), units, 1.6, drawn(seed).asked, 0)
    class_of = np.zeros(40, np.int32)
    found = split(plain.costs, units, plain.asked, class_of, 1, 3)
    assert (class_of.tolist(), int(found)) == split_plainly(plain, np.zeros(40, np.int32), 1, 3)


def placed_plainly(
    plain: Plain, class_of: NDArray[np.int32], classes: int, price: float, bearable: int
) -> tuple[list[int], int]:
    """Where it costs less than suppressing it, then what it takes to leave no more than can be borne."""
    groups = groups_of(class_of, classes)
    left = np.flatnonzero(class_of < 0).tolist()
    over = plain.rows(left) if left else 0
    for attempt in range(2):
        for unit in list(left):
            own = plain.rows([unit])
            worth = plain.whole * own * (price if attempt else 1.0)
            best, target = np.inf if attempt and over > bearable else worth, -1
            for here, members in enumerate(groups):
                if not members:
                    continue
                rows, before = plain.rows(members), plain.cost(members)
                joined = plain.cost([*members, unit])
                if joined < (best + before * rows) / (rows + own) and plain.holds([*members, unit]):
                    best, target = joined * (rows + own) - before * rows, here
            if target >= 0:
                groups[target].append(unit)
                left.remove(unit)
                over -= own
    found = [-1] * len(class_of)
    for here, members in enumerate(groups):
        for unit in members:
            found[unit] = here
    return found, over


@pytest.mark.parametrize("distinct", [0, 3])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("price", "bearable"), [(1.0, 0), (4.0, 100), (0.3, 6), (1.0, 100)])
def test_what_is_left_goes_where_it_costs_least(
    seed: int, distinct: int, price: float, bearable: int
) -> None:
    plain = drawn(seed, 24, distinct)
    start = np.random.default_rng(seed + 200).integers(-2, 4, 24).clip(-1).astype(np.int32)
    class_of = start.copy()
    over = place_left(
        plain.costs, plain.units, plain.asked, class_of, 5, plain.whole, price, bearable
    )  # of five classes the last is empty
    assert (class_of.tolist(), int(over)) == placed_plainly(plain, start, 5, price, bearable)


def rise_of(plain: Plain, one: list[int], other: list[int]) -> float:
    return plain.cost(one + other) * plain.rows(one + other) - sum(
        plain.cost(part) * plain.rows(part) for part in (one, other)
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_class_is_put_together_with_the_one_that_costs_least(seed: int) -> None:
    plain = drawn(seed)
    class_of = np.random.default_rng(seed + 300).integers(-1, 9, 24).astype(np.int32)
    _used, number = np.unique(class_of[class_of >= 0], return_inverse=True)
    class_of[class_of >= 0] = number
    classes = int(class_of.max()) + 1
    groups = groups_of(class_of, classes)
    wanted = np.random.default_rng(seed + 400).random(classes) < 0.4
    wanted[0] = True
    partner, rise = put_together(plain.costs, plain.units, class_of, classes, wanted)
    for here in range(classes):
        others = [there for there in range(classes) if there != here and (wanted[here] or wanted[there])]
        least = min(rise_of(plain, groups[here], groups[there]) for there in others)
        assert rise[here] == pytest.approx(least)
        assert partner[here] in others
        assert rise_of(plain, groups[here], groups[int(partner[here])]) == pytest.approx(least)
    nobody = put_together(plain.costs, plain.units, class_of, classes, np.zeros(classes, np.bool_))
    assert (set(nobody[0].tolist()), np.isinf(nobody[1]).all()) == ({-1}, True)


@pytest.mark.parametrize("window", [1, 2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_of_many_classes_neighbours_in_every_order_are_looked_at(
    seed: int, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what a class covers first in one column after the other: of nine classes where eight are too many for every pair."""
    plain = drawn(seed)
    plain.costs = plain.costs._replace(columns=plain.costs.columns[:2])
    plain.units = plain.units._replace(cells=np.ascontiguousarray(plain.units.cells[:, :2]))
    class_of = np.append(np.arange(9), np.random.default_rng(seed).integers(0, 9, 15)).astype(np.int32)
    groups, wanted = groups_of(class_of, 9), np.ones(9, np.bool_)
    monkeypatch.setattr(merging, "_WINDOW", window)
    monkeypatch.setattr(merging, "_EVERY_PAIR", 9)
    partner, rise = put_together(plain.costs, plain.units, class_of, 9, wanted)
    every = [
        min(rise_of(plain, groups[here], groups[there]) for there in range(9) if there != here)
        for here in range(9)
    ]
    assert rise == pytest.approx(every)
    monkeypatch.setattr(merging, "_EVERY_PAIR", 8)
    partner, rise = put_together(plain.costs, plain.units, class_of, 9, wanted)
    first = covering(plain.costs.columns, plain.units.cells, class_of, 9).first
    near: list[set[int]] = [set() for _ in range(9)]
    for column in range(2):
        order = sorted(range(9), key=lambda here: (*np.roll(first[here], -column).tolist(), here))
        for place, here in enumerate(order):
            near[here].update(order[max(place - window, 0) : place], order[place + 1 : place + 1 + window])
    for here in range(9):
        least = min(rise_of(plain, groups[here], groups[there]) for there in near[here])
        assert rise[here] == pytest.approx(least)
        assert int(partner[here]) in near[here]
    assert rise != pytest.approx(every)


@pytest.mark.parametrize("window", [400, 0])
@pytest.mark.parametrize("most", [9, 5, 2, 1, 0])
@pytest.mark.parametrize("seed", range(4))
def test_classes_are_put_together_until_they_are_few_enough(
    seed: int, most: int, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in eight at a time, the cheapest pairs first; with more classes than every pair is looked at of, neighbours alone."""
    monkeypatch.setattr(merging, "_EVERY_PAIR", window)
    plain = drawn(seed)
    class_of = np.append(np.arange(9), np.random.default_rng(seed).integers(-1, 9, 15)).astype(np.int32)
    found, classes = merged(plain.costs, plain.units, class_of, 9, most)
    assert classes == max(most, 1)
    assert sorted({*found.tolist()} - {-1}) == list(range(classes))
    assert ((found < 0) == (class_of < 0)).all()
    assert all(len({*found[class_of == here].tolist()}) == 1 for here in range(9)), "no class is torn apart"
    if window == 0:
        return
    groups = groups_of(class_of, 9)
    while len(groups) > max(most, 1):
        pairs = [(a, b) for a in range(len(groups)) for b in range(a + 1, len(groups))]
        one, other = min(pairs, key=lambda pair: rise_of(plain, groups[pair[0]], groups[pair[1]]))
        groups[one] += groups.pop(other)
    # Of sixteen classes at most two would go together at once; of nine one does.
    assert {frozenset(one) for one in groups} == {frozenset(one) for one in groups_of(found, classes)}


def test_columns_that_may_not_go_that_far_keep_their_classes() -> None:
    values = pa.array([row[0] for row in TREE])
    shape = of_hierarchy(build(Table(kind="table", rows=TREE), values), False, "q", highest=1)
    costs = costs_of([shape], [1.0], True)
    cells = np.arange(7, dtype=np.uint32)[:, None]
    units = Units(cells, np.ones(7, np.int64), np.zeros((7, 0), np.int32))
    found, classes = merged(costs, units, np.arange(7, dtype=np.int32), 7, 1)
    # Two of a group go together; beyond the groups nothing is allowed.
    assert (classes, found.tolist()) == (4, [0, 0, 1, 1, 2, 2, 3])
