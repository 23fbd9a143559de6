"""The cheapest cells of each rare combination: what weighing one choice after the other finds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from techniques.core.operations import Tally
from techniques.core.subjects import Persons
from techniques.families.suppression.choosing import cheapest_choices


def drawn(draw: np.random.Generator, columns: int, rows: int, persons: int) -> Tally:
    sizes = draw.integers(1, 5, columns)
    cells = np.array([draw.integers(-1, size, rows) for size in sizes], np.int32).reshape(columns, rows)
    found, place, counts = np.unique(cells, axis=1, return_inverse=True, return_counts=True)
    whose = draw.integers(0, persons, rows) if persons else None
    if whose is not None:
        _, whose = np.unique(whose, return_inverse=True)
    of = None if whose is None else Persons.of(place.ravel(), whose.astype(np.int32), found.shape[1])
    dictionaries = [pa.array([str(value) for value in range(size)], pa.string()) for size in sizes]
    return Tally(dictionaries, list(found), counts.astype(np.int64), of)


def one_after_the_other(tally: Tally, weights: list[float], least: int) -> list[int]:
    """Every choice, the cheapest first, and for each combination who agrees with it in the columns left."""
    columns, number = len(weights), len(tally.counts)
    choices = [c for size in range(columns + 1) for c in combinations(range(columns), size)]
    choices.sort(key=lambda choice: (sum(weights[i] for i in choice), len(choice), choice))
    cells = np.array(tally.codes)
    chosen = []
    for mine in range(number):
        for choice in choices:
            kept = [i for i in range(columns) if i not in choice]
            alike = np.flatnonzero((cells[kept] == cells[kept, mine][:, None]).all(axis=0))
            if tally.persons is None:
                there = int(tally.counts[alike].sum())
            else:
                start, person, _ = tally.persons
                there = len({int(who) for one in alike for who in person[start[one] : start[one + 1]]})
            if there >= least:
                chosen.append(sum(1 << i for i in choice))
                break
    return chosen


@pytest.mark.parametrize("persons", [0, 14])
def test_the_cheapest_choice_of_all(persons: int) -> None:
    draw = np.random.default_rng(1 + persons)
    gone = 0
    for _ in range(40):
        tally = drawn(draw, int(draw.integers(1, 6)), int(draw.integers(12, 40)), persons)
        weights = [float(draw.choice([0.5, 1.0, 1.0, 3.0])) for _ in tally.codes]
        every = tally.rows if tally.persons is None else tally.persons.number
        least = int(draw.integers(1, min(8, every) + 1))
        shares: list[float] = []
        made = cheapest_choices(tally, weights, least, shares.append)
        assert made.tolist() == one_after_the_other(tally, weights, least)
        assert shares == sorted(shares)
        assert shares[-1] < 1
        gone += int(np.bitwise_count(made).max()) > 1
    assert gone > 10


def test_most_choices_are_not_looked_at() -> None:
    """Of twelve columns: one visit where nothing is rare, and few of 8,191 where one column tells the rows apart."""
    draw = np.random.default_rng(2)
    cells = np.append(np.arange(300), draw.integers(0, 2, (11, 300)) * 0).reshape(12, 300).astype(np.int32)
    sizes = [300, *[2] * 11]
    dictionaries = [pa.array([str(value) for value in range(size)], pa.string()) for size in sizes]
    tally = Tally(dictionaries, list(cells), np.ones(300, dtype=np.int64), None)
    visits: list[float] = []
    assert set(cheapest_choices(tally, [1.0] * 12, 1, visits.append).tolist()) == {0}
    assert len(visits) == 1
    visits.clear()
    assert set(cheapest_choices(tally, [1.0] * 12, 5, visits.append).tolist()) == {1}
    assert len(visits) < 50
