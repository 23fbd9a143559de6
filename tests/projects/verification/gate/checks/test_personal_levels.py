"""Nobody gets less than asked for: the check on written files that are as asked, finer, shorter, and without the step."""

from __future__ import annotations

import pytest

from techniques.core.messages import EngineError
from tests.truth.statements.of_personal_levels import judge, levels_treated, ran_with_levels, with_levels


@pytest.mark.parametrize(
    ("table", "measured", "passed"),
    [
        ("as asked", 0, True), ("nobody asks", 0, True), ("by hand", 0, True), ("rows gone", 0, True),
        ("of persons", 0, True), ("of persons, row by row", 24, False), ("one finer", 1, False), ("five finer", 5, False), ("treated before", None, None), ("unreadable", None, None),
    ],
)  # fmt: skip
def test_values_that_are_finer_than_asked_do_not_pass(table, measured, passed):
    (check,) = [one for one in judge(table).found.checks if one.kind == "personal_levels"]
    assert (check.measured, check.passed) == (measured, passed)


@pytest.mark.parametrize("cell", ["0", "-1", "0.5", "1.5", "1e1", "1_0", "２", "nan"])
def test_a_cell_that_the_run_refuses_is_no_level_for_the_gate_either(cell):
    (check,) = [one for one in with_levels(cell).found.checks if one.kind == "personal_levels"]
    assert (check.measured, check.passed) == (None, None)
    with pytest.raises(EngineError):
        ran_with_levels(cell)


@pytest.mark.parametrize("cell", ["2", " 2 ", "+2", "02", "2.0"])
def test_a_level_may_be_written_in_several_ways(cell):
    (check,) = [one for one in with_levels(cell).found.checks if one.kind == "personal_levels"]
    assert (check.measured, check.passed) == (0, True)
    assert {text.params["level"] for text in check.details} == {2}
    (check,) = [one for one in ran_with_levels(cell).found.checks if one.kind == "personal_levels"]
    assert (check.measured, check.passed) == (0, True)


@pytest.mark.parametrize(
    ("technique", "parameters", "passed"),
    [
        ("suppression.mask", {"keep_left": 1}, None),
        ("synthesis.sequential", {"leaf_rows": 20}, None),
        ("as_is", {"reason": "of this test"}, True),
    ],
)
def test_levels_that_another_step_makes_tell_nothing(technique, parameters, passed):
    (check,) = [
        one for one in levels_treated(technique, parameters).found.checks if one.kind == "personal_levels"
    ]
    assert check.passed is passed


def test_without_the_step_nothing_is_checked():
    assert not [one for one in judge("not asked").found.checks if one.kind == "personal_levels"]
