"""The values of a class by persons, counted with sets: who has several values there has an unknown one."""

from __future__ import annotations

from collections import Counter, defaultdict
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from techniques.models.conditions.entries import Entries, Members, merged
from techniques.models.conditions.judging import DISTINCT, SHARE
from techniques.models.conditions.persons import PersonValues, judge_persons, shares
from techniques.models.conditions.values import Condition, Requirements, Tree
from techniques.models.k_anonymity.grouping import by_class

VALUES = 4
"""The unknown one, and three others."""


class Drawn:
    """Combinations, each with some persons and the value of each there; classes of combinations."""

    def __init__(self, seed: int, combinations: int = 25, people: int = 12) -> None:
        draw = np.random.default_rng(seed)
        self.people = people
        # Most persons have one value wherever they are.
        common = draw.integers(1, VALUES, people)
        self.cells: list[dict[int, int]] = []
        for _ in range(combinations):
            inside = draw.choice(people, int(draw.integers(1, 4)), replace=False).tolist()
            other = draw.random(len(inside)) < 0.15
            self.cells.append(
                {
                    who: int(draw.integers(0, VALUES)) if odd else int(common[who])
                    for who, odd in zip(inside, other, strict=True)
                }
            )
        start = np.cumsum([0, *map(len, self.cells)]).astype(np.int64)
        values = np.array([value for cell in self.cells for value in cell.values()], np.int32)
        persons = np.array([who for cell in self.cells for who in cell], np.int32)
        self.entries = PersonValues(start, values, persons)

    def classes(self, number: int, seed: int) -> tuple[NDArray[np.int32], Members]:
        draw = np.random.default_rng(seed)
        own = np.append(np.arange(number), draw.integers(0, number, len(self.cells) - number))
        class_of = draw.permutation(own).astype(np.int32)
        return class_of, Members(*by_class(class_of, number))


def together(
    cells: list[dict[int, int]], class_of: NDArray[np.int32], number: int
) -> list[dict[int, set[int]]]:
    """By class and person the values there."""
    found: list[dict[int, set[int]]] = [defaultdict(set) for _ in range(number)]
    for here, cell in zip(class_of.tolist(), cells, strict=True):
        for who, value in cell.items():
            found[here][who].add(value)
    return found


def one_of(values: set[int]) -> int:
    return next(iter(values)) if len(values) == 1 else 0


@pytest.mark.parametrize("seed", range(6))
def test_combinations_put_together_have_each_person_once(seed: int) -> None:
    drawn = Drawn(seed)
    class_of, members = drawn.classes(9, seed)
    start, values, persons = drawn.entries.merged(members, drawn.people)
    for here, wanted in enumerate(together(drawn.cells, class_of, 9)):
        inside = slice(start[here], start[here + 1])
        found = dict(zip(persons[inside].tolist(), values[inside].tolist(), strict=True))
        assert len(found) == start[here + 1] - start[here]
        assert found == {who: one_of(held) for who, held in wanted.items()}
    assert start[-1] == len(values) == len(persons)


@pytest.mark.parametrize(
    "bounds",
    [
        ((DISTINCT, 2.0),),
        ((SHARE, 0.5),),
        ((DISTINCT, 3.0), (SHARE, 0.6)),
        ((DISTINCT, 2.0), (DISTINCT, 3.0)),
    ],
)
@pytest.mark.parametrize("seed", range(6))
def test_a_class_holds_whichever_value_is_the_right_one(
    seed: int, bounds: tuple[tuple[int, float], ...]
) -> None:
    """And what no finer table can mend: too few values, where none is unknown."""
    drawn = Drawn(seed)
    class_of, members = drawn.classes(11, seed + 1)
    one = SimpleNamespace(
        conditions=[Condition(kind, limit, 0.0) for kind, limit in bounds], size=VALUES, missing=True, rows=float(drawn.people),
        reference=np.full(VALUES, 0.25), tree=Tree.flat(VALUES), levels=np.zeros(VALUES, np.int64),
    )  # fmt: skip
    sizes = np.arange(3, 14, dtype=np.int64)
    before = np.random.default_rng(seed).random(11) < 0.8
    kept, least = before.copy(), np.full(11, -7, np.int64)
    judge_persons(members, sizes, drawn.entries, Requirements.of([one]), drawn.people, kept, least)
    fewest = max((limit for kind, limit in bounds if kind == DISTINCT), default=0)
    for here, inside in enumerate(together(drawn.cells, class_of, 11)):
        counts = Counter(one_of(held) for held in inside.values())
        unknown, known = counts.pop(0, 0), counts
        good = all(
            len(known) >= limit
            if kind == DISTINCT
            else (max(known.values(), default=0) + unknown) / len(inside) <= limit + 1e-9
            for kind, limit in bounds
        )
        assert kept[here] == (before[here] and good)
        hopeless = not unknown and len(set().union(*inside.values())) < fewest
        assert least[here] == (sizes[here] if before[here] and not good and hopeless else -7)


def test_a_person_weighs_one_in_the_table_in_equal_parts_for_each_value() -> None:
    """An unknown value counts only where there is no other."""
    person = np.array([0, 0, 0, 1, 1, 2, 3, 3])
    values = np.array([1, 2, 1, 0, 3, 0, 2, 2])
    found, several = shares(person, values, 4, 4)
    # The first has 1 and 2, the second 3, the third nothing, the fourth 2.
    assert found.tolist() == [0.25, 0.125, 0.375, 0.25]
    assert several
    assert not shares(np.array([0, 0, 1]), np.array([1, 1, 2]), 3, 2)[1]
    assert shares(np.array([0, 0]), np.array([0, 2]), 3, 1)[1]
    nobody, several = shares(np.empty(0, np.int64), np.empty(0, np.int64), 3, 0)
    assert (nobody.tolist(), several) == ([0, 0, 0], False)
    # Somebody without any row weighs in the number of persons.
    assert shares(np.array([0]), np.array([1]), 2, 2)[0].tolist() == [0, 0.5]


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_values_add_up_over_the_combinations_of_a_class(seed: int) -> None:
    draw = np.random.default_rng(seed)
    table = draw.integers(0, 4, (20, 5)) * draw.integers(0, 2, (20, 5))
    of, value = np.nonzero(table)
    start = np.searchsorted(of, np.arange(21)).astype(np.int64)
    entries = Entries(start, value.astype(np.int32), table[of, value].astype(np.int64))
    assert entries.combination().tolist() == of.tolist()
    class_of = np.append(np.arange(6), draw.integers(0, 6, 14)).astype(np.int32)
    found = Entries(*merged(Members(*by_class(class_of, 6)), entries, 5))
    for here in range(6):
        inside = slice(found.start[here], found.start[here + 1])
        counts = dict(zip(found.values[inside].tolist(), found.counts[inside].tolist(), strict=True))
        wanted = table[class_of == here].sum(axis=0)
        assert counts == {value: int(count) for value, count in enumerate(wanted) if count}
        assert len(counts) == found.start[here + 1] - found.start[here]
