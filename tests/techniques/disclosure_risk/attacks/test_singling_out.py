"""Singling out on unprotected, k-anonymous, shuffled and made-up results whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from techniques.disclosure_risk.attacks.singling_out import singling_out

from .tables import population, tables

COLUMNS = ("age", "sex", "area", "income", "illness")


def singled(found, kind, columns=COLUMNS, control=None, attempts=300, seed=1):
    return singling_out(found, kind, columns, attempts=attempts, seed=seed, control=control)


@pytest.mark.parametrize("kind", ["univariate", "multivariate"])
def test_each_predicate_of_an_unprotected_result_singles_out(kind):
    people = population(800, 1)
    found = singled(tables(people, people, in_order=True), kind)
    assert found.attack.attempts > 50
    assert found.attack.value == 1.0
    assert found.naive.value < 0.5


@pytest.mark.parametrize("kind", ["univariate", "multivariate"])
def test_a_k_anonymous_result_has_no_such_predicate(kind):
    people = {"age": [20, 21, 40, 41] * 5, "sex": ["m", "m", "f", "f"] * 5}
    result = {"age": ["[20,40)", "[20,40)", "[40,60)", "[40,60)"] * 5, "sex": people["sex"]}
    found = singled(tables(people, result, in_order=True), kind, ("age", "sex"))
    assert found.attack.attempts == 0
    assert (found.attack.low, found.attack.high) == (0.0, 1.0)
    assert found.risk is None


def test_a_label_singles_out_where_it_covers_one_person_of_the_source():
    people = {"age": [20, 25, 33, 51], "area": ["1101", "1102", "3301", "1103"]}
    result = {"age": ["[20,30)", "[20,30)", "[30,40)", ">=50"], "area": ["11*", "11*", "33*", "11*"]}
    found = singled(tables(people, result, in_order=True), "univariate", ("age", "area"))
    # [30,40) and >=50, area 33*, and the outermost two: at most [20,30), which two records have, is none of them.
    assert (found.attack.attempts, found.attack.successes) == (4, 4)
    wider = {"age": [20, 25, 33, 51, 35], "area": ["1101", "1102", "3301", "1103", "3302"]}
    found = singled(tables(wider, result, whose=[0, 1, 2, 3]), "univariate", ("age", "area"))
    # In this source two are in their thirties and two live in 33*; >=50 is left, said twice.
    assert (found.attack.attempts, found.attack.successes) == (4, 2)


def test_rows_of_one_person_single_that_person_out():
    source = {"age": [20, 20, 30, 40]}
    result = {"age": [20, 30, 40]}
    by_rows = singled(tables(source, result), "univariate", ("age",))
    by_persons = singled(tables(source, result, who=[0, 0, 1, 2]), "univariate", ("age",))
    assert by_persons.attack.successes == by_persons.attack.attempts == 5
    # As two persons the two of 20 are neither alone nor the only ones of at most 20.
    assert by_rows.attack.successes == 3


def test_made_up_records_single_out_no_better_than_in_a_control_group():
    people, others, made = (population(3000, seed) for seed in (2, 3, 4))
    for kind in ("univariate", "multivariate"):
        control = tables(others, made)
        found = singled(tables(people, made, made_up=True), kind, control=control, attempts=1000)
        assert found.control is not None
        assert found.risk is not None
        assert found.attack.low <= found.control.high
        assert found.control.low <= found.attack.high
        assert found.risk.low == 0.0


def test_records_that_were_copied_single_out_far_better():
    people, others = population(3000, 2), population(3000, 3)
    found = singled(tables(people, people, made_up=True), "multivariate", control=tables(others, people))
    assert found.risk is not None
    assert found.risk.low > 0.5


def test_of_shuffled_columns_values_single_out_and_combinations_do_not():
    people, chance = population(3000, 5), np.random.default_rng(5)
    shuffled = {name: chance.permutation(cells).tolist() for name, cells in people.items()}
    both = tables(people, shuffled, in_order=True)
    assert singled(both, "univariate").attack.value == 1.0
    others = tables(population(3000, 6), shuffled)
    found = singled(both, "multivariate", control=others, attempts=1000)
    # Their combinations are nobody's: the two groups differ by what single values tell alone.
    assert found.attack.value < 0.7


def test_of_a_larger_control_group_as_many_are_taken():
    people, others = population(300, 7), population(3000, 8)
    found = singled(tables(people, people), "multivariate", control=tables(others, people))
    same = singled(tables(people, people), "multivariate", control=tables(population(300, 9), people))
    assert found.control is not None
    assert same.control is not None
    assert found.control.low <= same.control.high
    assert same.control.low <= found.control.high


def test_the_same_seed_tries_the_same_predicates():
    people, made = population(500, 10), population(500, 11)
    both = tables(people, made, made_up=True)
    one, again, other = (singled(both, "multivariate", attempts=20, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
