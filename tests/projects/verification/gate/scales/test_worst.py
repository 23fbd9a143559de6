"""Of several tables the worst counts on each scale, and the recipient's safeguards are said as they were assessed."""

from __future__ import annotations

import pytest
from django.utils import translation

from projects.verification.gate.scales.measurement import worst_of
from projects.verification.gate.scales.presentation import scale_rows, scale_statements, severity_statements
from projects.verification.reports.gate import (
    CheckResult,
    Degree,
    Level,
    Overall,
    Report,
    Risk,
    Safeguards,
    Scales,
    Severities,
    TableReport,
)
from projects.verification.reports.stored import text


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


PARTS = ("deliberate", "acquaintance", "breach")


def overall(value, *, passed, **data):
    return Overall.model_validate(
        {
            "data": {"measure": "maximum", "value": value} | data,
            "environment": {"sharing_type": "controlled", "value": 1.0} | dict.fromkeys(PARTS),
            "value": value,
            "threshold": 0.2,
            "passed": passed,
        }
    )


def degree(k, **more):
    found = {
        "k": k, "scenario_coefficient": 0.2, "environment_coefficient": 1.0, "degree": k / 5, "passed": k >= 5,
        "scenario": "external", "scenario_name": "To another organisation", "required_k": 5,
    }  # fmt: skip
    return Degree.model_validate(found | more)


def graded(level, **more):
    figures = {
        "sharing_type": "controlled", "overall": 0.04, "acceptable": 0.05, "classes_at_risk": 0, "maximum": 0.2, "mean": 0.04,
        "context": 1.0, "why": {"message": "x", "code": "risk", "params": {}},
    }  # fmt: skip
    return Level.model_validate({"level": level} | figures | more)


@pytest.mark.parametrize(
    ("levels", "joined", "wanted"),
    [
        ((3, 2), [], 2),
        ((2, 3), [], 2),
        ((4, 3), [True], 3),
        ((3, 4), [True, False], 2),
        ((4, 4), [None], 2),
        ((2, 4), [False], 2),
        ((1, 4), [False], 1),
        ((None, 1), [False], None),
        ((3, None), [], None),
    ],
)
def test_the_level_is_that_of_the_worst_table_and_of_the_joined_view(levels, joined, wanted):
    reports = [TableReport(level=graded(one)) for one in levels]
    checks = [CheckResult(kind="joined", passed=one) for one in joined] + [
        CheckResult(kind="k", passed=False)
    ]
    level, *others = worst_of(reports, checks, "controlled")
    assert level.level == wanted
    assert others == [None, None, None]
    assert (level.why.code == "joined") is (wanted == 2 and min(one or 9 for one in levels) > 2)
    assert worst_of([TableReport()], [], "controlled")[0].level is None


def test_degree_and_overall_risk_are_those_of_the_worst_table():
    """What fails is worse than what passes, and then the greater risk."""
    first = TableReport(
        level=graded(3), degree=degree(5), overall=overall(0.1, passed=True), scales=Scales(agreed=True)
    )
    greater = TableReport(level=graded(3), degree=degree(4), overall=overall(0.15, passed=True))
    failing = TableReport(level=graded(3), degree=degree(9), overall=overall(0.05, passed=False))
    _level, worst, risk, _scales = worst_of([first, greater], [], "controlled")
    assert (worst.k, risk.value) == (4, 0.15)
    for order in ([first, greater, failing], [failing, first, greater]):
        _level, worst, risk, _scales = worst_of(order, [], "controlled")
        assert (worst.k, risk.value, risk.passed) == (4, 0.05, False)
    # What was said of a table that is the worst by every scale holds; nothing can be said without all three.
    assert worst_of([first, first], [], "controlled")[3] is first.scales
    assert worst_of([first, TableReport(level=graded(2))], [], "controlled")[3] is not first.scales
    assert worst_of([TableReport(level=graded(3), degree=degree(5))], [], "controlled")[3] is None


def test_scales_of_different_tables_are_compared_anew():
    first = TableReport(level=graded(3), degree=degree(4), overall=overall(0.1, passed=True))
    other = TableReport(level=graded(3), degree=degree(9), overall=overall(0.15, passed=True))
    *_scales, found = worst_of([first, other], [], "controlled")
    assert found.agreed is False
    assert [one.code for one in found.statements] == ["verdict", "degree", "level", "overall"]
    same = other.model_copy(update={"degree": degree(5), "level": graded(3, mean=0.01)})
    *_scales, found = worst_of([other, same], [], "controlled")
    assert (found.agreed, [one.code for one in found.statements]) == (True, ["agree"])


def degree_row(**more):
    return scale_rows(Report(degree=degree(10, **more)))[0]


