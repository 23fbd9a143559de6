"""Environment risk, overall risk and the degree of anonymisation."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.measure import measure
from techniques.disclosure_risk.scales.degree import Capability, Scenario, degree, required_k
from techniques.disclosure_risk.scales.environment import (
    CONTROLS,
    ESSENTIAL,
    MOTIVES,
    TABLE_B_1,
    Level,
    acquaintance,
    control_level,
    data_risk,
    deliberate,
    environment,
    motive_level,
    overall,
)
from tests.techniques.disclosure_risk.test_measure import batches


def answers(items, value: float) -> dict[str, float]:
    return {item.code: value for item in items}


def test_table_b_1() -> None:
    assert (len(CONTROLS), len(MOTIVES), len(TABLE_B_1)) == (11, 4, 9)
    rows = [
        [deliberate(c, m) for m in (Level.LOW, Level.MEDIUM, Level.HIGH)]
        for c in (Level.HIGH, Level.MEDIUM, Level.LOW)
    ]
    assert rows == [[0.05, 0.1, 0.2], [0.2, 0.3, 0.4], [0.4, 0.5, 0.6]]


def test_levels() -> None:
    assert control_level(answers(CONTROLS, 1)) == Level.HIGH
    assert control_level(answers(CONTROLS, 1) | {"confidentiality": 0.5}) == Level.MEDIUM
    assert control_level(answers(CONTROLS, 0.5)) == Level.LOW
    assert control_level(answers(CONTROLS, 0)) == Level.LOW
    assert [motive_level(answers(MOTIVES, v)) for v in (0, 0.5, 1)] == [Level.LOW, Level.MEDIUM, Level.HIGH]
    with pytest.raises(EngineError):
        control_level({})
    with pytest.raises(EngineError):
        motive_level(answers(MOTIVES, 0.3))


def test_grades_begin_at_their_sums() -> None:
    """High from 9 of 11 and medium from 6; motive high from 2.5 of 4 and medium from 1; essential ones first."""
    order = sorted((item.code for item in CONTROLS), key=lambda code: code not in ESSENTIAL)
    for total, grade in (
        (11, Level.HIGH),
        (9, Level.HIGH),
        (8.5, Level.MEDIUM),
        (6, Level.MEDIUM),
        (5.5, Level.LOW),
    ):
        given = {code: min(1.0, max(0.0, total - place)) for place, code in enumerate(order)}
        assert control_level(given) == grade, total
    for essential in ESSENTIAL:
        assert control_level(answers(CONTROLS, 1) | {essential: 0.5}) == Level.MEDIUM
    for total, grade in ((2.5, Level.HIGH), (2, Level.MEDIUM), (1, Level.MEDIUM), (0.5, Level.LOW)):
        given = {item.code: min(1.0, max(0.0, total - place)) for place, item in enumerate(MOTIVES)}
        assert motive_level(given) == grade, total
    with pytest.raises(EngineError):
        motive_level(answers(MOTIVES, 1) | {"another": 1})


def test_acquaintance() -> None:
    assert acquaintance(0.01) == pytest.approx(1 - 0.99**150)
    assert acquaintance(0.01, 190) == pytest.approx(1 - 0.99**190)
    assert acquaintance(1.0) == 1.0
    with pytest.raises(EngineError):
        acquaintance(-0.1)
    assert acquaintance(0.001, 150) == pytest.approx(0.13936, abs=5e-6)
    assert acquaintance(0.0) == 0.0
    for wrong in ((1.1, 150), (0.1, 149), (0.1, 191)):
        with pytest.raises(EngineError):
            acquaintance(*wrong)


def test_environment_is_the_largest_and_never_a_guess() -> None:
    assert environment("public").value == 1.0
    found = environment("controlled", deliberate=0.2, acquaintance=0.139, breach=0.27)
    assert found.value == 0.27
    assert environment("enclave", deliberate=0, acquaintance=1, breach=0).value == 1
    for wrong in (-0.1, 1.1):
        with pytest.raises(EngineError):
            environment("controlled", deliberate=0.2, acquaintance=0.1, breach=wrong)
    with pytest.raises(EngineError):
        environment("controlled", deliberate=0.2)


def test_data_risk_by_sharing_type_and_overall() -> None:
    frame = pd.DataFrame({"a": ["x"] * 2 + ["y"] * 18})
    report = measure(batches(frame), ["a"])
    public = data_risk(report, "public")
    assert (public.measure, public.value, public.cap_kept) == ("maximum", 0.5, None)
    strict = data_risk(report, "controlled")
    assert (strict.measure, strict.value, strict.smallest_class, strict.cap_kept) == (
        "strict_average",
        0.1,
        3,
        False,
    )
    assert data_risk(report, "enclave", cap=0.5).cap_kept is True
    context = environment("controlled", deliberate=0.3, acquaintance=0.1, breach=0.2)
    assert not overall(strict, context, 0.05).passed  # 0.03, but a class of two
    kept = overall(data_risk(report, "controlled", cap=0.5), context, 0.05)
    assert kept.value == pytest.approx(0.03)
    assert kept.passed
    assert not overall(public, environment("public"), 0.1).passed


def test_degree_of_the_standards_example() -> None:
    """Table D.1: gender and age band of sixteen persons."""
    rows = {
        ("男", "36~40"): 3,
        ("男", "41~45"): 3,
        ("男", "51~55"): 4,
        ("女", "36~40"): 3,
        ("女", "46~50"): 3,
    }
    frame = pd.DataFrame([key for key, n in rows.items() for _ in range(n)], columns=["性别", "年龄段"])
    report = measure(batches(frame), ["性别", "年龄段"])
    assert (report.rows, report.classes, report.k) == (16, 5, 3)
    found = degree(report.k, Scenario.INTERNAL, Capability.MEDIUM)
    assert (found.degree, found.passed) == (1.0, True)
    assert not degree(2, Scenario.INTERNAL).passed
    assert not degree(3, Scenario.INTERNAL, Capability.LOW).passed


def test_required_k() -> None:
    assert [required_k(Fraction(1, n), Fraction(1)) for n in (3, 5, 20)] == [3, 5, 20]
    assert required_k(Fraction(1, 5), Fraction(3, 4)) == 7
    for k, scenario in ((3, Scenario.INTERNAL), (5, Scenario.EXTERNAL), (20, Scenario.PUBLIC)):
        assert degree(k, scenario).passed
        assert not degree(k - 1, scenario).passed
    with pytest.raises(EngineError):
        degree(3, Fraction(0))
