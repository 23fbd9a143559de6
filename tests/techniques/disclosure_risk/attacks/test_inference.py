"""Inference of a secret on tables whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.attacks.attempt import AttackRequest, attack
from techniques.disclosure_risk.attacks.explain import attack_statements
from techniques.disclosure_risk.attacks.inference import inference
from techniques.disclosure_risk.attacks.targets import Knowledge, Targets

from .tables import population, tables


def inferred(found, secret, columns, control=None, **knowledge):
    known = Knowledge(columns=columns, **knowledge)
    others = Targets.of(control, known) if control is not None else None
    return inference(Targets.of(found, known), secret, others)


def test_the_value_that_most_of_a_class_have_is_guessed():
    people = {
        "age": [21, 22, 23, 24, 25, 41, 42],
        "illness": ["flu", "flu", "flu", "hiv", "hiv", "gout", "gout"],
    }
    result = {"age": ["[20,30)"] * 5 + ["[40,50)"] * 2, "illness": people["illness"]}
    found = inferred(tables(people, result, in_order=True), "illness", ("age",))
    # Three of five by flu, both by gout.
    assert found.attack.successes == pytest.approx(3 + 2)
    # Without a flu two of each are left, so that each flu is guessed by half; without a hiv flu is guessed; gout remains gout.
    assert found.left_out
    assert found.control is not None
    assert found.control.successes == pytest.approx(3 * 1 / 2 + 0 + 2)
    # Flu is the most frequent of all.
    assert found.naive.successes == 3
    assert found.risk is not None
    assert found.risk.value == pytest.approx((5 - 3.5) / (7 - 3.5))


def test_who_is_alone_is_inferred_by_the_nearest_of_the_others_where_left_out():
    people = {"age": [20, 30, 60], "illness": ["flu", "hiv", "hiv"]}
    found = inferred(tables(people, people, in_order=True), "illness", ("age",))
    assert found.attack.successes == 3
    # 20 is nearest to 30 (hiv), 30 to 20 (flu), 60 to 30 (hiv).
    assert found.control is not None
    assert found.control.successes == 1


def test_a_number_is_guessed_by_one_near_it():
    people = {"age": [20, 30, 40], "income": [1000, 2000, 3000]}
    result = {"age": [20, 30, 40], "income": [1049, 2101, "[2000,4000)"]}
    found = inferred(tables(people, result, in_order=True), "income", ("age",))
    # Five per cent off is near, more is not; an interval that it lies in says what is so.
    assert found.attack.successes == 2


def test_a_hidden_secret_is_no_guess():
    people = {"age": [20, 30], "illness": ["flu", "hiv"]}
    found = inferred(
        tables(people, {"age": [20, 30], "illness": ["*", "hiv"]}, in_order=True), "illness", ("age",)
    )
    assert found.attack.successes == 1


def test_whose_secret_is_missing_is_not_asked_for():
    people = {"age": [20, 30, 40], "illness": ["flu", None, "hiv"]}
    found = inferred(tables(people, people, in_order=True), "illness", ("age",))
    assert (found.attack.attempts, found.attack.successes) == (2, 2)


def test_made_up_records_infer_no_better_than_of_a_control_group():
    people, others, made = (population(3000, seed) for seed in (1, 2, 3))
    found = inferred(
        tables(people, made, made_up=True),
        "illness",
        ("age", "sex", "area"),
        tables(others, made),
        attempts=1500,
    )
    assert found.control is not None
    assert not found.left_out
    assert found.attack.low <= found.control.high
    assert found.control.low <= found.attack.high
    assert found.risk is not None
    assert found.risk.low == 0.0


def test_an_unprotected_result_tells_of_those_who_are_in_it():
    people, others = population(3000, 1), population(3000, 2)
    found = inferred(
        tables(people, people, in_order=True),
        "illness",
        ("age", "sex", "area", "income"),
        tables(others, people),
        attempts=1000,
    )
    assert found.risk is not None
    assert found.attack.value > 0.98
    assert found.risk.low > 0.9


def test_of_shuffled_columns_the_guess_is_no_better_than_chance():
    people, chance = population(3000, 4), np.random.default_rng(4)
    shuffled = {name: chance.permutation(cells).tolist() for name, cells in people.items()}
    found = inferred(
        tables(people, shuffled, in_order=True), "illness", ("age", "sex", "area"), attempts=1500
    )
    assert found.control is not None
    assert found.control.low <= found.attack.high
    assert found.attack.low <= found.control.high


def test_all_attacks_are_carried_out_and_said():
    people = population(500, 5)
    done: list[float] = []
    found = attack(
        tables(people, people, in_order=True), AttackRequest(known=("age", "sex", "area"), secrets=("illness",), attempts=100),
        tick=done.append,
    )  # fmt: skip
    assert found.linkage is not None
    assert found.linkability is not None
    assert (found.linkability.first, found.linkability.second) == (("age", "sex"), ("area",))
    assert len(found.risks) == 5
    assert done == sorted(done)
    assert done[-1] == 1.0
    said = [str(one) for one in attack_statements(found)]
    assert any("who knows age, sex, area finds the right record of" in one for one in said)
    assert any("guesses illness right of" in one for one in said)


def test_of_made_up_records_none_is_looked_for():
    people, made = population(300, 6), population(300, 7)
    found = attack(tables(people, made, made_up=True), AttackRequest(known=("age",), attempts=50))
    assert (found.linkage, found.linkability) == (None, None)
    assert attack_statements(found)[0].code == "made_up"


def test_what_is_known_is_no_secret():
    people = population(50, 8)
    with pytest.raises(EngineError) as caught:
        attack(tables(people, people), AttackRequest(known=("age",), secrets=("age",)))
    assert caught.value.code == "secret_known"