ASSESSED = {"capability": "medium", "assessment": 7, "motive": "low"}
GRADES = Safeguards(
    technical_points=2.5, technical="high", management_points=3.5, management="medium", capability="medium"
)


def test_safeguards_are_said_as_they_were_assessed():
    assert (
        degree_row().plain
        == "Scenario: To another organisation. It is reached at 1 or above, here from K = 5."
    )
    assert "safeguards were not assessed" in degree_row(capability="medium").plain
    by_controls = degree_row(**ASSESSED).plain
    assert (
        "by assessment no. 7: controls “Medium”, motive “Low”. The items of T/ISC 0078 C.5 were not asked"
        in by_controls
    )
    assert "coefficient is" not in by_controls
    by_items = degree_row(**ASSESSED, safeguards=GRADES).plain
    assert (
        "technical capability “High” (2.5 of 3), capability of management “Medium” (3.5 of 7). The lower grade"
        in by_items
    )


@pytest.mark.parametrize(
    ("version", "coefficient", "said", "above"),
    [
        (0, 1.0, "the product's default.", False),
        (0, 0.5, "the product's default.", False),
        (1, 1.0, "that of version 1 of the organisation's table.", False),
        (2, 1.01, "that of version 2 of the organisation's table.", True),
    ],
)
def test_the_coefficient_is_said_to_be_whose_it_is(version, coefficient, said, above):
    found = degree_row(
        **ASSESSED, safeguards=GRADES, coefficients=version, environment_coefficient=coefficient
    )
    assert f"Its coefficient is {said}" in found.plain
    assert ("It is above 1" in found.plain) is above


def test_the_formula_of_the_level_has_the_figures_of_its_sharing_type():
    figures = {"maximum": 0.5, "mean": 0.25, "context": 0.1, "overall": 0.025}
    for sharing, sign, product, threshold in (
        ("public", "R_b", "0.5 × 0.1 = 0.05", "1/20"),
        ("controlled", "R_c", "0.25 × 0.1 = 0.025", "1/5"),
        ("enclave", "R_c", "0.25 × 0.1 = 0.025", "1/3"),
    ):
        (row,) = scale_rows(Report(level=graded(3, sharing_type=sharing, **figures)))
        assert row.formula.substituted == f"R = {sign} × pr = {product} < 0.05"
        assert row.formula.terms[0] == ("τ", "highest risk of a class", threshold)
        assert (row.passed, row.value) == (True, "level 3 of 4")
    (row,) = scale_rows(Report(level=graded(2, **figures | {"classes_at_risk": 0.125, "overall": 1})))
    assert row.formula.substituted == "R_a = 0.125 > 0 ⇒ R = 1 ≥ 0.05"
    assert row.passed is False
    (row,) = scale_rows(Report(level=graded(2, **figures | {"overall": 0.05})))
    assert row.formula.substituted.endswith("≥ 0.05")
    (row,) = scale_rows(Report(level=Level(why=text("x"))))
    assert (row.value, row.passed, row.formula) == ("not determined", None, None)


@pytest.mark.parametrize("persons", [None, 9])
@pytest.mark.parametrize(("measure", "sign"), [("maximum", "R_max"), ("strict_average", "R_avg")])
def test_the_overall_risk_is_said_of_what_is_counted(persons, measure, sign):
    found = overall(0.2, passed=True, measure=measure, cap_kept=None if measure == "maximum" else True)
    (row,) = scale_rows(Report(overall=found, risk=Risk(persons=persons)))
    assert (row.formula.expression, row.formula.terms[0][0]) == (f"R = {sign} × P", sign)
    assert row.formula.substituted == "0.2 × 1 = 0.2 ≤ 0.2"
    assert ("person" in row.formula.terms[0][1]) is (persons is not None)
    assert ("maximum risk" in row.formula.terms[0][1]) is (measure == "maximum")
    assert (row.value, "It fails" in row.plain) == ("20 % · accepted", False)
    broken = overall(0.21, passed=False, measure=measure, cap_kept=False, smallest_class=3)
    (row,) = scale_rows(Report(overall=broken, risk=Risk(persons=persons)))
    assert f"a class of fewer than 3 {'records' if persons is None else 'persons'}," in row.plain
    assert row.formula.substituted == "0.21 × 1 = 0.21 > 0.2"
    assert row.value == "21 % · not accepted"


def test_harm_is_said_of_each_table_that_has_any():
    harmful = TableReport(severities=Severities(columns={"ill": "high", "pay": "low"}, threshold=0.05))
    report = Report.of_tables({"a": harmful, "b": TableReport()})
    (said,) = severity_statements(report)
    assert said.startswith("a: Harm when it becomes known: ill (")
    assert "is allowed up to 5 %" in said
    assert severity_statements(Report()) == []
    assert scale_statements(Report()) == []
