"""Context risk from plain answers, by the standard's table and formula, and what each control would buy."""

from __future__ import annotations

import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.scales.context import ContextAnswers, assess_context
from techniques.disclosure_risk.scales.degree import Capability
from techniques.disclosure_risk.scales.environment import CONTROLS, MOTIVES, Level
from techniques.disclosure_risk.scales.recovery import RECOVERY
from techniques.disclosure_risk.scales.safeguards import (
    MANAGEMENT,
    MANAGEMENT_MARKS,
    RULE,
    TECHNICAL,
    TECHNICAL_MARKS,
    safeguards,
)

SOURCE = "Yearly report of the health sector"


def answers(met: int = 11, motive: float = 0.0, **more: object) -> ContextAnswers:
    return ContextAnswers.from_data(
        {
            "controls": {item.code: 1.0 if i < met else 0.0 for i, item in enumerate(CONTROLS)},
            "motives": {item.code: motive for item in MOTIVES},
            "safeguards": {item.code: 1.0 for item in (*TECHNICAL, *MANAGEMENT)},
            "safeguards_source": "Certificate of 2025",
            "recovery": {item.code: 0.0 for item in RECOVERY},
            "recovery_source": "Opinion of the legal department",
            "prevalence": 0.0,
            "prevalence_source": SOURCE,
            "breach": 0.0,
            "breach_source": SOURCE,
            **more,
        }
    )


def test_the_largest_of_the_three_counts() -> None:
    assert assess_context(answers(), 0.05).value == 0.05
    found = assess_context(answers(prevalence=0.001), 0.05)
    assert found.decisive == "acquaintance"
    assert found.value == pytest.approx(0.13936, abs=1e-5)
    found = assess_context(answers(breach=0.27), 0.05)
    assert (found.decisive, found.value) == ("breach", 0.27)


def test_what_each_control_would_buy() -> None:
    found = assess_context(answers(met=8, motive=0.5), 0.05)
    assert (found.controls, found.motive, found.value, found.k) == (Level.MEDIUM, Level.MEDIUM, 0.3, 6)
    assert {one.code for one in found.gains} == {item.code for item in CONTROLS[8:]}
    assert {(one.grade, one.context, one.k) for one in found.gains} == {(Level.HIGH, 0.1, 2)}
    assert [one.context for one in found.grades] == [0.5, 0.3, 0.1]
    (path,) = found.paths
    assert (path.grade, path.context, path.k, len(path.codes)) == (Level.HIGH, 0.1, 2, 1)
    low = assess_context(answers(met=2, motive=0.5), 0.05).paths
    assert [(one.grade, len(one.codes)) for one in low] == [(Level.MEDIUM, 4), (Level.HIGH, 7)]
    assert "no_third_party" in low[1].codes, "without it the grade is never high"
    # A breach that is as probable makes better controls worthless, and that is shown.
    held = assess_context(answers(met=8, motive=0.5, breach=0.3), 0.05)
    assert {one.context for one in held.gains} == {0.3}


def test_what_is_missing_or_wrong_is_refused() -> None:
    for wrong, code in (
        ({"controls": {}}, "checklist_incomplete"),
        ({"breach_source": " "}, "breach_source_missing"),
        ({"prevalence_source": " "}, "prevalence_source_missing"),
        ({"safeguards": {}}, "checklist_incomplete"),
        ({"safeguards_source": " "}, "safeguards_source_missing"),
        ({"recovery": {}}, "checklist_incomplete"),
        ({"recovery_source": " "}, "recovery_source_missing"),
        ({"prevalence": 1.5}, "prevalence_out_of_range"),
        ({"acquaintances": 10}, "acquaintances_out_of_range"),
    ):
        with pytest.raises(EngineError) as error:
            assess_context(answers(**wrong), 0.05)
        assert error.value.code == code
    with pytest.raises(EngineError) as error:
        assess_context(answers(), 0.05, "public")
    assert error.value.code == "public_context"


def test_c_5_is_judged_by_its_own_items() -> None:
    def graded(**no: float) -> tuple[Capability, ...]:
        every = {item.code: 1.0 for item in (*TECHNICAL, *MANAGEMENT)}
        found = safeguards({**every, **no})
        return found.technical, found.management, found.capability

    high, medium, low = Capability.HIGH, Capability.MEDIUM, Capability.LOW
    assert graded() == (high, high, high)
    assert graded(circulation=0.5, staff=0.5, audit=0.5) == (high, high, high)
    assert graded(circulation=0.0) == (medium, high, medium), "management does not make up for it"
    assert graded(circulation=0.0, privacy_controls=0.0) == (low, high, low)
    assert graded(circulation=0.0, privacy_controls=0.5) == (medium, high, medium), "1.5 of 3 points"
    assert graded(audit=0.0, staff=0.5) == (high, medium, medium)
    half = {item.code: 0.5 for item in MANAGEMENT}
    assert graded(**half) == (high, medium, medium), "3.5 of 7 points"
    assert graded(**half, circulation=0.5) == (high, medium, medium), "2.5 of 3 points"
    assert graded(**half | {"audit": 0.0}) == (high, low, low)
    assert graded(**{item.code: 0.0 for item in MANAGEMENT[:4]}) == (high, low, low)
    with pytest.raises(EngineError):
        graded(audit=0.7)
    # The rule says in words what the marks are.
    for mark in (*TECHNICAL_MARKS, *MANAGEMENT_MARKS):
        assert f"from {mark:g}" in RULE
    found = assess_context(answers(safeguards={item.code: 0.0 for item in (*TECHNICAL, *MANAGEMENT)}), 0.05)
    assert (found.controls, found.safeguards.capability) == (Level.HIGH, low), "they are two questions"


def test_the_hash_covers_answers_and_finding() -> None:
    one, other = answers(), answers(met=10)
    first = assess_context(one, 0.05).as_dict(one)["sha256"]
    assert first == assess_context(one, 0.05).as_dict(one)["sha256"]
    assert first != assess_context(other, 0.05).as_dict(other)["sha256"]
