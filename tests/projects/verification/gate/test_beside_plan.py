"""What a plan names as candidates and as its risk model counts: a recipe that goes beside it is named to the signer."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from projects.objective.enums import Candidate, RiskModel
from projects.verification.gate.beside_plan import beside_plan, candidates_of
from techniques import catalogue
from techniques.recipe.recipe import Recipe

ROUNDED = {"technique": "generalization.rounding", "columns": ["a"], "parameters": {"base": 5.0}}
REMOVED = {"technique": "suppression.remove_column", "columns": ["b"], "parameters": {}}
PRIVATE = {"technique": "synthesis.private", "columns": ["a"], "parameters": {"domains": {"a": "0..9"}}}


def said(steps, candidates, model=RiskModel.CLASS_SIZES, quasi=("a",)):
    factors = {"candidates": candidates, "risk_model": model}
    recipe = Recipe.from_data({"recipe": 1, "steps": steps})
    return beside_plan(SimpleNamespace(factors=factors, recipe=recipe, quasi=lambda: quasi))


def test_a_technique_that_no_candidate_covers_is_named_once():
    both = [REMOVED, ROUNDED, {**ROUNDED, "columns": ["c"]}]
    assert said(both, ["suppression", "generalisation"]) == []
    (one,) = said(both, ["suppression", "k_anonymity"])
    assert one.params == {"technique": catalogue.get("generalization.rounding").name}


def test_the_risk_model_is_that_of_the_recipe():
    assert len(said([ROUNDED], ["generalisation"], RiskModel.DIFFERENTIAL_PRIVACY)) == 1
    assert said([PRIVATE], ["differential_privacy"], RiskModel.DIFFERENTIAL_PRIVACY, quasi=()) == []
    assert len(said([PRIVATE], ["synthesis"], quasi=())) == 1


def test_a_plan_that_says_nothing_is_not_spoken_of():
    recipe = Recipe.from_data({"recipe": 1, "steps": [ROUNDED]})
    assert beside_plan(SimpleNamespace(factors=None, recipe=recipe)) == []


@pytest.mark.parametrize("spec", catalogue.techniques(), ids=lambda spec: spec.key)
def test_every_technique_has_a_candidate(spec):
    found = candidates_of(spec)
    assert found <= set(Candidate.values)
    assert bool(found) is spec.treats
