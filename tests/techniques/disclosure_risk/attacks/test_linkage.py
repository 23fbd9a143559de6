"""Insider linkage and linkability on tables whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.attacks.linkage import insider_linkage, linkability
from techniques.disclosure_risk.attacks.targets import Knowledge, Targets

from .tables import population, tables


def linked(found, columns, **knowledge):
    return insider_linkage(Targets.of(found, Knowledge(columns=columns, **knowledge)))


def generalised(people):
    return {
        **people,
        "age": [f"[{one // 20 * 20},{one // 20 * 20 + 20})" for one in people["age"]],
        "area": [f"{one // 10}*" for one in people["area"]],
    }


def classes(people, columns):
    rows = list(zip(*(people[name] for name in columns), strict=True))
    return len(set(rows)), len(rows)


def test_of_an_unprotected_result_everybody_unique_is_found():
    people = {"age": [20, 30, 30, 40], "sex": ["m", "m", "f", "f"]}
    found = linked(tables(people, people, in_order=True), ("age", "sex"))
    assert (found.attack.successes, found.single, found.single_right) == (4, 4, 4)
    # By age alone two share 30: each of them is the right one with chance a half.
    found = linked(tables(people, people, in_order=True), ("age",))
    assert (found.attack.successes, found.single, found.alike) == (3, 2, 1.5)
    assert found.naive.value == pytest.approx(1 / 4)


def test_of_a_k_anonymous_result_the_rate_is_its_average_risk():
    people = population(600, 1)
    result = generalised(people)
    found = linked(tables(people, result, in_order=True), ("age", "sex", "area"), attempts=600)
    number, rows = classes(result, ("age", "sex", "area"))
    assert found.attack.value == pytest.approx(number / rows)


def test_the_interval_of_a_sample_of_targets_holds_the_rate_of_all():
    people = population(2000, 2)
    result = generalised(people)
    number, rows = classes(result, ("age", "sex", "area"))
    both = tables(people, result, in_order=True)
    held = 0
    for seed in range(20):
        rate = linked(both, ("age", "sex", "area"), attempts=150, seed=seed).attack
        held += rate.low <= number / rows <= rate.high
    assert held >= 18


def test_of_shuffled_columns_nobody_is_found_but_by_chance():
    people, chance = population(2000, 3), np.random.default_rng(3)
    shuffled = {name: chance.permutation(cells).tolist() for name, cells in people.items()}
    found = linked(tables(people, shuffled, in_order=True), ("age", "sex", "area", "income"))
    assert found.attack.low <= 1 / 2000 <= found.attack.high
    assert found.attack.value < 0.01


def test_the_order_of_the_records_does_not_matter():
    people, order = population(300, 4), np.random.default_rng(4).permutation(300)
    moved = {name: [cells[place] for place in order] for name, cells in generalised(people).items()}
    written = linked(tables(people, moved, whose=order), ("age", "sex"), attempts=300)
    kept = linked(tables(people, generalised(people), in_order=True), ("age", "sex"), attempts=300)
    assert written.attack.successes == pytest.approx(kept.attack.successes)


def test_where_nobody_wrote_down_whose_they_are_the_likest_record_counts():
    people, order = population(300, 5), np.random.default_rng(5).permutation(300)
    moved = {name: [cells[place] for place in order] for name, cells in generalised(people).items()}
    by_likeness = linked(tables(people, moved), ("age", "sex"), attempts=300)
    written = linked(tables(people, moved, whose=order), ("age", "sex"), attempts=300)
    assert by_likeness.by_likeness
    assert not written.by_likeness
    assert by_likeness.attack.value >= written.attack.value - 1e-9


def test_a_suppressed_record_is_found_only_where_nothing_says_more():
    people = {"age": [20, 30, 40]}
    found = linked(tables(people, {"age": ["20", "*", "40"]}, in_order=True), ("age",))
    # 20 and 40 take the record that says so; 30 fits the suppressed one alone.
    assert found.attack.successes == 3
    found = linked(tables(people, {"age": ["[20,40)", "[20,40)", "*"]}, in_order=True), ("age",))
    assert found.attack.successes == pytest.approx(1 / 2 + 1 / 2 + 1)


def test_a_person_who_is_not_in_the_result_is_not_found():
    people = {"age": [20, 30, 40]}
    found = linked(tables(people, {"age": [20, 40]}, whose=[0, 2]), ("age",))
    # 30 is as near to both, and neither is the right one.
    assert (found.attack.attempts, found.attack.successes) == (3, 2)


def test_persons_are_attacked_and_not_rows():
    who = [0, 0, 0, 1, 2]
    people = {"age": [20, 20, 20, 20, 50]}
    found = linked(tables(people, people, who, in_order=True), ("age",))
    # Of four records with 20 three are of the first and one of the second person.
    assert found.attack.attempts == 3
    assert found.attack.successes == pytest.approx(3 / 4 + 1 / 4 + 1)


def test_noise_moves_what_is_known_and_no_further_than_it_says():
    people = {"age": list(range(20, 60))}
    both = tables(people, people, in_order=True)
    exact = linked(both, ("age",)).attack.value
    near = linked(both, ("age",), noise={"age": 2.0}, seed=1).attack.value
    assert exact == 1.0
    # One of about five values is taken for the right one.
    assert 0.05 < near < 0.5
    wide = {"age": [f"[{one // 20 * 20},{one // 20 * 20 + 20})" for one in people["age"]]}
    assert (
        linked(tables(people, wide, in_order=True), ("age",), noise={"age": 2.0}, seed=1).attack.value > 0.04
    )


def test_mistakes_spoil_what_is_known():
    people = population(400, 6)
    both = tables(people, people, in_order=True)
    assert (
        linked(both, ("age", "area", "income"), wrong=0.5).attack.value
        < linked(both, ("age", "area", "income")).attack.value
    )


def test_the_same_seed_attacks_the_same_persons():
    people = population(400, 7)
    both = tables(people, generalised(people), in_order=True)
    one, again, other = (linked(both, ("age", "sex"), attempts=50, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_of_a_column_of_pseudonyms_nothing_is_told():
    people = {"name": ["an", "bo", "cy"]}
    with pytest.raises(EngineError) as caught:
        linked(tables(people, {"name": ["x1", "x2", "x3"]}, in_order=True), ("name",))
    assert caught.value.code == "column_untold"


def _likest(people, result, names, row):
    """The records that are nearest to a row, in plain words: by exact values and numbers."""
    widths = {name: max(people["age"]) - min(people["age"]) for name in names}
    away = []
    for place in range(len(result["age"])):
        total = 0.0
        for name in names:
            mine, its = people[name][row], result[name][place]
            if name == "age":
                total += abs(mine - its) / widths[name]
            else:
                total += mine != its
        away.append(total)
    return {place for place, one in enumerate(away) if one <= min(away) + 2e-6}


def test_nearest_records_are_those_of_plain_counting():
    chance = np.random.default_rng(8)
    people = {"age": chance.integers(20, 70, 60).tolist(), "sex": chance.choice(["m", "f"], 60).tolist()}
    result = {"age": [one + int(chance.integers(-3, 4)) for one in people["age"]], "sex": people["sex"]}
    expected = sum(
        (row in near) / len(near)
        for row in range(60)
        for near in [_likest(people, result, ("age", "sex"), row)]
    )
    found = linked(tables(people, result, in_order=True), ("age", "sex"))
    assert found.attack.successes == pytest.approx(expected)


def test_two_halves_are_joined_where_one_record_is_nearest_to_both():
    people = {"age": [20, 30, 40, 50], "sex": ["m", "m", "f", "f"]}
    both = Targets.of(tables(people, people, in_order=True), Knowledge(columns=("age", "sex")))
    found = linkability(both, ["age"], ["sex"])
    # The age leads to one record, the sex to one of two.
    assert found.attack.successes == pytest.approx(4 * 1 / 2)
    assert found.naive.value == pytest.approx(1 / 4)
    assert found.control is None
    assert found.risk is not None
    assert found.risk.value == pytest.approx((1 / 2 - 1 / 4) / (3 / 4))


def test_who_is_not_in_the_result_is_joined_less():
    people, others = population(1500, 9), population(1500, 10)
    knowledge = Knowledge(columns=("age", "area", "income", "sex"), attempts=500)
    targets = Targets.of(tables(people, people, in_order=True), knowledge)
    control = Targets.of(tables(others, people), knowledge)
    found = linkability(targets, ["age", "area"], ["income", "sex"], control)
    assert found.control is not None
    assert found.control.value < found.attack.value / 2
    assert found.risk is not None
    assert found.risk.low > 0
