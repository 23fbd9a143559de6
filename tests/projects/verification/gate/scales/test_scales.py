"""Degree, level and overall risk: one truth for the command line and the portal, and a sentence where they differ."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from fractions import Fraction

import pytest
from django.utils import translation

from approvals.decisions.models import SignOff
from projects.objective.surroundings.coefficients import SHIPPED, Coefficients
from projects.objective.targets.risk import RiskTargets, risk_defaults
from projects.verification.gate.case import Case, Table
from projects.verification.gate.measurement import measure
from projects.verification.gate.scales.measurement import worst_of
from projects.verification.gate.scales.presentation import degree_statement, scale_rows, scale_statements
from projects.verification.reports.gate import CheckResult, Report
from techniques.cli.main import main
from techniques.core.attributes import AttributeRole
from techniques.disclosure_risk.scales.degree import Capability
from techniques.recipe.recipe import Recipe
from techniques.tables import detect
from tests.truth.tables import judged, people, written_of

FOUND = {
    "number": 3, "controls": "low", "motive": "medium", "deliberate": 0.5, "acquaintance": 0.13936, "breach": 0.1,
}  # fmt: skip


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def case(sizes: tuple[int, ...], sharing: str, risk: RiskTargets | None = None, header: str = "a") -> Case:
    text = f"{header}\n" + "".join(f"v{number}\n" * size for number, size in enumerate(sizes))
    content = text.encode()
    table = Table(lambda: io.BytesIO(content), detect(io.BytesIO(content)), sum(sizes))
    steps = [{"technique": "as_is", "columns": [header], "parameters": {"reason": "for this test"}}]
    return Case(
        source=table,
        result=table,
        recipe=Recipe.from_data({"recipe": 1, "steps": steps}),
        roles={header: AttributeRole.QUASI_IDENTIFIER},
        risk=risk or risk_defaults(sharing),
        utility=[],
        file_name="t.csv",
        result_sha256="same",
        rows_in=sum(sizes),
        sharing_type=sharing,
    )


def scales(made: Case) -> Report:
    return measure({"": replace(made, read_sha256="same")}, [], lambda share: None).report


@pytest.mark.parametrize(
    ("sharing", "circulation", "k", "value"),
    [
        ("controlled", None, 5, 0.8),
        ("controlled", "internal", 3, 4 / 3),
        ("enclave", None, 3, 4 / 3),
        ("enclave", "external", 5, 0.8),
    ],
)
def test_the_degree_goes_by_how_far_the_target_says_the_data_travel(sharing, circulation, k, value):
    targets = RiskTargets(**risk_defaults(sharing).model_dump() | {"circulation": circulation})
    found = scales(case((4, 40), sharing, targets)).degree
    assert found.required_k == k
    assert found.degree == pytest.approx(value)
    assert found.passed == (value >= 1)
    assert found.scenario == ("internal" if k == 3 else "external")


@pytest.mark.parametrize("sharing", ["enclave", "controlled", "public"])
@pytest.mark.parametrize("sizes", [(4, 40), (20, 20), (30, 60)])
def test_the_portal_and_the_command_line_say_the_same(sizes, sharing, tmp_path, capsys):
    targets = risk_defaults(sharing)
    path = tmp_path / "t.csv"
    path.write_text("a\n" + "".join(f"v{number}\n" * size for number, size in enumerate(sizes)))
    assessed = {**FOUND, "controls": "medium", "deliberate": 0.3}
    # The command line has the same context: medium controls and motive, and the acquaintance of its defaults.
    threshold = f"{targets.overall_threshold}"
    options = ["--qi", "a", "--sharing", sharing, "--threshold", threshold, "--breach", "0.1", "--json"]
    main(["evaluate", str(path), *options])
    figures = json.loads(capsys.readouterr().out)
    found = scales(
        replace(
            case(sizes, sharing, targets.model_copy(update={"context_risk": figures["level"]["context"]})),
            assessment=assessed,
        )
    )
    for name in ("k", "degree", "passed"):
        assert getattr(found.degree, name) == figures["degree"][name]
    for name in ("level", "classes_at_risk", "maximum", "mean", "overall"):
        assert getattr(found.level, name) == pytest.approx(figures["level"][name], abs=1e-5)
    assert found.overall.value == pytest.approx(figures["overall"]["value"], abs=1e-5)
    assert found.overall.passed is figures["overall"]["passed"]
    assert found.scales.agreed is figures["agreed"]
    said = [item.code for item in found.scales.statements]
    assert said == [item["code"] for item in figures["statements"]]


def test_one_class_too_small_is_level_2_though_the_targets_allow_it():
    allowed = RiskTargets(k=3, measure="max", max_risk=0.5, overall_threshold=0.5)
    found = scales(case((4, 400), "controlled", allowed))
    assert (found.level.level, found.level.overall) == (2, 1.0)
    assert found.level.classes_at_risk == 0.5
    assert found.overall.passed is True
    verdict = scale_statements(found)[0]
    assert "Only the overall risk of GB/T 37964 says yes" in verdict
    assert [row.passed for row in scale_rows(found) if row.has_threshold] == [False, False, True]


def test_without_quasi_identifiers_all_records_are_one_class_unless_they_were_made_up():
    """Level 4: nobody can be looked for. Made-up quasi-identifiers are no persons' at all, and beside real ones they count for nothing."""
    plain = replace(case((10, 40), "controlled"), roles={})
    found = scales(plain)
    assert (found.level.level, found.degree, found.risk) == (4, None, None)
    assert found.level.maximum == 1 / 50
    nobody = scales(replace(case((), "controlled"), roles={}))
    assert (nobody.level.level, nobody.level.maximum) == (4, 1.0), "the stricter one of a table without rows"
    made = [{"technique": "synthesis.sequential", "columns": ["a"], "result": {"rows": 50}}]
    invented = scales(replace(case((10, 40), "controlled"), steps=made))
    assert invented.level.level is None
    assert "made up" in invented.level.why.message
    both = replace(case((10, 40), "controlled", header="a,b"), steps=made)
    text = ("a,b\n" + "x,1\n" * 30 + "x,2\n" * 20).encode()
    both = replace(
        both,
        source=replace(both.source, open=lambda: io.BytesIO(text)),
        result=replace(both.result, open=lambda: io.BytesIO(text)),
        roles=dict.fromkeys("ab", AttributeRole.QUASI_IDENTIFIER),
    )
    assert scales(both).level.level is not None


