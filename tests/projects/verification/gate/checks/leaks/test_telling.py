"""Label, figure and verdict of the check on telling columns go together, also where a person let some stay."""

from __future__ import annotations

import pytest
from django.utils import translation

from projects.verification.wording import translated
from tests.truth.statements.of_files import judge


@pytest.mark.parametrize(
    ("table", "stopping", "exempt"),
    [
        ("few rows, nothing telling", 0, []),
        ("exact birth dates", 1, []),
        ("exact birth dates, by choice", 0, ["备注"]),
        ("six months of ten wards", 2, []),
    ],
)
def test_what_is_counted_are_the_columns_that_nobody_let_stay(table, stopping, exempt):
    found = judge(table).found
    [row] = [one for one in found.checks if one.kind == "telling"]
    assert (row.measured, row.target, row.passed) == (stopping, 0, not stopping)
    assert [one.column for one in found.report.exempt] == exempt
    # A label that denied such columns would be false beside those that are listed as allowed to stay.
    with translation.override("en"):
        label = translated(row.label)
    assert "that nobody said may stay" in label
    assert not label.startswith("No ")
