"""Nobody gets less than asked for: the check on written files that are as asked, finer, shorter, and without the step."""

from __future__ import annotations

import pytest

from tests.truth.statements.of_personal_levels import judge


@pytest.mark.parametrize(
    ("table", "measured", "passed"),
    [
        ("as asked", 0, True), ("nobody asks", 0, True), ("by hand", 0, True), ("rows gone", 0, True),
        ("one finer", 1, False), ("five finer", 5, False), ("treated before", None, None), ("unreadable", None, None),
    ],
)  # fmt: skip
def test_values_that_are_finer_than_asked_do_not_pass(table, measured, passed):
    (check,) = [one for one in judge(table).found.checks if one.kind == "personal_levels"]
    assert (check.measured, check.passed) == (measured, passed)


def test_without_the_step_nothing_is_checked():
    assert not [one for one in judge("not asked").found.checks if one.kind == "personal_levels"]