def test_data_in_an_enclave_stay_within_the_organisation():
    found = scales(case((4, 40), "enclave"))
    assert found.degree.scenario == "internal"
    assert found.degree.degree == pytest.approx(4 / 3)
    assert found.degree.passed is True


def test_the_assessment_of_the_surroundings_is_asked():
    plain = scales(case((6, 40), "controlled"))
    assert plain.degree.degree == pytest.approx(1.2)
    found = scales(replace(case((6, 40), "controlled"), assessment=FOUND))
    assert (found.degree.degree, found.degree.passed) == (pytest.approx(0.6), False)
    assert found.level.context == 0.5
    assert any("Assessment no. 3 found 0.5" in said for said in scale_statements(found))
    degree = scale_rows(found)[0]
    assert "assessment no. 3" in degree.plain
    assert degree.formula.substituted == "6 × 0.2 × 0.5 = 0.6"


def test_the_items_of_c_5_and_the_organisations_table_give_the_coefficient():
    safeguards = {
        "technical_points": 3.0, "technical": "high", "management_points": 2.5, "management": "low", "capability": "low",
    }  # fmt: skip
    assessed = {**FOUND, "controls": "high", "safeguards": safeguards}
    own = Coefficients(2, {**SHIPPED.of, Capability.LOW: Fraction(3, 4), Capability.HIGH: Fraction(6, 5)})
    made = replace(case((6, 40), "controlled"), assessment=assessed, coefficients=own)
    found = scales(made)
    assert (found.degree.degree, found.degree.required_k) == (pytest.approx(0.9), 7)
    assert (found.degree.coefficients, found.degree.capability) == (2, "low")
    plain = scale_rows(found)[0].plain
    assert "technical capability “High” (3 of 3), capability of management “Low” (2.5 of 7)" in plain
    assert "version 2 of the organisation's table" in plain
    assert "above 1" not in plain
    strong = {**safeguards, "management": "high", "management_points": 7.0, "capability": "high"}
    found = scales(replace(made, assessment={**assessed, "safeguards": strong}))
    assert (found.degree.environment_coefficient, found.degree.required_k) == (1.2, 5)
    assert "It is above 1" in scale_rows(found)[0].plain
    # What was measured by an assessment of before goes by the grade of the controls, and says so.
    found = scales(replace(made, assessment={**FOUND, "controls": "low"}, coefficients=SHIPPED))
    assert found.degree.degree == pytest.approx(0.6)
    plain = scale_rows(found)[0].plain
    assert "The items of T/ISC 0078 C.5 were not asked" in plain
    assert "the product's default" in plain


