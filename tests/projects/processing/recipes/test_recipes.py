"""Recipes through the services: what is refused, and what a version keeps."""

from __future__ import annotations

import copy

import pytest

from approvals.audit.models import AuditEvent
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.verdict import Refused
from projects.datasets.tables.selectors import first_table
from projects.processing.models import RecipeVersion
from projects.processing.recipes.services import recipe_save
from techniques.core.messages import EngineError
from tests.projects.processing.conftest import NOTE, at_processing

START = at_processing


def refused(code: str):
    return pytest.raises(Refused, match=f"^{code}$")


def step(content, technique):
    return next(one for one in content["steps"] if one["technique"] == technique)


def test_written_by_services_only(saved):
    with pytest.raises(GovernanceBypassed):
        RecipeVersion.objects.update(note="x")
    with pytest.raises(GovernanceBypassed):
        saved.delete()


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        (lambda c: step(c, "model.k_anonymity").update(technique="model.magic"), "technique_unknown", "steps[2].technique"),
        (lambda c: step(c, "model.k_anonymity")["parameters"].update(k="five"), "recipe_invalid", "steps[2].parameters.k"),
        (lambda c: step(c, "model.k_anonymity")["parameters"].update(kk=5), "recipe_invalid", "steps[2].parameters.kk"),
        (lambda c: step(c, "as_is")["columns"].append("身高"), "columns_missing", "steps[3].columns"),
        (lambda c: step(c, "as_is").update(columns=["诊断"]), "columns_untreated", ""),
        (lambda c: c["steps"].pop(0) and c.update(unlisted="keep"), "direct_identifier_untreated", ""),
        (lambda c: c["steps"][0].update(technique="as_is", parameters={"reason": "we would rather keep it"}),
         "direct_identifier_untreated", ""),
        (lambda c: c.update(steps=[]), "recipe_invalid", "steps"),
    ],
)  # fmt: skip
def test_recipes_that_are_refused(processing, content, people, change, code, path):
    content = copy.deepcopy(content)
    change(content)
    with pytest.raises(EngineError) as found:
        recipe_save(first_table(processing), content=content, by=people.executor)
    assert found.value.code == code
    assert found.value.params.get("path", "") == path
    assert not RecipeVersion.objects.exists()
    assert not AuditEvent.objects.filter(action="recipe.saved").exists()


def test_a_quasi_identifier_stays_only_with_a_reason(processing, content, people):
    model = step(content, "model.k_anonymity")
    model["columns"].remove("性别")
    model["parameters"]["hierarchies"].pop("性别")
    as_is = {"technique": "as_is", "columns": ["性别"], "parameters": {"reason": "needed"}}
    with pytest.raises(EngineError, match="at least 10 characters"):
        recipe_save(
            first_table(processing),
            content=content | {"steps": [*content["steps"], as_is]},
            by=people.executor,
        )
    as_is["parameters"]["reason"] = "The study compares women and men; see the plan."
    assert recipe_save(
        first_table(processing), content=content | {"steps": [*content["steps"], as_is]}, by=people.executor
    )


def test_versions_are_added_with_a_note(saved, processing, content, people):
    assert recipe_save(first_table(processing), content=content, by=people.executor) == saved
    with refused("note_needed"):
        recipe_save(first_table(processing), content=content | {"title": "x"}, note="  ", by=people.executor)
    second = recipe_save(
        first_table(processing), content=content | {"title": "x"}, note=NOTE, by=people.executor
    )
    assert (second.number, second.note) == (2, NOTE)
    saved.refresh_from_db()
    assert saved.tables[""]["title"] != "x"
    event = AuditEvent.objects.filter(action="recipe.saved").order_by("-seq").first()
    assert event.reason == NOTE
    assert event.subject_hash == second.content_hash
