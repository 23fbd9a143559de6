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
from projects.processing.recipes.saved.carrying import fitted, places_of
from projects.processing.recipes.saved.portability import portable
from projects.processing.recipes.saved.services import SAVED_RECIPES, saved_create
from projects.processing.recipes.services import recipe_save
from techniques import catalogue
from techniques.core.fields import ParameterField
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
    # A reason is a text about other data: it is written anew, like every other text, and that is said.
    left = [(one["technique"], one["left"]) for one in kept.content["steps"] if one["left"]]
    assert ("as_is", ["reason"]) in left
    assert len(found.left) == len(left)
    assert all("left behind" in one for one in found.left)
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


SECRET = "秘密"


def poisoned(one: ParameterField) -> object:
    """A value for a setting with a text of the data wherever its kind has room for one; a column of the table as well."""
    if one.kind in ("integer", "decimal"):
        return 3
    if one.kind == "boolean":
        return True
    if one.kind == "choice":
        return one.choices[0].value
    if one.kind in ("text", "column"):
        return SECRET
    if one.kind == "list" and one.item_choices:
        return [choice.value for choice in one.item_choices]
    if one.kind == "list":
        entry = {"text": SECRET, "list": [SECRET, SECRET], "integer": 2, "decimal": 2.5}[one.item_kind]
        return [entry, "性别"] if one.item_kind == "text" else [entry]
    if one.kind == "mapping":
        to = {"text": SECRET, "integer": 2, "decimal": 2.5}.get(one.item_kind) or one.item_choices[0].value
        return {SECRET: to, "性别": to}
    if one.kind == "hierarchy":
        return hierarchy("table")
    if one.kind == "hierarchies":
        return {SECRET: hierarchy("star")} | {
            name: hierarchy(kind)
            for name, kind in {"性别": "mask", "出生日期": "table", "费用": "dates"}.items()
        }
    assert one.kind == "conditions", f"say here what a setting of the kind {one.kind} may hold"
    own = {field.name: poisoned(field) for field in catalogue.condition_fields()}
    return {SECRET: own, "诊断": own}


def hierarchy(kind):
    (found,) = (one for one in catalogue.hierarchy_kinds() if one.kind == kind)
    return {"kind": kind} | {one.name: poisoned(one) for one in found.fields}


@pytest.mark.parametrize("key", [one.key for one in catalogue.techniques()])
def test_no_text_of_the_data_goes_with_any_technique(table, key):
    given = verdicts_of(table)
    fields = catalogue.parameter_fields(key)
    parameters = {one.name: poisoned(one) for one in fields}
    step = {"technique": key, "columns": ["性别", "出生日期"], "parameters": parameters}
    made = portable({"unlisted": "refuse", "steps": [step]}, given)
    assert SECRET not in json.dumps(made, ensure_ascii=False)
    (kept,) = made["steps"]
    # What does not go whole is named, so that whoever takes it reads of it; choices and numbers all go.
    assert kept["left"] == [
        one.name for one in fields if SECRET in json.dumps(parameters[one.name], ensure_ascii=False)
    ]
    assert all(
        kept["parameters"][one.name] == parameters[one.name] for one in fields if one.name not in kept["left"]
    )
    with override("en"):
        said = " ".join(fitted(made, table).left)
    assert not kept["left"] or "left behind" in said or "no suitable column" in said


def test_possible_values_of_made_up_rows_stay_behind(table):
    """They were stored and shown to everybody once: values of the data under the name of a column."""
    parameters = {"epsilon": 2.0, "domains": {"性别": "男|女"}}
    steps = [{"technique": "synthesis.private", "columns": ["性别"], "parameters": parameters}]
    (kept,) = portable({"steps": steps}, verdicts_of(table))["steps"]
    assert kept["parameters"] == {"epsilon": 2.0, "domains": {}}
    assert kept["left"] == ["domains"]


