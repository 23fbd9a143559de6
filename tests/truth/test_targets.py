"""Targets that are asked for beside k and the risks: of each a result that keeps it, and one that does not."""

from __future__ import annotations

from typing import Any

import pytest

from projects.objective.targets.risk import RiskTargets
from projects.verification.reports.gate import Measurement
from tests.truth.released import released, step

_WIDE = [step("generalization.intervals", "年龄", width=50)]
_NARROW = [step("generalization.intervals", "年龄", width=5)]
_PRIVATE = [step("synthesis.private", "性别", "年龄", domains={"性别": "男|女", "年龄": "0..120"})]
_TREES = [step("synthesis.sequential", "性别", "年龄", leaf_rows=20)]


def _of(found: Measurement, kind: str) -> list[bool | None]:
    return [check.passed for check in found.checks if check.kind == kind]


@pytest.mark.parametrize(
    ("steps", "kind", "targets", "passed"),
    [
        (_WIDE, "at_risk", {"at_risk": 0.1}, [True]),
        (_NARROW, "at_risk", {"at_risk": 0.1}, [False]),
        (_NARROW, "at_risk", {"at_risk": 1}, [True]),
        (_NARROW, "at_risk", {"at_risk": 0.1, "at_risk_above": "0.1"}, [True]),
        (_NARROW, "at_risk", {}, []),
        (_PRIVATE, "privacy_budget", {"epsilon": 1}, [True]),
        (_PRIVATE, "privacy_budget", {"epsilon": 0.5}, [False]),
        (_TREES, "privacy_budget", {"epsilon": 0.5}, [False]),
        (_WIDE, "privacy_budget", {"epsilon": 0.5}, []),
        (_PRIVATE, "privacy_budget", {}, []),
        (_TREES, "made_up_rows", {"membership": 0.9}, [True]),
        (_TREES, "made_up_rows", {}, [True]),
        (_WIDE, "made_up_rows", {"membership": 0.6}, []),
    ],
)
def test_a_target_is_held_where_it_is_asked_for(
    steps: list[dict[str, Any]], kind: str, targets: dict[str, Any], passed: list[bool]
) -> None:
    assert _of(released(["性别", "年龄"], *steps, **targets), kind) == passed


def test_a_membership_target_is_held_against_the_runs_own_test() -> None:
    (found,) = (one for one in released(["性别", "年龄"], *_TREES).checks if one.kind == "made_up_rows")
    assert found.measured is not None
    strict = {"membership": 0.5}
    (again,) = (
        one for one in released(["性别", "年龄"], *_TREES, **strict).checks if one.kind == "made_up_rows"
    )
    said = float(found.formula.split(", ")[1].rstrip(")"))
    assert again.passed is (said <= 0.5)


def test_what_was_saved_before_these_could_be_asked_for_stays_the_same() -> None:
    given = {"k": 5, "measure": "max", "max_risk": 0.2, "overall_threshold": 0.2}
    saved = RiskTargets.model_validate(given).model_dump(mode="json")
    assert not {"at_risk", "at_risk_above", "membership", "epsilon"} & set(saved)
    asked = RiskTargets.model_validate(given | {"at_risk": 0.1, "epsilon": 2}).model_dump(mode="json")
    assert {"at_risk": 0.1, "at_risk_above": "0.05", "epsilon": 2}.items() <= asked.items()
