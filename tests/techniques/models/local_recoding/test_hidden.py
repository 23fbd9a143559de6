"""Suppressed rows that stay and classes that are ``*`` throughout, in plain Python: one class that holds, or none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from techniques.core.subjects import Persons
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Table
from techniques.models.conditions.judging import DISTINCT
from techniques.models.local_recoding.costs import Units
from techniques.models.local_recoding.forming import Task
from techniques.models.local_recoding.hidden import settled
from techniques.models.local_recoding.persons import Demand
from techniques.models.local_recoding.shapes import of_hierarchy
from tests.techniques.models.local_recoding.test_forming import requirements
from tests.techniques.models.local_recoding.test_steps import TREE, VALUES

UNITS, CLASSES = 16, 6
Groups = list[list[int]]


@dataclass
class Plain:
    """Units with rows, a value and persons, asked by sets."""

    units: Units
    persons: list[set[int]] | None
    k: int
    distinct: int
    limit: float
    average: float | None

    def rows(self, members: Sequence[int]) -> int:
        return int(self.units.rows[list(members)].sum())

    def size(self, members: Sequence[int]) -> int:
        return self.rows(members) if self.persons is None else len(self.who(members))

    def who(self, members: Sequence[int]) -> set[int]:
        assert self.persons is not None
        return set().union(*(self.persons[unit] for unit in members))

    def shows_nothing(self, members: Sequence[int]) -> bool:
        """The first four values of a column are one half of its tree, the other three are the other."""
        return all(
            len({cell // 4 for cell in self.units.cells[list(members), i].tolist()}) == 2 for i in (0, 1)
        )

    def holds(self, members: Sequence[int]) -> bool:
        values = {int(self.units.values[unit, 0]) for unit in members}
        return self.size(members) >= self.k and len(values) >= self.distinct

    def average_of(self, groups: Groups) -> float:
        """Classes / rows; of persons the mean of 1 / the smallest class of each."""
        if self.persons is None:
            rows = sum(map(self.rows, groups))
            return len(groups) / rows if rows else 0.0
        left = set().union(*map(self.who, groups))
        smallest = [min(self.size(one) for one in groups if who in self.who(one)) for who in left]
        return sum(1 / size for size in smallest) / len(smallest) if smallest else 0.0

    def keeps_average(self, groups: Groups) -> bool:
        return self.average is None or self.average_of(groups) <= self.average + 1e-9

    def may_go(self, members: Sequence[int]) -> bool:
        if self.rows(members) > self.limit * self.rows(range(UNITS)) + 1e-9:
            return False
        if self.persons is None:
            return True
        everybody = self.who(range(UNITS))
        without = everybody - self.who([unit for unit in range(UNITS) if unit not in members])
        return len(without) <= self.limit * len(everybody) + 1e-9

    def settled(self, class_of: NDArray[np.int32]) -> Groups | None:
        gone = np.flatnonzero(class_of < 0).tolist()
        groups = [np.flatnonzero(class_of == here).tolist() for here in np.unique(class_of[class_of >= 0])]
        nothing = [one for one in groups if self.shows_nothing(one)]
        if not nothing:
            return groups
        others = [one for one in groups if one not in nothing]
        # Who leaves out suppressed rows leaves out what shows nothing as well.
        if not gone:
            return groups if self.keeps_average(groups) and self.keeps_average(others) else None
        hidden = sorted([*gone, *(unit for one in nothing for unit in one)])
        # Of persons the conditions are asked of all classes anew.
        judged = [hidden] if self.persons is None else [hidden, *others]
        kept = self.keeps_average([hidden, *others]) and self.keeps_average(others)
        if all(map(self.holds, judged)) and kept:
            return [hidden, *others]
        return others if self.may_go(hidden) and self.keeps_average(others) else None


def drawn(seed: int, by_person: bool) -> tuple[Plain, Task, NDArray[np.int32], Demand | None]:
    """Classes: two of units from anywhere, two of one half each, one that nobody is in; and what is asked, often just what there is."""
    draw = np.random.default_rng(seed)
    cells = draw.integers(0, 7, (UNITS, 2)).astype(np.uint32)
    units = Units(cells, draw.integers(1, 4, UNITS), draw.integers(0, VALUES, (UNITS, 1)).astype(np.int32))
    half = 2 + (cells[:, 0] // 4).astype(np.int32)
    anywhere = draw.integers(-1, 2, UNITS).astype(np.int32)
    class_of = np.where(draw.random(UNITS) < 0.5, half, anywhere).astype(np.int32)
    if draw.random() < 0.2:
        class_of[class_of < 0] = 4
    place = np.concatenate([np.arange(UNITS), draw.integers(0, UNITS, 8)])
    who = draw.integers(0, 12, len(place)).astype(np.int32)
    who[:12] = np.arange(12)
    sets = [set(who[place == unit].tolist()) for unit in range(UNITS)]
    plain = Plain(
        units, sets if by_person else None, 2, 0 if by_person else int(draw.integers(0, 5)), 0.0, None
    )
    hidden = [unit for unit in range(UNITS) if class_of[unit] < 2]
    others = [one for at in (2, 3) if (one := np.flatnonzero(class_of == at).tolist())]
    size, rows = plain.size(hidden) if hidden else 2, int(units.rows.sum())
    plain.k = int(draw.choice([2, size, size, size + 1]))
    lost = plain.rows(hidden) / rows if hidden else 0.0
    plain.limit = float(draw.choice([0.0, lost, lost, max(lost - 1 / rows, 0.0), 1.0]))
    both = [[hidden, *others] if hidden else others, others]
    near = [average for one in both if (average := plain.average_of(one)) > 0]
    if near and draw.random() < 0.7:
        plain.average = float(draw.choice(near)) * float(draw.choice([1.0, 1.0, 1.0, 0.97, 1.05]))
    column = of_hierarchy(
        build(Table(kind="table", rows=TREE), pa.array([row[0] for row in TREE])), False, "q"
    )
    task = Task.of([column] * 2, [1.0] * 2, [], plain.k, rows, plain.limit, plain.average)
    asked = requirements(
        *[(DISTINCT, float(plain.distinct), 0, VALUES, False)] * bool(plain.distinct), values=VALUES
    )
    demand = Demand(Persons.of(place, who, UNITS), [], plain.k, plain.average) if by_person else None
    return plain, replace(task, requirements=asked), class_of, demand


@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("block", range(4))
def test_what_shows_nothing_is_one_class_that_holds_or_goes(block: int, by_person: bool) -> None:
    became = set()
    for seed in range(100 * block, 100 * block + 100):
        plain, task, class_of, demand = drawn(seed, by_person)
        before = class_of.copy()
        found = settled(task, plain.units, (class_of, CLASSES), demand)
        assert (class_of == before).all()
        expected = plain.settled(before)
        became.add((expected is None, expected is not None and sum(map(len, expected)) < UNITS))
        if expected is None:
            assert found is None, seed
            continue
        assert found is not None, seed
        of_unit, classes = found
        assert classes == CLASSES
        assert of_unit.min() >= -1
        groups = [np.flatnonzero(of_unit == here).tolist() for here in range(CLASSES)]
        assert sorted(one for one in groups if one) == sorted(expected), seed
    assert became == {(True, False), (False, True), (False, False)}


def test_where_suppressed_rows_are_removed_nothing_reads_as_they_do() -> None:
    plain, task, class_of, _demand = next(
        one
        for seed in range(100)
        if (one := drawn(seed, False))[0].settled(one[2]) is None and one[0].average is None
    )
    made = class_of, CLASSES
    assert settled(replace(task, stay=False), plain.units, made, None) is made
    assert settled(task, plain.units, None, None) is None
