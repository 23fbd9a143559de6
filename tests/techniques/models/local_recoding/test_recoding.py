"""The figures of a recoded table, counted from its cells; and what is asked of persons, counted by sets."""

from __future__ import annotations

from collections import defaultdict
from math import ceil
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques.core.subjects import Persons
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Table
from techniques.models.conditions.judging import DISTINCT, EQUAL
from techniques.models.conditions.persons import PersonValues
from techniques.models.conditions.values import Condition
from techniques.models.k_anonymity.sensitive import SensitiveOfPersons
from techniques.models.local_recoding import forming
from techniques.models.local_recoding.costs import Units
from techniques.models.local_recoding.forming import Task, _ladder, sizes_to_try
from techniques.models.local_recoding.peeling import peel
from techniques.models.local_recoding.persons import Demand, allowed, reading_alike
from techniques.models.local_recoding.recoding import Recoded, recode
from techniques.models.local_recoding.shapes import Shape, free, of_hierarchy
from techniques.models.local_recoding.starting import by_levels, detail_lost, most_lost
from tests.techniques.models.local_recoding.test_forming import requirements
from tests.techniques.models.local_recoding.test_steps import TREE

NAMES = [row[0] for row in TREE]
NUMBERS = [str(number * number) for number in range(9)]
LETTERS = [*"pqrstu"]


def shapes(missing: bool) -> list[Shape]:
    return [
        of_hierarchy(build(Table(kind="table", rows=TREE), pa.array(NAMES)), missing, "q"),
        free(pa.array(NUMBERS), missing),
        free(pa.array(LETTERS), missing),
    ]


def drawn(seed: int, rows: int, missing: bool) -> list[np.ndarray]:
    draw = np.random.default_rng(seed)
    return [
        draw.integers(-1 if missing else 0, size, rows).astype(np.int32)
        for size in (len(TREE), len(NUMBERS), len(LETTERS))
    ]


def held(column: int, values: set[str | None], missing: bool) -> tuple[int, float]:
    """(values that read the same as these, their penalty) in the column, of all that there are."""
    leaves = (len(TREE), len(NUMBERS), len(LETTERS))[column] + missing
    if column == 0:
        level = next(
            (
                at
                for at in range(4)
                if len({TREE[NAMES.index(one)][at] for one in values if one}) <= 1
                and (None not in values or at == 3 or values == {None})
            ),
            3,
        )
        if values == {None}:
            return 1, 0.0
        label = TREE[NAMES.index(next(one for one in values if one))][level]
        under = leaves if level == 3 else sum(row[level] == label for row in TREE)
        return under, under / leaves if under > 1 else 0.0
    if column == 1:
        if None in values:
            return (1, 0.0) if values == {None} else (leaves, 1.0)
        numbers = sorted(int(one) for one in values if one)
        under = sum(numbers[0] <= int(one) <= numbers[-1] for one in NUMBERS)
        return under, (numbers[-1] - numbers[0]) / int(NUMBERS[-1])
    return len(values), len(values) / leaves if len(values) > 1 else 0.0


