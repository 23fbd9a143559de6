"""What the gate says of attacks on the result: on tables of which it is true, and on tables of which it is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from techniques.core.attributes import AttributeRole
from techniques.core.messages import filled
from techniques.recipe.recipe import Recipe
from tests.projects.verification.gate.checks.test_checks import clinic, measured

pytestmark = pytest.mark.django_db
Q, S = AttributeRole.QUASI_IDENTIFIER, AttributeRole.SENSITIVE_ATTRIBUTE


def rows_of(case):
    found = measured(case).checks
    return {
        (one.measure, dict(one.label.params).get("column", "")): one for one in found if one.kind == "attacks"
    }


def table(*lines):
    return "q,s\n" + "".join(f"{line}\n" for line in lines)


def said(row):
    return [filled(one.message, one.params) for one in [row.plain, *row.details]]


ALONE = table(*(f"{age},{'abcd'[age % 4]}" for age in range(20, 60)))
TENS = table(*(f"[{age // 10 * 10};{age // 10 * 10 + 10}),{'abcd'[age % 4]}" for age in range(20, 60)))


def test_nothing_is_tried_where_nobody_asks():
    assert rows_of(clinic(ALONE, ALONE)) == {}


def test_an_unprotected_result_is_stopped_by_each_attack():
    rows = rows_of(clinic(ALONE, ALONE, attacks=0.1))
    assert set(rows) == {("linkage", ""), ("singling_out", ""), ("inference", "s")}
    assert [row.passed for row in rows.values()] == [False, False, False]
    linkage = rows["linkage", ""]
    assert linkage.measured == pytest.approx(1.0)
    assert "finds the right record of 100.0 % of 40 persons" in said(linkage)[0]
    assert (
        "For 40 of the persons one record alone is nearest; for 40 of these it is the right one."
        in said(linkage)[1]
    )
    assert linkage.remedies[0].params == {"columns": "q"}
    assert linkage.formula.startswith("(100 % − 2.5 %) / (1 − 2.5 %) = 100")


def test_a_generalised_result_is_found_as_often_as_its_classes_say():
    rows = rows_of(clinic(ALONE, TENS, attacks=0.1))
    linkage = rows["linkage", ""]
    # Ten of a class: (1/10 - 1/40) / (1 - 1/40).
    assert linkage.measured == pytest.approx((0.1 - 0.025) / (1 - 0.025))
    assert linkage.passed
    singled = rows["singling_out", ""]
    assert (singled.measured, singled.passed) == (0.0, True)
    assert said(singled)[0].startswith("No predicate about")


def test_a_bound_is_kept_where_it_is_reached_exactly():
    found = rows_of(clinic(ALONE, TENS, attacks=(0.1 - 0.025) / (1 - 0.025)))["linkage", ""]
    assert found.passed
    assert not rows_of(clinic(ALONE, TENS, attacks=0.07))["linkage", ""].passed


def test_whose_the_records_are_is_taken_from_what_the_run_wrote_down():
    source = "p,q,s\n" + "".join(f"{age},{age},{'ab'[age % 2]}\n" for age in range(20, 60))
    written = "q,s\n" + "".join(f"{age},{'ab'[age % 2]}\n" for age in reversed(range(20, 60)))
    case = replace(
        clinic(source, written, attacks=0.5),
        person_key=("p",),
        subjects=lambda: np.arange(39, -1, -1),
    )
    known = rows_of(case)["linkage", ""]
    assert known.measured == pytest.approx(1.0)
    assert not any("Nobody wrote down" in one for one in said(known))
    # As if the records were others': nobody is found, however much a record looks like somebody's row.
    crossed = replace(case, subjects=lambda: np.roll(np.arange(40), 7))
    assert rows_of(crossed)["linkage", ""].measured < 0.1
    by_likeness = rows_of(clinic(ALONE, ALONE, attacks=0.5))["linkage", ""]
    assert any("Nobody wrote down" in one for one in said(by_likeness))


def test_the_order_of_the_records_says_whose_they_are_where_it_was_kept():
    case = clinic(ALONE, ALONE, attacks=0.5)
    kept = replace(case, recipe=Recipe.from_data({**case.recipe.model_dump(mode="json"), "order": "kept"}))
    assert not any("Nobody wrote down" in one for one in said(rows_of(kept)["linkage", ""]))


def test_who_knows_with_errors_finds_fewer():
    exact = rows_of(clinic(ALONE, ALONE, attacks=0.1))["linkage", ""]
    noisy = rows_of(clinic(ALONE, ALONE, attacks=0.1, attacks_known="noisy"))["linkage", ""]
    assert noisy.measured < exact.measured / 1.5


def test_a_secret_that_a_class_gives_away_is_inferred():
    alike = table(*(f"{age // 10 * 10},{'ab'[age // 10 % 2]}" for age in range(20, 60)))
    rows = rows_of(clinic(alike, alike, attacks=0.1))
    inferred = rows["inference", "s"]
    # All of a class have one value; the rest of the class says it too, so that it is not owed to the person's own record.
    assert "guesses s right of 100.0 % of 40 persons" in said(inferred)[0]
    assert (
        "With each person's own records taken out of the result it succeeds in 100.0 % of the cases"
        in said(inferred)[1]
    )
    assert inferred.measured == 0.0
    assert "nothing is left" in said(inferred)[2]


def test_records_that_say_nothing_leave_nothing_to_attack_by():
    case = clinic(ALONE, table(*(f"*,{'abcd'[age % 4]}" for age in range(20, 60))), attacks=0.0)
    (row,) = rows_of(case).values()
    assert (row.measured, row.passed) == (0.0, True)
    assert said(row) == [
        "No quasi-identifier is left that says anything to somebody who knows a person, so there is nothing to attack by."
    ]
    assert "No quasi-identifier" not in said(rows_of(clinic(ALONE, ALONE, attacks=0.0))["linkage", ""])[0]


def test_made_up_records_wait_for_a_control_group():
    case = clinic(ALONE, ALONE, attacks=0.5)
    steps = [{"technique": "synthesis.private", "columns": ["q", "s"], "result": {"rows": 40}}]
    (row,) = rows_of(replace(case, steps=steps)).values()
    assert row.passed is None
    assert said(row)[0].startswith("The records were made up. Without persons of the same kind")


def test_groups_are_no_records_of_persons():
    case = clinic(ALONE, table("20,a", "30,b"), attacks=0.0)
    steps = [
        {
            "technique": "statistical.aggregation",
            "columns": ["q"],
            "result": {"cell_sizes": [[20, 2]], "grouped_by": ["q"]},
        }
    ]
    (row,) = rows_of(replace(case, steps=steps)).values()
    assert row.passed
    assert said(row) == ["Each record stands for a group, so there is no record of a person to look for."]


def test_the_same_result_is_attacked_in_the_same_way():
    case = clinic(ALONE, ALONE, attacks=0.5, attacks_known="noisy")
    one, again = (rows_of(case)["linkage", ""] for _ in range(2))
    assert one == again
    assert rows_of(replace(case, result_sha256="other", read_sha256="other"))["linkage", ""] != one
