"""How well a sensitive value is guessed from its class: by the definition, of records and of persons."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.disclosure_risk.diversity import by_class, guesses
from techniques.disclosure_risk.persons import PersonValues

RECORDS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
OF_PERSONS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-1, 6)), min_size=1, max_size=30
)


def numbered(classes):
    return np.unique(np.array(classes), return_inverse=True)[1]


def by_definition(rows):
    """(chance of each who, chance of each class) of (class, value, who); the value 0 is unknown."""
    classes = defaultdict(lambda: defaultdict(set))
    for of, value, who in rows:
        classes[of][who].add(value)
    best, every = {}, []
    for people in classes.values():
        sure = [next(iter(one)) for one in people.values() if len(one) == 1 and 0 not in one]
        right = max((sure.count(one) for one in sure), default=0) + len(people) - len(sure)
        every.append(right / len(people))
        for who in people:
            best[who] = max(best.get(who, 0), every[-1])
    return list(best.values()), every


def expected(rows):
    chances, every = by_definition(rows)
    certain = sum(one == 1 for one in chances) / len(chances)
    return pytest.approx((len(chances), sum(chances) / len(chances), max(every), certain))


def figures(found):
    return found.number, found.average, found.highest, found.certain


@given(RECORDS)
def test_of_records(rows):
    of_row, values = numbered([of for of, _value in rows]), np.array([value for _of, value in rows])
    counted = by_class(of_row, values, reference=np.full(4, 0.25), unknown=0)
    assert figures(guesses(counted, of_row)) == expected([(*row, n) for n, row in enumerate(rows)])


@given(OF_PERSONS)
def test_of_persons_each_by_the_class_that_tells_most(rows):
    """Rows of -1 are persons of their own."""
    of_row = numbered([of for of, _value, _who in rows])
    values, whose = (np.array([row[place] for row in rows], np.int64) for place in (1, 2))
    persons = PersonValues.of(of_row, whose, values, 4, 0)
    counted = by_class(persons.class_of, persons.value, reference=persons.reference, unknown=0)
    named = [(of, value, who if who >= 0 else f"own {n}") for n, (of, value, who) in enumerate(rows)]
    assert figures(guesses(counted, of_row, whose)) == expected(named)


@given(RECORDS)
def test_a_finer_class_never_tells_less(rows):
    """Who knows more is never wrong more often."""
    values = np.array([value for _of, value in rows])

    def average(of_row):
        counted = by_class(of_row, values, reference=np.full(4, 0.25), unknown=0)
        return guesses(counted, of_row).average

    fine, coarse = numbered([of for of, _value in rows]), numbered([of // 2 for of, _value in rows])
    assert average(fine) >= average(coarse) - 1e-12


def test_the_example_of_a_disease():
    """Class 0: flu, flu, gout; class 1: gout, gout. Right 2 + 2 times of 5; for two of five nothing is left to guess."""
    of_row, values = np.array([0, 0, 0, 1, 1]), np.array([1, 1, 2, 2, 2])
    found = guesses(by_class(of_row, values), of_row)
    assert figures(found) == (5, pytest.approx(0.8), 1, pytest.approx(0.4))
