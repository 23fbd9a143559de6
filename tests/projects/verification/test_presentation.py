"""What two measurements answer differently, told by check and not by the words of its label."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.utils import translation

from projects.verification.models import Verification
from projects.verification.presentation import measured_changes
from projects.verification.reports.gate import CheckResult
from projects.verification.reports.stored import text
from projects.verification.wording import KEPT_MESSAGES

THEN = "No column outside the quasi-identifiers tells the records apart"
NOW = "Columns outside the quasi-identifiers that tell the records apart and that nobody said may stay"


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


def measured(*rows: tuple[str, str, int]) -> Verification:
    results = [
        CheckResult(
            kind=kind, label=text(label), target=0, measured=number, passed=not number, unit="count", sense="at_most"
        )
        for kind, label, number in rows
    ]  # fmt: skip
    return cast(Verification, SimpleNamespace(results=results))


def test_a_label_put_otherwise_is_no_change_of_what_was_measured():
    assert THEN in KEPT_MESSAGES
    assert measured_changes(measured(("telling", THEN, 0)), measured(("telling", NOW, 0))) == []
    changed: Any = measured_changes(measured(("telling", THEN, 2)), measured(("telling", NOW, 0)))
    assert changed == [(NOW, "2 · Did not pass", "0 · Passed")]


def test_rows_of_one_check_are_told_apart_by_their_labels():
    before = measured(("diversity", "a", 0), ("diversity", "b", 1))
    assert measured_changes(before, measured(("diversity", "a", 1), ("diversity", "b", 1))) == [
        ("a", "0 · Passed", "1 · Did not pass")
    ]
    assert measured_changes(before, measured(("diversity", "b", 1), ("diversity", "c", 0))) == [
        ("a", "0 · Passed", ""),
        ("c", "", "0 · Passed"),
    ]


def utility(label: str, columns: str, number: int, target: int = 0, table: str = "") -> CheckResult:
    return CheckResult(
        kind="utility", label=text(label).model_copy(update={"columns": columns}), target=target, measured=number,
        passed=number <= target, unit="count", sense="at_most", table=table,
    )  # fmt: skip


def changes(before: list[CheckResult], now: list[CheckResult]) -> list[tuple[str, str, str]]:
    was, is_now = (cast(Verification, SimpleNamespace(results=one)) for one in (before, now))
    return measured_changes(was, is_now)


def test_one_target_in_the_place_of_another_is_two_rows_also_where_they_measured_the_same():
    mean, rows = utility("Mean", "age", 3), utility("Rows retained", "", 0)
    assert changes([mean], [rows]) == [
        ("Mean: age", "3 · Did not pass", ""),
        ("Rows retained", "", "0 · Passed"),
    ]
    assert changes([mean], [utility("Mean", "income", 3)]) == [
        ("Mean: age", "3 · Did not pass", ""),
        ("Mean: income", "", "3 · Did not pass"),
    ]


def test_a_target_that_was_there_before_is_no_change_when_another_joins_it():
    mean = utility("Mean", "age", 3)
    assert changes([mean], [utility("Rows retained", "", 0), mean]) == [("Rows retained", "", "0 · Passed")]
    assert changes([mean, utility("Mean", "age", 3, table="visits")], [mean]) == [
        ("visits: Mean: age", "3 · Did not pass", "")
    ]


def test_two_promises_of_one_column_are_told_apart_by_what_is_promised():
    assert changes([utility("Mean", "age", 3)], [utility("Mean", "age", 3, target=5), utility("Mean", "age", 3)]) == [
        ("Mean: age", "", "3 · Passed")
    ]  # fmt: skip
    # What is asked for may change; of one row it is the same check.
    assert changes([utility("Mean", "age", 3)], [utility("Mean", "age", 3, target=5)]) == [
        ("Mean: age", "3 · Did not pass", "3 · Passed")
    ]
