"""What the first draft of the plan says is so of the project, and is not said where it is not."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from projects.core.enums import SharingType
from projects.objective import services
from projects.objective.plan.prefill import plan_prefill
from projects.objective.selectors import objective_of
from projects.objective.targets.reading import factors_read, scope_read
from projects.objective.targets.risk import risk_defaults

from ..steps import FACTORS, SCOPE, fill, fresh

pytestmark = pytest.mark.django_db


def drafted(project: Any) -> dict[str, Any]:
    with translation.override("en"):
        return plan_prefill(project, objective_of(project))


def test_of_a_project_of_which_nothing_is_known_nothing_is_said(project):
    found = drafted(project)
    said = " ".join(text for text in found.values() if isinstance(text, str))
    assert "required by" not in said
    assert "Candidates" not in said
    assert "Risk model" not in said
    assert found["goals"] == found["scheme"] == ""
    assert "What was published cannot be recalled" not in found["contingency"]


def test_the_basis_is_what_was_ticked(project, people):
    fill(project, people)
    assert "De-identification is required by: " in drafted(project)["purpose"]
    only = scope_read(SCOPE | {"regulations": ["gbt_35273"]})
    before = drafted(project)["purpose"]
    services.scope_save(fresh(project), scope=only, by=people.planner)
    after = drafted(project)["purpose"]
    [line] = [one for one in after.splitlines() if one.startswith("De-identification is required by")]
    assert line != next(
        one for one in before.splitlines() if one.startswith("De-identification is required by")
    )
    assert "35273" in line
    assert "Protection Law" not in line


@pytest.mark.parametrize(
    ("given", "model", "candidates"),
    [
        ({"candidates": ["suppression", "k_anonymity"]}, "Sizes of equivalence classes", 2),
        ({"risk_model": "differential_privacy", "candidates": ["synthesis"]}, "Differential privacy", 1),
    ],
)
def test_the_scheme_names_model_and_candidates_of_the_factors(project, people, given, model, candidates):
    fill(project, people)
    services.factors_save(fresh(project), factors=factors_read(FACTORS | given), by=people.planner)
    scheme = drafted(fresh(project))["scheme"]
    [second] = [line for line in scheme.splitlines() if line.startswith("2. ")]
    [third] = [line for line in scheme.splitlines() if line.startswith("3. ")]
    named = second.partition("Candidates: ")[2].removesuffix(".").split(", ")
    assert len(named) == candidates
    assert f"Risk model: {model} (" in third, third


@pytest.mark.parametrize("sharing", ["public", "controlled", "enclave"])
def test_what_cannot_be_recalled_is_said_of_what_is_published_alone(project, people, sharing):
    fill(project, people, sharing)
    said = drafted(fresh(project))["contingency"]
    assert ("What was published cannot be recalled" in said) == (sharing == "public")
    assert ("Recipients stop using the data" in said) == (sharing != "public")
    with translation.override("en"):
        labels = {one.value: str(one.label) for one in SharingType}
    mode = drafted(fresh(project))["sharing_mode"]
    assert [one for one, label in labels.items() if label in mode] == [sharing]


def test_the_schedule_has_the_months_of_the_targets(project, people):
    fill(project, people)
    assert "every 12 months after the release" in drafted(fresh(project))["schedule"]
    targets = risk_defaults("controlled").model_copy(update={"reassess_months": 6})
    services.risk_save(fresh(project), risk=targets, by=people.planner)
    assert "every 6 months after the release" in drafted(fresh(project))["schedule"]


def test_the_team_is_who_has_a_role(project, people):
    with translation.override("en"):
        before = plan_prefill(project, None)["team"]
    assert str(people.planner) in before
    assert str(people.auditor) not in before


def test_the_team_is_written_with_the_marks_of_the_language(project, people):
    fill(project, people)
    services.risk_save(fresh(project), risk=risk_defaults("controlled"), by=people.planner)
    for person in vars(people).values():
        person.department = "信息科"
        person.save()
    with translation.override("zh-hans"):
        found = plan_prefill(fresh(project), objective_of(project))
    assert "（信息科）" in found["team"]
    assert not [sign for sign in ":()" if sign in found["team"]]
    assert "：" in found["goals"]
    assert ": " not in found["goals"]