@pytest.mark.parametrize(
    ("technique", "columns", "parameters", "setting", "after"),
    [
        ("randomization.permutation", ["诊断", "gone"], {"within": ["gone"]}, "within", []),
        ("generalization.controlled_rounding", ["诊断"], {"base": 10.0, "within": ["gone"]}, "within", []),
        ("randomization.microaggregation", ["诊断"], {"categories": ["诊断", "gone"]}, "categories", ["诊断"]),
        ("generalization.position", ["诊断"], {"latitude": "诊断", "longitude": "gone"}, "longitude", None),
        ("randomization.position_noise", ["诊断"], {"latitude": "gone", "longitude": "诊断"}, "latitude", None),
        ("randomization.date_shift", ["出生日期"], {"subject": "gone", "days": 9}, "subject", None),
        ("model.k_anonymity", ["性别"], {"minimum_levels": {"gone": 1}}, "minimum_levels", {}),
        ("model.k_anonymity", ["性别"], {"maximum_levels": {"gone": 1, "性别": 1}}, "maximum_levels", {"性别": 1}),
        ("model.k_anonymity", ["性别"], {"weights": {"gone": 2.0}}, "weights", {}),
        # It is there, and the technique is not meant for it: as good as gone.
        ("model.k_anonymity", ["性别", "姓名"], {"weights": {"姓名": 2.0}}, "weights", {}),
    ],
)  # fmt: skip
def test_a_column_that_a_setting_loses_is_said(table, technique, columns, parameters, setting, after):
    names = {"gone", *columns}
    saved = {
        "columns": {name: {"role": "quasi", "kind": ""} for name in names},
        "steps": [{"technique": technique, "columns": columns, "parameters": parameters, "left": []}],
    }
    with override("en"):
        found = fitted(saved, table)
    (title,) = (one.title for one in catalogue.parameter_fields(technique) if one.name == setting)
    (said,) = (one for one in found.left if f"setting “{title}”" in one)
    assert "gone" in said or "姓名" in said
    (step,) = found.content["steps"]
    assert step["parameters"].get(setting) == after


def test_one_that_was_saved_before_it_was_said_what_stayed_behind_is_fitted(kept, table):
    content = json.loads(json.dumps(kept.content))
    for step in content["steps"]:
        del step["left"]
    found = fitted(content, table)
    assert found.left == []
    assert len(found.content["steps"]) == len(content["steps"])


def test_columns_of_settings_get_the_names_of_here(table):
    saved = {
        "columns": {"born": {"role": "quasi", "kind": "birth_date"}, "sex": {"role": "quasi", "kind": "gender"}},
        "steps": [
            {
                "technique": "randomization.date_shift",
                "columns": ["born", "sex"],
                "parameters": {"subject": "sex", "days": 9},
                "left": [],
            }
        ],
    }  # fmt: skip
    (step,) = fitted(saved, table).content["steps"]
    assert step["parameters"]["subject"] == "性别"


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
        {"technique": "generalization.rounding", "columns": ["gone"], "parameters": {}, "left": []}
    )
    content["steps"].append({"technique": "as_is", "columns": ["姓名"], "parameters": {}, "left": []})
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
    assert "The entries are now those of" in shown.content.decode()
    now = entries(shown)
    techniques = [value for name, value in now.items() if name.endswith("-technique")]
    assert techniques == [value for name, value in before.items() if name.endswith("-technique")]
    assert RecipeVersion.objects.count() == 1


def test_one_s_own_and_those_for_everybody(table, people, kept):
    assert list(SAVED_RECIPES.available(people.executor)) == [kept]
    assert not SAVED_RECIPES.available(people.planner).exists()
    shared = saved_create(table, name="For all", of_organisation=True, by=people.executor)
    assert list(SAVED_RECIPES.available(people.planner)) == [shared]
    with pytest.raises(Refused) as refused:
        SAVED_RECIPES.withdraw(shared, by=people.planner)
    assert refused.value.verdict.code == "saved_by_another"
    SAVED_RECIPES.withdraw(shared, by=people.executor)
    assert not SAVED_RECIPES.available(people.planner).exists()
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
    SAVED_RECIPES.withdraw(kept, by=people.executor)
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
    assert all("left behind" in one or "未随" in one for one in found["left"]), "every column fits"
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
