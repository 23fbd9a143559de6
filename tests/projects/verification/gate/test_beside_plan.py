"""What a plan names as candidates and as its risk model counts: a recipe that goes beside it is named to the signer."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from projects.objective.enums import Candidate, RiskModel
from projects.verification.gate.beside_plan import against_plan, beside_plan, candidates_of
from techniques import catalogue
from techniques.core.attributes import AttributeRole
from techniques.recipe.recipe import Recipe

ROUNDED = {"technique": "generalization.rounding", "columns": ["a"], "parameters": {"base": 5.0}}
REMOVED = {"technique": "suppression.remove_column", "columns": ["b"], "parameters": {}}
PRIVATE = {"technique": "synthesis.private", "columns": ["a"], "parameters": {"domains": {"a": "0..9"}}}


def said(steps, candidates, model=RiskModel.CLASS_SIZES, quasi=("a",), left=("a",), cells=None):
    factors = {"candidates": candidates, "risk_model": model}
    recipe = Recipe.from_data({"recipe": 1, "steps": steps})
    result = SimpleNamespace(columns=lambda: [*left])
    case = SimpleNamespace(factors=factors, recipe=recipe, quasi=lambda: quasi, result=result, cells=cells)
    return beside_plan(case)


def test_a_technique_that_no_candidate_covers_is_named_once():
    both = [REMOVED, ROUNDED, {**ROUNDED, "columns": ["c"]}]
    assert said(both, ["suppression", "generalisation"]) == []
    (one,) = said(both, ["suppression", "k_anonymity"])
    assert one.params == {"technique": catalogue.get("generalization.rounding").name}


def test_the_risk_model_is_that_of_the_recipe():
    assert len(said([ROUNDED], ["generalisation"], RiskModel.DIFFERENTIAL_PRIVACY)) == 1
    assert said([PRIVATE], ["differential_privacy"], RiskModel.DIFFERENTIAL_PRIVACY, quasi=()) == []
    assert len(said([PRIVATE], ["synthesis"], quasi=())) == 1
    groups = object()
    assert said([ROUNDED], ["generalisation"], RiskModel.LINEAR_SENSITIVITY, cells=groups) == []
    assert len(said([ROUNDED], ["generalisation"], RiskModel.LINEAR_SENSITIVITY)) == 1
    assert len(said([ROUNDED], ["generalisation"], cells=groups)) == 1


def test_differential_privacy_is_said_to_protect_what_it_does_and_no_more():
    (whole,) = said([PRIVATE], ["synthesis"], quasi=())
    assert whole.message.endswith("what protects them is differential privacy.")
    trees = {"technique": "synthesis.sequential", "columns": ["c", "d"], "parameters": {}}
    (partly,) = said([PRIVATE, trees], ["synthesis"], quasi=(), left=("a", "c", "d"))
    assert partly.params == {"columns": "a", "others": "c, d"}
    assert "does not protect %(others)s" in partly.message


def test_a_plan_that_says_nothing_is_not_spoken_of():
    recipe = Recipe.from_data({"recipe": 1, "steps": [ROUNDED]})
    assert beside_plan(SimpleNamespace(factors=None, recipe=recipe)) == []


@pytest.mark.parametrize("spec", catalogue.techniques(), ids=lambda spec: spec.key)
def test_every_technique_has_a_candidate(spec):
    found = candidates_of(spec)
    assert found <= set(Candidate.values)
    assert bool(found) is spec.treats


HASHED = {"technique": "pseudonymization.keyed_hash", "columns": ["a"]}


def against(scope, step, columns=("a", "b")):
    return against_plan(
        SimpleNamespace(
            scope=scope,
            factors={},
            sharing_type="controlled",
            recipe=Recipe.from_data({"recipe": 1, "steps": [step]}),
            result=SimpleNamespace(columns=lambda: columns),
            roles={"b": AttributeRole.SENSITIVE_ATTRIBUTE},
        )
    )


def test_a_general_grade_of_sensitive_attributes_is_named():
    (one,) = against({"classification": "general"}, ROUNDED)
    assert one.params == {"columns": "b"}
    assert against({"classification": "sensitive"}, ROUNDED) == []
    assert against({"classification": "general"}, ROUNDED, columns=("a",)) == []


def test_a_promise_of_deidentification_is_held_against_ways_back():
    (one,) = against({"promise": "promised"}, HASHED)
    assert one.params == {"columns": "a"}
    assert against({"promise": "consent"}, HASHED) == []
    assert against({"promise": "promised"}, ROUNDED) == []
    assert against({"promise": "promised"}, {**HASHED, "parameters": {"joinable": "never"}}) == []
    assert against({"promise": "promised"}, HASHED, columns=("b",)) == []