@pytest.mark.parametrize(
    ("smallest", "threshold", "said"),
    [(5, 0.2, "0.2 × 1 = 0.2 ≤ 0.2"), (4, 0.2, "0.25 × 1 = 0.25 > 0.2"), (10, 0.2, "0.1 × 1 = 0.1 ≤ 0.2")],
)
def test_the_overall_risk_stands_beside_its_threshold_as_it_passes(smallest, threshold, said):
    targets = RiskTargets(k=2, measure="max", max_risk=0.5, overall_threshold=threshold)
    row = scale_rows(scales(case((smallest, 40), "controlled", targets)))[2]
    assert row.formula.substituted == said
    assert row.passed is ("≤" in said)


def test_every_scale_has_its_formula_with_the_real_values():
    rows = scale_rows(scales(case((10, 40), "controlled")))
    assert [row.formula.substituted for row in rows] == [
        "10 × 0.2 × 1 = 2",
        "R = R_c × pr = 0.0625 × 1 = 0.0625 ≥ 0.05",
        "0.04 × 1 = 0.04 ≤ 0.05",
        # One column and no sensitive attribute: once it is known nothing is left to lay open.
        "(0.1279 × 0.9967) × (0.1279 × 0) = 0.1275 × 0 = 0",
    ]
    before = {"level": {"level": 3, "why": {"message": "x", "params": {}}}, "degree": None}
    assert [row.formula for row in scale_rows(Report.model_validate(before))] == [
        None
    ]  # a measurement of earlier days


@pytest.mark.parametrize(
    ("sharing", "name", "coefficient", "needed"),
    [
        ("enclave", "Within the organisation", "0.3333", 3),
        ("controlled", "To another organisation", "0.2", 5),
        ("public", "To the public", "0.05", 20),
    ],
)
def test_the_scenario_of_table_c_1_stands_beside_the_degree(sharing, name, coefficient, needed):
    """1/3, 1/5 and 1/20: with good safeguards the degree is 1 from three, five and twenty records on."""
    found = scales(case((10, 40), sharing))
    row = next(row for row in scale_rows(found) if row.label == "Degree of anonymisation by T/ISC 0078")
    assert row.plain.startswith(f"Scenario: {name}. It is reached at 1 or above, here from K = {needed}.")
    assert ("scenario", name, coefficient) in row.formula.terms
    assert row.passed is (needed <= 10)
    assert row.value.endswith(" · reached" if needed <= 10 else " · not reached")
    said = degree_statement(found.degree, None)
    assert f"K is 10, and {needed} is required ({name})." in said
    old = found.degree.model_copy(update={"scenario_name": ""})
    assert f"and {needed} is required (–)." in degree_statement(old, None), "of a measurement of earlier days"


@pytest.mark.parametrize(
    ("decision", "acceptance", "then"),
    [
        (None, None, "Approving it requires a separate reason"),
        ("returned", "", "Approving it requires a separate reason"),
        ("rejected", "", "Approving it requires a separate reason"),
        ("approved", None, "It was approved before a separate reason was required for accepting that."),
        ("approved", "Few and bound.", "Senior management accepts that: “Few and bound”."),
    ],
)
def test_a_degree_below_one_says_what_management_made_of_it(decision, acceptance, then):
    found = scales(case((10, 40), "public")).degree
    signoff = SignOff(decision=decision, acceptance=acceptance) if decision else None
    said = degree_statement(found, signoff)
    assert said.startswith("The degree of anonymisation by T/ISC 0078 is 0.5, below 1:")
    assert then in said
    assert ("requires a separate reason from" in said) is (decision != "approved")


def test_of_several_tables_the_worst_counts():
    good, bad = scales(case((30, 30), "controlled")), scales(case((4, 40), "controlled"))
    level, degree, _overall, found = worst_of([good, bad], [], "controlled")
    assert (level.level, degree.k) == (2, 4)
    assert found.statements
    joined = [CheckResult(kind="joined", passed=False)]
    level, _degree, _overall, found = worst_of([good], joined, "controlled")
    assert level.level == 2
    assert any("joined tables" in item.message for item in found.statements)


def test_public_data_is_claim_state_the_smallest_class():
    found = scales(case((20, 20), "public"))
    said = " ".join(scale_statements(found))
    assert "mean over classes" not in said
    assert "the risk of the smallest class, 0.05" in said


def test_without_a_quasi_identifier_the_whole_table_is_one_class_and_somebody_tries():
    """Level 4, and the figures that it rests on: one class of all rows, whatever was assessed of the surroundings."""
    found = judged(people(10), written_of(people(10), "诊断")).found.report.level
    assert found is not None
    assert (found.level, found.context, found.maximum, found.overall) == (4, 1, 0.1, 0.1)