@pytest.mark.parametrize("limit", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_figures_are_those_of_the_cells(seed: int, missing: bool, limit: float) -> None:
    """Shares, penalty, classes and their sizes; of rows that are counted, and of rows that stand for several."""
    codes, rows = drawn(seed, 60, missing), 60
    counts = np.random.default_rng(seed).integers(1, 4, rows) if seed == 2 else None
    weight = np.ones(rows, np.int64) if counts is None else counts
    heard: list[float] = []
    average = 0.2 if seed == 1 else None
    found = recode(
        shapes(missing), codes, 3, counts=counts, limit=limit, average_risk=average, tick=heard.append
    )
    assert heard == sorted(heard)
    assert 0 < heard[0] <= heard[-1] <= 1
    n = int(weight.sum())
    whole = found.class_of < 0
    assert (whole == found.suppressed).all()
    assert found.suppressed_rows == weight[whole].sum() <= limit * n + 1e-9
    texts = [
        [(_name := (NAMES, NUMBERS, LETTERS)[i])[code] if code >= 0 else None for code in codes[i]]
        for i in range(3)
    ]
    members: dict[int, list[int]] = defaultdict(list)
    for row in np.flatnonzero(~whole).tolist():
        members[int(found.class_of[row])].append(row)
    sizes = [int(weight[inside].sum()) for inside in members.values()]
    assert (found.classes, found.smallest) == (len(members), min(sizes))
    assert min(sizes) >= 3
    assert found.average_risk == len(members) / (n - found.suppressed_rows)
    assert average is None or found.average_risk <= average + 1e-9
    penalty = 0.0
    for i in range(3):
        leaves = len((NAMES, NUMBERS, LETTERS)[i]) + missing
        each = {here: held(i, {texts[i][row] for row in inside}, missing) for here, inside in members.items()}
        share = sum(weight[inside].sum() * each[here][0] for here, inside in members.items()) / leaves
        assert found.shares[i] == pytest.approx((share + found.suppressed_rows) / n)
        penalty += (
            sum(weight[inside].sum() * each[here][1] for here, inside in members.items())
            + found.suppressed_rows
        )
        written = [found.dictionaries[i][int(code)].as_py() if code >= 0 else None for code in found.codes[i]]
        assert all(written[row] == "*" for row in np.flatnonzero(whole))
        assert all(len({written[row] for row in inside}) == 1 for inside in members.values())
    assert found.ncp == pytest.approx(penalty / n / 3)
    # No two classes read the same.
    read = {tuple(int(column[inside[0]]) for column in found.codes) for inside in members.values()}
    assert len(read) == len(members)


def made(
    seed: int, missing: bool, weights: list[float], limit: float = 0.1, average: float | None = None
) -> tuple[Task, Units]:
    columns = shapes(missing)
    task = Task.of(columns, weights, [], 3, 40, limit, average)
    cells = np.column_stack(
        [shape.place[column + 1] for shape, column in zip(columns, drawn(seed, 40, missing), strict=True)]
    )
    return task, Units(cells.astype(np.uint32), np.ones(40, np.int64), np.zeros((40, 0), np.int32))


@pytest.mark.parametrize("weights", [[1.0, 1.0, 1.0], [0.5, 2.0, 1.0]])
@pytest.mark.parametrize("missing", [False, True])
def test_detail_that_is_lost(missing: bool, weights: list[float]) -> None:
    """Of each row the weighted share of the values under its cell beyond its own; a suppressed one loses all but its own."""
    task, units = made(5, missing, weights)
    class_of = np.random.default_rng(1).integers(-1, 6, 40).astype(np.int32)
    codes = drawn(5, 40, missing)
    leaves = [len(one) + missing for one in (NAMES, NUMBERS, LETTERS)]
    wanted = 0.0
    for row, here in enumerate(class_of.tolist()):
        for i, names in enumerate((NAMES, NUMBERS, LETTERS)):
            inside = {names[code] if code >= 0 else None for code in codes[i][class_of == here]}
            under = leaves[i] if here < 0 else held(i, inside, missing)[0]
            wanted += weights[i] * (under - 1) / leaves[i] / 40
        assert row < 40
    assert detail_lost(task, units, (class_of, 7)) == pytest.approx(wanted)
    nothing = np.full(40, -1, np.int32), 0
    assert most_lost(task) == pytest.approx(
        sum(w * (1 - 1 / n) for w, n in zip(weights, leaves, strict=True))
    )
    assert detail_lost(task, units, nothing) == pytest.approx(most_lost(task))


def test_whole_columns_are_those_of_the_units() -> None:
    """At the lowest level a problem of whole columns tells the units apart as their places do."""
    task, units = made(6, True, [1.0] * 3)
    problem = by_levels(task, units)
    assert (problem.k, problem.rows, problem.average_risk) == (3, 40, None)
    lowest = problem.group([one.lowest for one in problem.attributes])
    together = np.unique(units.cells, axis=0, return_inverse=True)[1].reshape(-1)
    assert len(lowest.sizes) == together.max() + 1
    assert (np.equal.outer(lowest.class_of, lowest.class_of) == np.equal.outer(together, together)).all()
    top = problem.group([one.highest for one in problem.attributes])
    assert top.sizes.tolist() == [40]


@pytest.mark.parametrize(
    ("k", "average", "units", "sizes"),
    [(5, None, 10, [5]), (5, 0.2, 10, [5]), (5, 0.05, 10, [5, 10, 20]), (2, 0.3, 10, [2, 3, 4]), (5, 0.05, 300_000, [5, 20]), (2, 0.4, 10, [2, 3])],
)  # fmt: skip
def test_classes_are_formed_of_k_and_of_what_the_average_asks(
    k: int, average: float | None, units: int, sizes: list[int]
) -> None:
    """And of the size between them, by their geometric mean, where there are not too many units."""
    assert sizes_to_try(k, average, units) == sizes


def test_rows_to_spare_and_classes_that_the_average_allows() -> None:
    free_of, _units = made(1, False, [1.0] * 3, 0.2)
    assert (free_of.most, free_of.most_classes(0), free_of.most_classes(5)) == (8, 40, 35)
    assert (free_of.spare(0, 9), free_of.spare(5, 9)) == (8, 3)
    bound, _units = made(1, False, [1.0] * 3, 0.2, 0.25)
    assert (bound.most_classes(0), bound.most_classes(4), bound.most_classes(5)) == (10, 9, 8)
    # Nine classes need thirty-six rows, of forty.
    assert (bound.spare(0, 9), bound.spare(4, 9), bound.spare(3, 9), bound.spare(0, 8)) == (4, 0, 1, 8)


def test_what_classes_are_formed_by() -> None:
    """A tree has its own levels; numbers are halved until all are one, other values are all apart or all one."""
    tree, numbers, letters = shapes(False)
    levels, shares = _ladder(tree, 3)
    assert (levels is tree.levels, shares is tree.shares) == (True, True)
    levels, shares = _ladder(letters, 3)
    assert levels.tolist() == [list(range(7)), [0] * 7]
    assert shares.tolist() == [[0] * 7, [3 / 2 / 6] * 7]
    levels, shares = _ladder(numbers, 3)
    # Of nine squares up to 64: widths of 2/9, 4/9 and 8/9 of the scale.
    widths = [2 / 9, 4 / 9, 8 / 9]
    squares = np.arange(9) ** 2 / 64
    assert levels.tolist() == [
        list(range(10)), *([0, *(1 + (squares // width).astype(int)).tolist()] for width in widths), [0] * 10,
    ]  # fmt: skip
    assert shares[:, 1].tolist() == [0, *(width / 2 for width in widths), 0.6]


@pytest.mark.parametrize(
    ("k", "bounds", "times"),
    [(3, [], 1.0), (7, [], 1.4), (5, [(DISTINCT, 2.0)], 1.0), (4, [(EQUAL, 0.3)], 10.0), (20, [(DISTINCT, 2.0), (EQUAL, 0.3)], 40.0)],
)  # fmt: skip
def test_units_are_looked_at_so_often(
    k: int, bounds: list[tuple[int, float]], times: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At one node of twenty on average, sixty million times at most; the longer the larger the class, and for closeness."""
    task, units = made(1, False, [1.0] * 3)
    units = units._replace(values=np.zeros((40, 1), np.int32))
    asked = requirements(*((kind, limit, 0, 4, False) for kind, limit in bounds), values=4)
    given: list[float] = []

    def spied(*arguments: Any) -> Any:
        given.append(arguments[-1])
        return peel(*arguments)

    monkeypatch.setattr(forming, "peel", spied)
    forming._peeled(task, units, k, asked)
    # Four levels of the tree, five of numbers, two of the others.
    assert given == [pytest.approx(times * 40 * 40 / 20)]
    assert forming._MOST_VISITS == 60_000_000
    monkeypatch.setattr(forming, "_MOST_VISITS", 50)
    forming._peeled(task, units, k, asked)
    assert given[1] == pytest.approx(times * 50)


class Crowd:
    """Units of several persons each, who have values; and classes of units."""

    def __init__(self, seed: int, units: int = 30, people: int = 16) -> None:
        draw = np.random.default_rng(seed)
        place = np.concatenate([np.arange(units), draw.integers(0, units, units)])
        who = draw.integers(0, people, len(place)).astype(np.int32)
        who[:people] = np.arange(people)
        self.value = draw.integers(1, 4, people)
        self.persons = Persons.of(place, who, units)
        self.sets = [set(who[place == unit].tolist()) for unit in range(units)]
        start, person, number = self.persons
        groups = np.arange(units + 1)
        values = PersonValues(start, self.value[person].astype(np.int32), person)
        conditions = [Condition(DISTINCT, 2, 0.0)]
        self.sensitive = SensitiveOfPersons(values, groups, number, 4, conditions)
        self.class_of = draw.integers(-1, 7, units).astype(np.int32)
        self.inside = [
            set().union(*(mine for mine, at in zip(self.sets, self.class_of, strict=True) if at == here))
            for here in range(8)
        ]


@pytest.mark.parametrize("seed", range(6))
def test_what_classes_hold_of_persons(seed: int) -> None:
    crowd = Crowd(seed)
    demand = Demand(crowd.persons, [crowd.sensitive], 3, None)
    numbers = [len(inside) for inside in crowd.inside]
    sizes = demand.sizes(crowd.class_of, 8)
    assert sizes.tolist() == numbers
    smallest = {
        who: min(len(one) for one in crowd.inside if who in one) for who in set().union(*crowd.inside)
    }
    assert demand.average(crowd.class_of, sizes) == pytest.approx(
        sum(1 / size for size in smallest.values()) / len(smallest)
    )
    nobody = np.full(30, -1, np.int32)
    assert demand.average(nobody, np.zeros(8, np.int64)) == 0.0
    for k in (2, 4):
        wanted = [
            bool(one) and (len(one) < k or len({crowd.value[who] for who in one}) < 2) for one in crowd.inside
        ]
        assert demand.failing(crowd.class_of, 8, k).tolist() == wanted
    # The same of units put together.
    of_entry = np.random.default_rng(seed).integers(0, 9, 30).astype(np.int32)
    of_entry[:9] = np.arange(9)
    fewer = demand.of_units(of_entry, 9)
    united = [
        set().union(*(mine for mine, at in zip(crowd.sets, of_entry, strict=True) if at == unit))
        for unit in range(9)
    ]
    own = np.arange(9, dtype=np.int32)
    assert fewer.sizes(own, 9).tolist() == [len(one) for one in united]
    assert fewer.failing(own, 9, 3).tolist() == [
        len(one) < 3 or len({crowd.value[who] for who in one}) < 2 for one in united
    ]


def test_so_many_rows_and_persons_may_be_without_a_class() -> None:
    crowd = Crowd(2)
    demand = Demand(crowd.persons, [], 2, None)
    columns = shapes(False)
    units = Units(np.zeros((30, 3), np.uint32), np.full(30, 2), np.zeros((30, 0), np.int32))
    for gone in (0, 6, 8, 20, 30):
        class_of = np.zeros(30, np.int32)
        class_of[:gone] = -1
        left = set().union(*crowd.sets[gone:])
        for limit in (0.0, 0.2, 0.3, 0.7, 1.0):
            task = Task.of(columns, [1.0] * 3, [], 2, 60, limit, None)
            rows = 2 * gone <= int(60 * limit + 1e-9)
            assert allowed(task, units, (class_of, 1), None) == rows
            assert allowed(task, units, (class_of, 1), demand) == (
                rows and 16 - len(left) <= int(16 * limit + 1e-9)
            )
            assert not allowed(task, units, None, demand)


def test_classes_that_read_the_same_are_one() -> None:
    """Of seven values in four groups; sets and intervals are written as what they hold."""
    columns = shapes(False)
    task = Task.of(columns, [1.0] * 3, [], 2, 6, 0.0, None)
    # The classes cover a group, one number, one letter: the third reads as the first.
    cells = np.array([[0, 3, 1], [1, 3, 1], [2, 3, 1], [3, 3, 1], [0, 3, 1], [1, 3, 1]], np.uint32)
    units = Units(cells, np.ones(6, np.int64), np.zeros((6, 0), np.int32))
    alike = reading_alike(task, units, np.array([0, 0, 1, 1, 2, 2], np.int32), 3)
    assert alike is not None
    assert (alike[0].tolist(), alike[1]) == ([0, 0, 1, 1, 0, 0], 2)
    gone = reading_alike(task, units, np.array([0, 0, 1, 1, 2, -1], np.int32), 3)
    assert gone is None
    part = reading_alike(task, units, np.array([0, 0, -1, 1, 2, 2], np.int32), 3)
    assert part is not None
    assert (part[0][2], part[1]) == (-1, 2)


def test_the_average_of_persons_is_held_by_classes_of_as_many() -> None:
    """One in four: four persons in each class are enough, fewer here and there as well."""
    columns, codes = shapes(False), drawn(4, 60, False)
    subjects = np.arange(60) // 2
    for bound in (0.5, 0.25, 0.15):
        demand = Demand(Persons.of(np.arange(60), subjects, 60), [], 2, bound)
        found: Recoded = recode(columns, codes, 2, demand=demand, average_risk=bound)
        classes: dict[int, set[int]] = defaultdict(set)
        for row, here in enumerate(found.class_of.tolist()):
            classes[here].add(int(subjects[row]))
        smallest = [min(len(one) for one in classes.values() if who in one) for who in range(30)]
        assert found.average_risk == pytest.approx(sum(1 / size for size in smallest) / 30)
        assert found.average_risk <= bound + 1e-9
        assert found.smallest == min(map(len, classes.values())) >= 2
        assert found.smallest <= ceil(1 / bound) * 2


def test_combinations_of_more_values_than_one_number_tells_apart_stay_as_they_are() -> None:
    """Twelve columns of 64 values have 2^72 combinations; each here is that of two rows, so none of it is lost."""
    values, draw = [str(number) for number in range(64)], np.random.default_rng(7)
    columns = [np.repeat(draw.integers(0, 64, 30), 2).astype(np.int32) for _column in range(12)]
    mixed = draw.permutation(60)
    wide = [free(pa.array(values), False) for _column in columns]
    made = recode(wide, [column[mixed] for column in columns], 2)
    assert (made.ncp, made.suppressed_rows, made.classes, made.smallest) == (0.0, 0, 30, 2)
    of_class: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for row, here in enumerate(made.class_of.tolist()):
        of_class[here].add(tuple(int(column[mixed[row]]) for column in columns))
    assert all(len(one) == 1 for one in of_class.values())
