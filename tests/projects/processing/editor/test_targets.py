"""A model starts with what the risk targets ask, whoever chooses it: by hand in the editor, or by a scene."""

from __future__ import annotations

from html import unescape

import pytest

from approvals.audit.recording import recording
from projects.datasets.tables.selectors import first_table
from projects.identification.selectors import verdicts_of
from projects.objective.models import Objective
from projects.objective.targets.risk import RiskTargets, risk_defaults
from projects.processing import events
from projects.processing.editor.target_bounds import target_bounds
from projects.processing.recipes.scenes.recipes import scene_recipe
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.suggestion import k_needed, recipe_suggest
from techniques.core.attributes import Scene
from techniques.recipe.recipe import Recipe
from tests.projects.processing.conftest import UNPREPARED, at_processing

from .editing import entries, press, step_of

START = at_processing


def ask(project, **changes) -> None:
    with recording(events.RECIPE_SAVED, by=None):
        objective = Objective.objects.get(project=project)
        objective.risk = RiskTargets(**objective.risk | changes).model_dump(mode="json")
        objective.save()


def test_a_model_chosen_by_hand_starts_with_what_the_targets_ask(executor, address, processing):
    """As the suggested one does, and the page says where it comes from."""
    ask(processing, k=7, l=2, t=0.6, t_distance="ordered", suppression_limit=0.02)
    suggested = next(
        s for s in recipe_suggest(first_table(processing))["steps"] if s["technique"] == "model.t_closeness"
    )
    page = executor.get(address)
    form = entries(page)
    places = page.context["editor"].places
    press(executor, address, form, f"remove:{step_of(form, 'model.t_closeness')[1:]}")
    form = entries(executor.get(address))
    for number, column in enumerate(suggested["columns"]):
        model = "new:model.t_closeness" if number == 0 else f"join:{step_of(form, 'model.t_closeness')[1:]}"
        form[f"t{places[column]}"] = [model]
        press(executor, address, form, f"treat:{places[column]}")
        form = entries(executor.get(address))
    model = step_of(form, "model.t_closeness")
    diagnosis = places["诊断"]
    assert form[f"{model}-p-k"] == ["7"]
    assert form[f"{model}-p-suppression_limit"] == ["0.02"]
    assert form[f"{model}-p-sensitive"] == [str(diagnosis)]
    assert form[f"{model}-c{diagnosis}-distinct"] == ["2"]
    assert form[f"{model}-c{diagnosis}-t"] == ["0.6"]
    assert form[f"{model}-c{diagnosis}-distance"] == ["ordered"]
    page = executor.get(address)
    html = unescape(page.content.decode())
    assert "What the risk targets of step 1 require" in html
    assert "Required for each of these sensitive attributes: 诊断." in html
    assert "In every class each sensitive attribute has at least 2 different values." in html
    form["g-unprepared"] = [UNPREPARED]
    assert press(executor, address, form, "save").status_code == 302
    saved = next(
        s for s in current_recipe(processing).tables[""]["steps"] if s["technique"] == "model.t_closeness"
    )
    whole = Recipe.from_data(recipe_suggest(first_table(processing))).model_dump(mode="json")
    wanted = next(s for s in whole["steps"] if s["technique"] == "model.t_closeness")["parameters"]
    assert saved["parameters"]["sensitive"] == wanted["sensitive"]
    assert saved["parameters"]["k"] == wanted["k"]


def test_a_sensitive_attribute_that_is_removed_is_asked_nothing_about(executor, address, processing):
    ask(processing, l=2)
    page = executor.get(address)
    form = entries(page)
    diagnosis = page.context["editor"].places["诊断"]
    removal = step_of(form, "suppression.remove_column")
    form[f"{removal}-columns"] = [*form[f"{removal}-columns"], str(diagnosis)]
    form["new"] = ["model.k_anonymity"]
    press(executor, address, form, "add")
    page = executor.get(address)
    form = entries(page)
    assert form.get(f"{step_of(form, 'model.k_anonymity')}-p-sensitive", []) == []
    assert "No sensitive attribute stays in the result" in page.content.decode()


@pytest.mark.parametrize("scene", list(Scene))
def test_the_model_of_a_scene_starts_with_it_too(processing, scene):
    ask(processing, l=2)
    steps = scene_recipe(first_table(processing), scene)["steps"]
    kept = {c for s in steps if s["technique"] == "as_is" for c in s["columns"]}
    for step in steps:
        if step["technique"] == "model.k_anonymity":
            assert set(step["parameters"].get("sensitive", {})) == {"诊断"} & kept


def test_the_harm_of_a_sensitive_attribute_that_stays_asks_for_larger_classes():
    """The suggestion starts from the threshold that the gate will judge by, not from a laxer one of the target."""
    lax = risk_defaults("public").model_copy(update={"k": 2, "max_risk": 0.5, "overall_threshold": 0.2})
    assert k_needed(lax) == k_needed(lax.at_severity([""])) == 5
    assert [k_needed(lax.at_severity(harms)) for harms in (["low"], ["low", "medium"], ["high", ""])] == [
        10,
        14,
        20,
    ]
    assert lax.model_copy(update={"overall_threshold": 0.05}).at_severity(["low"]).overall_threshold == 0.05


def test_the_suggestion_and_its_settings_follow_that_harm(processing):
    ask(processing, k=2, measure="max", max_risk=0.5, average_risk=None, overall_threshold=0.2)
    table = first_table(processing)

    def suggested() -> int:
        return next(
            s["parameters"]["k"] for s in recipe_suggest(table)["steps"] if "k" in s.get("parameters", {})
        )

    assert suggested() == 5
    with recording(events.RECIPE_SAVED, by=None):
        verdict = verdicts_of(table)["诊断"]
        verdict.severity = "medium"
        verdict.save()
    assert suggested() == 14
    bounds = target_bounds(table, ["诊断"])
    assert bounds.rows[0][1] == "≥ 14"
    assert target_bounds(table, []).rows[0][1] == "≥ 5"
