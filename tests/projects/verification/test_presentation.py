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
