"""The harm that a sensitive attribute does bounds the overall risk, and is said where somebody said it."""

from __future__ import annotations

import pytest
from django.utils import translation

from projects.verification.gate.scales.presentation import severity_statements
from projects.verification.reports.gate import Measurement
from tests.truth.released import released, step

# Classes of twelve and more: an overall risk between 0.05 and 0.1.
_AGES = step("generalization.intervals", "年龄", width=20)
_COLUMNS = ["性别", "年龄", "地区", "诊断", "费用"]


def overall(found: Measurement) -> list[tuple[float | int | None, bool | None]]:
    return [(check.target, check.passed) for check in found.checks if check.kind == "overall"]


def said(found: Measurement) -> str:
    with translation.override("en"):
        return " ".join(severity_statements(found.report))


@pytest.mark.parametrize(
    ("severities", "target", "threshold", "passed"),
    [
        ({}, 0.1, 0.1, True),
        ({"诊断": "high", "费用": "low"}, 0.1, 0.05, False),
        ({"诊断": "medium"}, 0.2, 0.075, None),
        ({"费用": "low"}, 0.2, 0.1, True),
        ({"诊断": "low"}, 0.05, 0.05, False),
        ({"住址": "high"}, 0.1, 0.1, True),
    ],
    ids=["not said", "great", "medium", "little", "the target is less", "not in the result"],
)
def test_the_most_harmful_attribute_of_the_result_bounds_the_overall_risk(
    severities: dict[str, str], target: float, threshold: float, passed: bool | None
) -> None:
    found = released(_COLUMNS, _AGES, severities=severities, k=2, max_risk=0.5, overall_threshold=target)
    risk = found.report.risk
    assert risk is not None
    assert 0.05 < risk.max_risk <= 0.1
    ((bound, met),) = overall(found)
    assert bound == threshold
    assert met is (risk.max_risk <= threshold)
    assert passed in (None, met)
    assert found.report.overall is not None
    assert found.report.overall.threshold == threshold


def test_the_most_harmful_is_named_first_and_nothing_where_nobody_said() -> None:
    found = released(_COLUMNS, _AGES, severities={"费用": "low", "诊断": "high"}, k=2, max_risk=0.5)
    assert "诊断 (Great harm), 费用 (Little harm)" in said(found)
    assert "up to 5 %" in said(found)
    silent = released(_COLUMNS, _AGES, k=2, max_risk=0.5)
    assert said(silent) == ""
    assert "severities" not in silent.report.as_json()
