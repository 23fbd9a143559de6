"""How many different persons a class has: what is known from weights and what is counted, against sets of persons."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from techniques.core.subjects import Persons
from techniques.models.k_anonymity.crowds import (
    ONE,
    Crowd,
    held_at_least,
    kept_by_persons,
    persons_by_class,
    seen_by,
    smallest_by_person,
    smallest_held,
)
from techniques.models.k_anonymity.grouping import by_class


@dataclass
class Table:
    """Rows by combination and person, and the persons of each combination as sets."""

    persons: Persons
    counts: NDArray[np.int64]
    sets: list[set[int]]

    def of_classes(self, class_of: NDArray[np.int32], classes: int) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in range(classes)]
        for here, mine in zip(class_of.tolist(), self.sets, strict=True):
            found[here] |= mine
        return found


def drawn(seed: int, combinations: int = 30, people: int = 14, rows: int = 60) -> Table:
    """Each person has rows in several combinations, and some have several rows in one."""
    draw = np.random.default_rng(seed)
    place = np.concatenate([np.arange(combinations), draw.integers(0, combinations, rows)]).astype(np.int32)
    who = draw.integers(0, people, len(place)).astype(np.int32)
    who[:people] = np.arange(people)
    sets = [set(who[place == here].tolist()) for here in range(combinations)]
    counts = np.bincount(place, minlength=combinations).astype(np.int64)
    return Table(Persons.of(place, who, combinations), counts, sets)


def classes_of(seed: int, number: int, classes: int) -> NDArray[np.int32]:
    """Every class has something."""
    draw = np.random.default_rng(seed + 7)
    found = np.concatenate([np.arange(classes), draw.integers(0, classes, number - classes)])
    return draw.permutation(found).astype(np.int32)


@pytest.mark.parametrize("enough", [1, 2, 5])
def test_a_person_weighs_one_in_all_and_is_named_where_weights_do_not_tell(enough: int) -> None:
    table = drawn(enough)
    crowd = Crowd.of(table.persons, enough)
    for here, mine in enumerate(table.sets):
        weight = sum(ONE // sum(who in others for others in table.sets) for who in mine)
        assert crowd.weight[here] == weight
        named = crowd.person[crowd.start[here] : crowd.start[here + 1]].tolist()
        assert sorted(named) == (sorted(mine) if weight <= (enough - 1) * ONE else [])


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("classes", [4, 9, 25])
def test_a_class_is_kept_where_it_has_k_persons(k: int, classes: int) -> None:
    seen, found_by_weight, counted = None, 0, 0
    for seed in range(6):
        table = drawn(seed)
        seen = seen_by(table.persons) if seen is None else seen
        class_of = classes_of(seed, len(table.sets), classes)
        sizes = np.bincount(class_of, weights=table.counts, minlength=classes).astype(np.int64)
        crowd = Crowd.of(table.persons, k)
        numbers = [len(mine) for mine in table.of_classes(class_of, classes)]
        # The same room is used for one search after the other.
        kept, least, rows = kept_by_persons(class_of, sizes, crowd, k, seen)
        assert kept.tolist() == [number >= k for number in numbers]
        assert least.tolist() == [
            0 if number >= k else size for number, size in zip(numbers, sizes, strict=True)
        ]
        assert rows == least.sum()
        weights = np.bincount(class_of, weights=crowd.weight, minlength=classes)
        found_by_weight += int((weights > (k - 1) * ONE).sum())
        counted += sum(number >= k for number in numbers)
    assert counted >= found_by_weight
    assert (k in (3, 5) and classes < 25) <= (counted > found_by_weight)


@pytest.mark.parametrize("k", [2, 4, 6])
def test_classes_of_classes_have_the_persons_of_all(k: int) -> None:
    """Put together twice, with one room: as many persons as the sets have, named where weights do not tell."""
    for seed in range(6):
        table = drawn(seed, people=20)
        seen = seen_by(table.persons)
        crowd, sets, counts = Crowd.of(table.persons, k), table.sets, table.counts
        for classes in (18, 7):
            class_of = classes_of(seed + classes, len(sets), classes)
            crowd = crowd.merged(class_of, classes, k, seen)
            sets = Table(table.persons, counts, sets).of_classes(class_of, classes)
            counts = np.bincount(class_of, weights=counts, minlength=classes).astype(np.int64)
            assert crowd.weight.sum() == sum(
                ONE // sum(who in mine for mine in table.sets) * sum(who in mine for mine in table.sets)
                for who in range(20)
            )
            for here, mine in enumerate(sets):
                named = crowd.person[crowd.start[here] : crowd.start[here + 1]].tolist()
                doubtful = crowd.weight[here] <= (k - 1) * ONE
                assert sorted(named) == (sorted(mine) if doubtful else [])
            own = np.arange(classes, dtype=np.int32)
            kept = kept_by_persons(own, counts, crowd, k, seen)[0]
            assert kept.tolist() == [len(mine) >= k for mine in sets]


def test_persons_of_each_class_and_the_smallest_class_of_each_person() -> None:
    for seed in range(8):
        table, classes = drawn(seed), 10
        class_of = classes_of(seed, len(table.sets), classes)
        start, person, number = table.persons
        sets = table.of_classes(class_of, classes)
        counted = persons_by_class(*by_class(class_of, classes), start, person, number)
        assert counted.tolist() == [len(mine) for mine in sets]
        kept = np.random.default_rng(seed).random(classes) < 0.6
        found = smallest_by_person(class_of, counted, kept, start, person, number)
        for who in range(number):
            mine = [len(one) for one, stays in zip(sets, kept, strict=True) if stays and who in one]
            assert found[who] == min(mine, default=-1)


@pytest.mark.parametrize("bound", [0.02, 0.15, 0.2, 0.25, 1 / 3, 0.4, 0.5, 1.0])
def test_the_smallest_classes_go_until_the_average_over_persons_holds(bound: float) -> None:
    answers: set[int] = set()
    certain: set[int] = set()
    for seed in range(12):
        table, classes = drawn(seed), 12
        class_of = classes_of(seed, len(table.sets), classes)
        ordered = by_class(class_of, classes)
        counted = persons_by_class(*ordered, *table.persons)
        sets = table.of_classes(class_of, classes)
        kept = np.random.default_rng(seed).random(classes) < 0.7
        found = smallest_held(*ordered, counted, kept, *table.persons, bound * (1 + 1e-12))

        wanted = 0
        for least in sorted({len(one) for one, stays in zip(sets, kept, strict=True) if stays}):
            left = [one for one, stays in zip(sets, kept, strict=True) if stays and len(one) >= least]
            risks = [Fraction(1, min(len(one) for one in left if who in one)) for who in set().union(*left)]
            if sum(risks) / len(risks) <= Fraction(bound).limit_denominator(1000):
                wanted = least
                break
        assert found == wanted
        answers.add(found)
        number, held = held_at_least(class_of, kept, Crowd.of(table.persons, 1 << 40).weight)
        assert number == kept.sum()
        assert 0 < held <= len(set().union(*(one for one, stays in zip(sets, kept, strict=True) if stays)))
        if number <= held * bound:
            assert found == counted[kept].min()
            certain.add(seed)
    assert not certain if bound == 0.02 else bound < 1 or len(certain) > 6
    assert answers == {0} if bound == 0.02 else len(answers) > 1
