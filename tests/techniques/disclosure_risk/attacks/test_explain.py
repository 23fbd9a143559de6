"""Each sentence about an attack stands where it is true, with its figures, and nowhere else."""

from __future__ import annotations

import pytest

from techniques.disclosure_risk.attacks.attempt import AttackRequest, attack
from techniques.disclosure_risk.attacks.explain import attack_statements, said_of_each

from .tables import tables

PEOPLE = {"age": [20, 21, 30, 31], "sex": ["m", "f", "m", "f"], "illness": ["flu", "flu", "hiv", "flu"]}
TENS = {**PEOPLE, "age": ["[20,30)", "[20,30)", "[30,40)", "[30,40)"]}
OTHERS = {"age": [22, 35, 36], "sex": ["m", "f", "m"], "illness": ["flu", "hiv", "flu"]}


def said(result, *, control=None, known=("age",), secrets=("illness",), **how):
    request = AttackRequest(known=known, secrets=secrets, about=known, attempts=50)
    group = tables(control, result) if control else None
    found = attack(tables(PEOPLE, result, **how), request, group)
    return {one.code: str(one) for one in attack_statements(found)}


def test_how_often_the_insider_succeeds_and_among_how_many():
    alone, tens = said(PEOPLE, in_order=True), said(TENS, in_order=True)
    assert alone["linkage"].startswith(
        "An insider who knows age finds the right record of 100.0 % of 4 persons of the source (95 % interval: 51.0 %"
    )
    assert tens["linkage"].startswith(
        "An insider who knows age finds the right record of 50.0 % of 4 persons"
    )
    assert tens["linkage"].endswith("by taking any record, of 25.0 %.")
    assert alone["linkage_single"] == (
        "For half of the persons 1 record or more look equally near. For 4 of the persons one record alone is nearest; for 4 of these it is the right one."
    )
    assert tens["linkage_single"] == (
        "For half of the persons 2 records or more look equally near. For 0 of the persons one record alone is nearest; for 0 of these it is the right one."
    )


def test_whose_the_records_are_is_said_to_be_unknown_where_it_is():
    assert "by_likeness" in said(PEOPLE)
    assert "by_likeness" not in said(PEOPLE, in_order=True)


def test_made_up_records_have_nobody_to_look_for():
    assert "linkage" not in said(PEOPLE, made_up=True)
    assert said(PEOPLE, made_up=True)["made_up"].startswith("The records of the result were made up")
    assert "made_up" not in said(PEOPLE, in_order=True)


def test_whether_there_is_a_predicate_at_all():
    alone, tens = said(PEOPLE, in_order=True), said(TENS, in_order=True)
    assert alone["univariate"].startswith(
        "Of 6 predicates about one column that fit one record of the result alone, 100.0 % single out a person"
    )
    # One column of two classes: the outermost numbers of each are those of two records.
    assert (
        tens["univariate_none"]
        == "No predicate about one of the columns age fits one record of the result alone."
    )
    assert "univariate" not in tens
    assert tens["multivariate_none"] == (
        "No predicate about several of the columns age was found that fits one record of the result alone."
    )
    both = said(TENS, known=("age", "sex"), in_order=True)
    assert both["multivariate"].startswith(
        "Of 4 predicates about several columns that fit one record of the result alone, 100.0 %"
    )


def test_two_halves_need_two_columns():
    assert "linkability" not in said(TENS, in_order=True)
    joined = said(TENS, known=("age", "sex"), in_order=True)["linkability"]
    # The age leads to one of two, the sex to one of two, which have one record in common.
    assert joined.startswith(
        "Who holds age of a person, and elsewhere sex, is led to one and the same record for 25.0 % of 4 persons"
    )
    assert joined.endswith("by taking any two records, for 25.0 %.")


def test_what_is_inferred_and_without_whom():
    alone = said(PEOPLE, in_order=True)
    assert alone["inference"].startswith("Who knows age guesses illness right of 100.0 % of 4 persons")
    assert alone["inference"].endswith("by always guessing the most frequent value, of 75.0 %.")
    # 20 and 21 are each other's nearest; of 30 it is 31 and of 31 it is 30.
    assert alone["inference_control"].startswith(
        "With each person's own records taken out of the result it succeeds in 50.0 % of the cases"
    )
    assert alone["inference_risk"].startswith(
        "Where it fails without a person's own records it succeeds with them in 100.0 % of the cases"
    )


def test_the_control_group_is_said_where_there_is_one():
    without, with_one = said(PEOPLE, in_order=True), said(PEOPLE, control=OTHERS, in_order=True)
    # 22 is nearest to 21 (flu, right), 35 and 36 to 31 (flu: wrong and right).
    assert with_one["inference_control"].startswith(
        "Against persons who are not in the result it succeeds in 66.7 % of the cases"
    )
    assert with_one["inference_risk"].startswith(
        "Where the attack on the control group fails it succeeds in 100.0 % of the cases"
    )
    assert with_one["univariate_control"].startswith("Against persons who are not in the result")
    assert "univariate_control" not in without
    assert without["univariate_risk"].startswith("Where chance fails it succeeds in")
    assert without["univariate_risk"].endswith("there was no control group.")


def test_where_nothing_is_left_to_do_better_that_is_said():
    same = {**PEOPLE, "illness": ["flu"] * 4}
    request = AttackRequest(known=("age",), secrets=("illness",), about=("age",))
    found = attack(tables(same, same, in_order=True), request)
    codes = [one.code for one in attack_statements(found)]
    assert "inference_risk_none" in codes
    assert "inference_risk_none" not in said(PEOPLE, in_order=True)


def test_each_attack_has_what_it_is_held_against():
    request = AttackRequest(known=("age", "sex"), secrets=("illness",), about=("age", "sex"))
    found = attack(tables(PEOPLE, TENS, in_order=True), request)
    each = said_of_each(found)
    assert [one.attack for one in each] == [
        "linkage",
        "singling_out",
        "singling_out",
        "linkability",
        "inference",
    ]
    linked, inferred = each[0], each[-1]
    assert (linked.rate.value, linked.other.value) == (1.0, 0.25)
    assert inferred.secret == "illness"
    assert inferred.other == found.inference[0].control
    for one in each:
        if one.risk is not None:
            better = (one.rate.value - one.other.value) / (1 - one.other.value)
            assert one.risk.value == pytest.approx(max(0.0, better))
