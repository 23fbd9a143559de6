"""Saved recipes: kept without values, laid upon other columns, and what does not fit is said."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.datasets.tables.selectors import first_table
from projects.identification.enums import ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import verdicts_of
from projects.processing.models import RecipeVersion, SavedRecipe
from projects.processing.recipes.saved.carrying import fitted, places_of, portable
from projects.processing.recipes.saved.services import saved_create, saved_recipes, saved_withdraw
from projects.processing.recipes.services import recipe_save
from tests.projects.processing.conftest import UNPREPARED, at_processing
from tests.projects.processing.editor.editing import entries

START = at_processing
pytestmark = pytest.mark.django_db


@pytest.fixture
def table(saved, processing):
    return first_table(processing)


@pytest.fixture
def kept(table, people):
    return saved_create(table, name="Visits", of_organisation=False, by=people.executor)


def verdict(role, kind):
    return ColumnVerdict(role=role, kind=kind)


def test_what_was_saved_fits_its_own_table_whole(kept, table, content):
    with override("en"):
        found = fitted(kept.content, table)
    assert found.left == []
    by_step = [(one["technique"], one["columns"]) for one in found.content["steps"]]
    assert by_step == [(one["technique"], one["columns"]) for one in content["steps"]]
    (model,) = (one for one in found.content["steps"] if one["technique"] == "model.k_anonymity")
    (before,) = (one for one in content["steps"] if one["technique"] == "model.k_anonymity")
    assert model["parameters"]["k"] == before["parameters"]["k"]
    assert model["parameters"]["hierarchies"] == before["parameters"]["hierarchies"]


def test_no_value_and_no_reason_goes_with_it(table, content):
    steps = [
        {"technique": "model.k_anonymity", "columns": ["性别", "出生日期"], "parameters": {
            "k": 3,
            "hierarchies": {"性别": {"kind": "table", "rows": [["秘密男", "*"]]}, "出生日期": {"kind": "dates"}},
            "sensitive": {"诊断": {"distinct": 2, "distance": "hierarchical",
                                  "hierarchy": {"kind": "table", "rows": [["秘密病", "*"]]}}},
        }},
        {"technique": "as_is", "columns": ["费用"], "parameters": {"reason": "秘密理由 of that study"}},
    ]  # fmt: skip
    made = portable(content | {"steps": steps}, verdicts_of(table))
    text = json.dumps(made, ensure_ascii=False)
    assert "秘密" not in text
    assert made["steps"][0]["parameters"]["hierarchies"] == {"出生日期": {"kind": "dates"}}
    assert made["steps"][0]["parameters"]["sensitive"]["诊断"]["distinct"] == 2
    assert made["columns"]["诊断"]["role"] == ColumnRole.SENSITIVE


def test_columns_are_found_by_name_and_else_by_kind_where_that_tells_which():
    direct, quasi = ColumnRole.DIRECT.value, ColumnRole.QUASI.value
    theirs = {
        "name": {"role": direct, "kind": "person_name"},
        "born": {"role": quasi, "kind": "birth_date"},
        "home": {"role": quasi, "kind": "phone"},
        "work": {"role": quasi, "kind": "phone"},
        "note": {"role": quasi, "kind": ""},
    }
    ours = {
        "name": verdict(quasi, "gender"),
        "出生日期": verdict(quasi, "birth_date"),
        "电话": verdict(quasi, "phone"),
        "备注": verdict(quasi, ""),
    }
    assert places_of(theirs, list(ours), ours) == {"name": "name", "born": "出生日期"}


def test_what_does_not_fit_is_said(kept, table):
    content = json.loads(json.dumps(kept.content))
    content["columns"]["gone"] = {"role": "quasi", "kind": ""}
    content["steps"].append(
        {"technique": "generalization.rounding", "columns": ["gone"], "parameters": {"base": 10.0}}
    )
    content["steps"].append({"technique": "as_is", "columns": ["姓名"], "parameters": {}})
    for step in content["steps"]:
        step["columns"] = [name for name in step["columns"] if name != "性别"]
    with override("en"):
        found = fitted(content, table)
    said = " ".join(found.left)
    assert "Rounding" in said
    assert "gone" in said
    assert "not meant for the verdicts of: 姓名" in said
    assert "says nothing about: 性别" in said
    assert all("gone" not in one["columns"] for one in found.content["steps"])


def test_saving_leaves_an_event_and_taking_saves_nothing(kept, table, people, executor, address):
    event = AuditEvent.objects.get(action="saved_recipe.created")
    assert (event.subject_id, event.actor) == (str(kept.pk), str(people.executor))
    before = entries(executor.get(address))
    page = reverse("processing:saved", args=[table.project_id])
    answer = executor.post(page, {"do": f"take:{kept.pk}"})
    assert answer["Location"].startswith(address)
    shown = executor.get(address)
    assert "The entries are those of" in shown.content.decode()
    now = entries(shown)
    techniques = [value for name, value in now.items() if name.endswith("-technique")]
    assert techniques == [value for name, value in before.items() if name.endswith("-technique")]
    assert RecipeVersion.objects.count() == 1


def test_one_s_own_and_those_for_everybody(table, people, kept):
    assert list(saved_recipes(people.executor)) == [kept]
    assert not saved_recipes(people.planner).exists()
    shared = saved_create(table, name="For all", of_organisation=True, by=people.executor)
    assert list(saved_recipes(people.planner)) == [shared]
    with pytest.raises(Refused) as refused:
        saved_withdraw(shared, by=people.planner)
    assert refused.value.verdict.code == "saved_by_another"
    saved_withdraw(shared, by=people.executor)
    assert not saved_recipes(people.planner).exists()
    assert AuditEvent.objects.filter(action="saved_recipe.withdrawn").count() == 1


def test_a_name_is_given_once_and_by_the_executor_alone(table, people, kept):
    for name, code in ((" Visits ", "saved_name_taken"), ("  ", "saved_name_needed")):
        with pytest.raises(Refused) as refused:
            saved_create(table, name=name, of_organisation=False, by=people.executor)
        assert refused.value.verdict.code == code
    for person in (people.planner, people.supervisor, people.management):
        with pytest.raises(Refused):
            saved_create(table, name="Another", of_organisation=False, by=person)
    assert SavedRecipe.objects.count() == 1
    saved_withdraw(kept, by=people.executor)
    saved_create(table, name="Visits", of_organisation=False, by=people.executor)


def test_the_page(executor, table, people):
    page = reverse("processing:saved", args=[table.project_id])
    assert "No saved recipe yet" in executor.get(page).content.decode()
    assert executor.post(page, {"do": "save", "name": ""}).status_code == 422
    assert executor.post(page, {"do": "save", "name": "Mine"}).status_code == 302
    assert executor.post(page, {"do": "save", "name": "Mine"}).status_code == 403
    shown = executor.get(page).content.decode()
    assert "You alone" in shown
    assert "Take “Mine” as a draft" in shown
    assert executor.post(page, {"do": "take:none"}).status_code == 302
    found = SavedRecipe.objects.get()
    assert executor.post(page, {"do": f"withdraw:{found.pk}"}).status_code == 302
    assert "No saved recipe yet" in executor.get(page).content.decode()


def test_the_interface(client, table, people, content):
    client.force_login(people.executor)
    address = reverse("api:processing-saved-recipes", args=[table.project_id])
    made = client.post(address, {"name": "Mine"}, content_type="application/json")
    assert made.status_code == 201
    (listed,) = client.get(address).json()["results"]
    assert listed["name"] == "Mine"
    fit = reverse("api:processing-saved-recipe-fit", args=[table.project_id])
    found = client.post(fit, {"saved": listed["id"]}, content_type="application/json").json()
    assert found["left"] == []
    again = found["content"] | {"unprepared": UNPREPARED}
    for step in again["steps"]:
        if step["technique"] == "as_is":
            step["parameters"]["reason"] = "written anew for this study"
    assert recipe_save(table, content=again, note="as saved", by=people.executor).number == 2
    assert client.post(fit, {"saved": "none"}, content_type="application/json").status_code in (400, 409, 422)


def test_a_long_list_comes_in_portions(executor, client, table, people, django_assert_max_num_queries):
    for number in range(27):
        saved_create(table, name=f"Visits {number:02}", of_organisation=False, by=people.executor)
    page = reverse("processing:saved", args=[table.project_id])
    executor.get(page)
    with django_assert_max_num_queries(25):
        first = executor.get(page).content.decode()
    second = executor.get(page, {"page": "2"}).content.decode()
    assert ("Visits 24" in first, "Visits 25" in first) == (True, False)
    assert ("Visits 24" in second, "Visits 26" in second) == (False, True)
    listed = client.get(
        reverse("api:processing-saved-recipes", args=[table.project_id]), {"limit": 10}
    ).json()
    assert (listed["count"], len(listed["results"])) == (27, 10)
