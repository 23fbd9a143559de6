"""Made-up rows that tell of somebody who stands alone are named in the gate, and only those."""

from __future__ import annotations

from projects.processing.runs.findings import OUTLIERS
from tests.truth.released import patients, released, step

_TREES = step("synthesis.sequential", "性别", "费用", leaf_rows=20)


def _named(*fees: str) -> list[dict[str, str]]:
    rows = [dict(row) for row in patients()]
    for row, fee in zip(rows, fees, strict=False):
        row["费用"] = fee
    found = released(["性别", "费用"], _TREES, rows=rows)
    (check,) = (one for one in found.checks if one.kind == "made_up_rows")
    return [dict(one.params) for one in check.details if one.message == OUTLIERS]


def test_a_fee_of_ten_millions_is_named() -> None:
    (said,) = _named("9999999", "9999999")
    assert (said["column"], said["rows"]) == ("费用", "2")
    assert int(said["made"]) > 0


def test_ordinary_fees_are_not() -> None:
    assert _named() == []
