"""The editor: entries survive every button, errors stand beside their fields, and saving obeys the rules."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import override

from projects.datasets.tables.selectors import first_table
from projects.processing import wording
from projects.processing.editor import drafts, presets
from projects.processing.editor.fields import NumbersField
from projects.processing.models import RecipeVersion
from projects.processing.recipes.pages import differences
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.runs.findings import step_sentences
from techniques import catalogue
from techniques.core.kinds import KINDS
from techniques.recipe.recipe import Recipe
from tests.projects.processing.conftest import NOTE, UNPREPARED, at_processing

from .editing import entries, press, step_of

START = at_processing


def errors(response) -> list[str]:
    return [text for text, _anchor in response.context["editor"].errors]


def test_starts_from_the_suggestion_and_saves_it(executor, address, processing, content):
    page = executor.get(address)
    assert page.status_code == 200
    assert [block["form"].step.technique for block in page.context["blocks"]] == [
        step["technique"] for step in content["steps"]
    ]
    refused = press(executor, address, entries(page), "save")
    assert refused.status_code == 422
    assert refused.context["editor"].general["unprepared"].errors, "nobody has said why nothing is prepared"
    assert not RecipeVersion.objects.exists()
    form = entries(page) | {"g-unprepared": [UNPREPARED]}
    assert press(executor, address, form, "save").status_code == 302
    saved = current_recipe(processing)
    assert saved.number == 1
    # The suggestion's reasons are in the language of who reads them.
    with override("en"):
        expected = Recipe.from_data(recipe_suggest(first_table(processing)) | {"unprepared": UNPREPARED})
    assert saved.content_hash == expected.content_hash()
    assert saved.content_hash != Recipe.from_data(content).content_hash(), "the fixture's are Chinese"


def test_every_button_keeps_what_was_typed(executor, address, saved):
    form = entries(executor.get(address))
    model = step_of(form, "model.k_anonymity")
    form[f"{model}-p-k"] = ["7"]
    form["g-note"] = [NOTE]
    moved = press(executor, address, form, f"up:{model[1:]}")
    assert moved.status_code == 302
    assert moved.url.endswith(f"#step-{model[1:]}")
    form = entries(executor.get(address))
    model = step_of(form, "model.k_anonymity")
    assert form[f"{model}-p-k"] == ["7"]
    assert form["g-note"] == [NOTE]
    # Another language shows the same entries.
    executor.post(reverse("set_language"), {"language": "zh-hans", "next": address})
    assert entries(executor.get(address))[f"{model}-p-k"] == ["7"]
    press(executor, address, form, f"remove:{model[1:]}")
    form = entries(executor.get(address))
    assert "model.k_anonymity" not in [v for values in form.values() for v in values]
    press(executor, address, form, "discard")
    assert step_of(entries(executor.get(address)), "model.k_anonymity")
    assert RecipeVersion.objects.count() == 1


def test_conditions_on_a_sensitive_column(executor, address, saved, processing):
    page = executor.get(address)
    position = next(line.position for line in page.context["editor"].lines if line.column == "诊断")
    form = entries(page)
    model = step_of(form, "model.k_anonymity")
    form[f"{model}-p-sensitive"] = [str(position)]
    press(executor, address, form, f"refresh:{model[1:]}")
    form = entries(executor.get(address)) | {"g-note": [NOTE]}
    assert form[f"{model}-c{position}-distance"] == ["equal"]
    refused = press(executor, address, form, "save")
    assert refused.status_code == 422
    assert errors(refused), "no condition is set yet"
    form = entries(refused) | {
        f"{model}-c{position}-distinct": ["2"],
        f"{model}-c{position}-t": ["0.4"],
        f"{model}-c{position}-alpha": ["0.8"],
        f"{model}-c{position}-levels": ["流感;1\n肝炎;3"],
        "g-note": [NOTE],
    }
    assert press(executor, address, form, "save").status_code == 302
    parameters = next(
        s for s in current_recipe(processing).tables[""]["steps"] if s["technique"] == "model.k_anonymity"
    )["parameters"]
    assert list(parameters["sensitive"]) == ["诊断"]
    given = parameters["sensitive"]["诊断"]
    assert (given["distinct"], given["t"], given["distance"]) == (2, 0.4, "equal")
    assert (given["alpha"], given["levels"]) == (0.8, {"流感": 1, "肝炎": 3})
    shown = dict(wording.parameter_lines("model.k_anonymity", parameters))
    assert any("0.4" in text for text in shown.values())


def test_everything_about_a_model_can_be_chosen(executor, address, saved, processing):
    form = entries(executor.get(address)) | {"g-note": [NOTE]}
    model = step_of(form, "model.k_anonymity")
    positions = form[f"{model}-columns"]
    form |= {f"{model}-h{p}-kind": ["free"] for p in positions} | {
        f"{model}-h{p}-max": [""] for p in positions
    }
    press(executor, address, form, f"refresh:{model[1:]}")
    chosen = {"recoding": "local", "maximum_risk": "0.1", "average_risk": "0.05", "loss": "geometric"}
    form = (
        entries(executor.get(address))
        | {f"{model}-p-{name}": [value] for name, value in chosen.items()}
        | {f"{model}-h{positions[0]}-weight": ["2.5"], "g-note": [NOTE]}
    )
    wrong = press(executor, address, form | {f"{model}-h{positions[0]}-weight": ["0"]}, "save")
    assert wrong.status_code == 422
    assert any("more than 0" in text for text in errors(wrong))
    assert press(executor, address, form, "save").status_code == 302
    steps = current_recipe(processing).tables[""]["steps"]
    step = next(s for s in steps if s["technique"] == "model.k_anonymity")
    parameters = step["parameters"]
    assert (parameters["recoding"], parameters["maximum_risk"], parameters["average_risk"]) == (
        "local",
        0.1,
        0.05,
    )
    assert parameters["weights"] == {step["columns"][0]: 2.5}
    assert all(one["kind"] == "free" for one in parameters["hierarchies"].values())
    # The same entries come back, and words for them.
    form = entries(executor.get(address))
    assert form[f"{model}-h{positions[0]}-weight"] == ["2.5"]
    shown = dict(wording.parameter_lines("model.k_anonymity", parameters))
    assert "2.5" in shown.values()
    assert any("local" in text for text in shown.values())
    result = {
        "mode": "local", "k": 10, "classes": 3, "min_class": 10, "granularity": 0.9, "levels": {"a": None},
        "loss_by_column": {"a": 0.25},
    }  # fmt: skip
    assert wording.level_lines({}, result) == []
    assert any("75" in text for text in step_sentences({"result": result}))


def test_a_column_gets_and_loses_a_treatment(executor, address, saved, processing):
    form = entries(executor.get(address))
    position = next(
        line.position for line in executor.get(address).context["editor"].lines if line.column == "费用"
    )
    as_is = step_of(form, "as_is")
    press(executor, address, form, f"out:{as_is[1:]}:{position}")
    form = entries(executor.get(address))
    assert str(position) not in form[f"{step_of(form, 'as_is')}-columns"]
    refused = press(executor, address, {**form, "g-note": NOTE}, "save")
    assert refused.status_code == 422
    (line,) = [line for line in refused.context["editor"].lines if line.errors]
    assert line.column == "费用"
    form = entries(executor.get(address)) | {f"t{position}": ["new:suppression.redact_text"]}
    press(executor, address, form, f"treat:{position}")
    form = entries(executor.get(address))
    press(executor, address, {**form, "g-note": NOTE}, "save")
    steps = current_recipe(processing).tables[""]["steps"]
    assert steps[-1] == {
        "technique": "suppression.redact_text", "columns": ["费用"], "parameters": {"kinds": [], "mask": "***"},
    }  # fmt: skip


def test_techniques_fit_the_verdict(executor, address):
    lines = {line.column: line for line in executor.get(address).context["editor"].lines}
    offered = {c: {v for _g, options in line.options for v, _l in options} for c, line in lines.items()}
    assert "new:as_is" not in offered["姓名"]
    assert "new:as_is" in offered["费用"]
    assert "new:model.k_anonymity" not in offered["诊断"]
    assert "new:suppression.mask_identifier" in offered["姓名"]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("p-k", "many", "whole number"),
        ("p-k", "1", "2"),
        ("p-suppression_limit", "2", "1"),
        ("p-k", "", "required"),
        ("h3-units", [], "at least 1"),
        ("h3-max", "-1", "0"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(executor, address, saved, name, value, words):
    form = entries(executor.get(address)) | {"g-note": [NOTE]}
    field = f"{step_of(form, 'model.k_anonymity')}-{name}"
    response = press(executor, address, form | {field: value}, "save")
    assert response.status_code == 422
    bound = {b.html_name: b for block in response.context["blocks"] for b in block["form"]}
    assert words in " ".join(bound[field].errors)
    assert f'href="#id_{field}' in response.content.decode()
    assert RecipeVersion.objects.count() == 1
    # The page of the address still holds the entries.
    assert entries(executor.get(address)).get(field, []) == ([value] if isinstance(value, str) else value)


def test_errors_of_the_engine_find_their_field(executor, address, saved):
    form = entries(executor.get(address)) | {"g-note": [NOTE]}
    model = step_of(form, "model.k_anonymity")
    form |= {f"{model}-h3-kind": ["intervals"]}
    response = press(executor, address, form, "save")
    assert response.status_code == 422, "the settings of the new kind have not been seen yet"
    form = entries(executor.get(address)) | {f"{model}-h3-widths": ["5, 7"]}
    response = press(executor, address, form, "save")
    assert response.status_code == 422
    assert any("multiple of the one before" in text for text in errors(response))
    form |= {f"{model}-h3-kind": ["table"]}
    press(executor, address, form, f"refresh:{model[1:]}")
    form = entries(executor.get(address)) | {
        f"{model}-h3-rows": ["1950-01-01;50s;*\n1950-01-02;50s;*\n1950-01-01;50s;*"]
    }
    response = press(executor, address, form, "save")
    assert any("row 3 repeats a value" in text for text in errors(response))
    assert "1950-01-02;50s;*" in response.content.decode()


def test_a_direct_identifier_is_never_forgotten(executor, address, saved):
    form = entries(executor.get(address)) | {"g-note": [NOTE], "g-unlisted": ["keep"]}
    removal = step_of(form, "suppression.remove_column")
    press(executor, address, form, f"remove:{removal[1:]}")
    form = entries(executor.get(address))
    response = press(executor, address, form, "save")
    assert response.status_code == 422
    (line,) = [line for line in response.context["editor"].lines if line.errors]
    assert line.column == "姓名"
    assert 'href="#column-0"' in response.content.decode()


def test_a_note_from_the_second_version_on(executor, address, saved, processing):
    form = entries(executor.get(address)) | {"g-title": ["Changed"]}
    response = press(executor, address, form, "save")
    assert response.status_code == 422
    assert response.context["editor"].general["note"].errors
    press(executor, address, form | {"g-note": [NOTE]}, "save")
    assert (current_recipe(processing).number, current_recipe(processing).note) == (2, NOTE)


def test_nobody_overwrites_a_version_unseen(executor, address, saved, processing, content, people):
    form = entries(executor.get(address)) | {"g-title": ["Mine"], "g-note": [NOTE]}
    recipe_save(first_table(processing), content=content | {"title": "Theirs"}, note=NOTE, by=people.executor)
    response = press(executor, address, form, "save")
    assert response.status_code == 422
    assert "in the meantime" in " ".join(errors(response))
    form = entries(response)
    assert press(executor, address, form, "save").status_code == 302
    assert current_recipe(processing).tables[""]["title"] == "Mine"


def test_nonsense_is_dropped_not_a_fault(executor, address, saved, processing):
    form = entries(executor.get(address))
    for do in ("up:99", "down:-1", "remove:x", "out:0", "treat:99", "treat:0", "add", "dance", "refresh", ""):
        assert press(executor, address, form, do).status_code == 302
    junk = {
        "s0-technique": "no.such",
        "s1-technique": "as_is",
        "s1-columns": "999",
        "dataset": form["dataset"][0],
    }
    assert executor.post(address, junk | {"do": "save", "basis": "x"}).status_code == 422
    assert executor.post(address, {"do": "save"}).status_code == 302, "the form was about another data set"
    assert RecipeVersion.objects.count() == 1


def test_as_text(executor, processing, saved):
    address = reverse("processing:recipe_text", args=[processing.pk])
    text = executor.get(address).context["form"].initial["text"]
    assert "model.k_anonymity" in text
    assert "出生日期" in text
    for wrong, words in (
        ("steps: [", "line"),
        (text.replace("k: 5", "k: five"), "steps[2].parameters.k"),
        (text.replace("model.k_anonymity", "model.magic"), "model.magic"),
        (text.replace("- 性别", "- 生日"), "steps[2]"),
    ):
        response = executor.post(address, {"text": wrong, "note": NOTE})
        assert response.status_code == 422
        assert words in " ".join(response.context["form"].errors["text"])
    changed = text.replace("k: 5", "k: 6")
    assert executor.post(address, {"text": changed, "note": ""}).status_code == 422
    assert executor.post(address, {"text": changed, "note": NOTE}).status_code == 302
    assert current_recipe(processing).number == 2


def test_usual_treatments_of_a_kind_are_one_choice(executor, address, saved, processing):
    page = executor.get(address)
    lines = {line.column: line for line in page.context["editor"].lines}
    offered = {c: {v for _g, options in line.options for v, _l in options} for c, line in lines.items()}
    assert "preset:name-generalise" in offered["姓名"]
    assert "preset:date-generalise" in offered["出生日期"]
    assert "preset:name-generalise" not in offered["出生日期"]
    form = entries(page)
    position = lines["出生日期"].position
    unit = presets.by_code("birth_date")["date-generalise"].settings["unit"]
    press(executor, address, form | {f"t{position}": ["preset:date-generalise"]}, f"treat:{position}")
    form = entries(executor.get(address))
    step = step_of(form, "generalization.date")
    assert (form[f"{step}-columns"], form[f"{step}-p-unit"]) == ([str(position)], [unit])
    # What this column's kind does not have changes nothing.
    press(executor, address, form | {f"t{position}": ["preset:phone-partial"]}, f"treat:{position}")
    token = {"csrfmiddlewaretoken": [], "seen": []}
    assert entries(executor.get(address)) | token == form | token


def test_every_usual_treatment_is_offered_and_readable():
    for kind in KINDS:
        for code, preset in presets.by_code(kind).items():
            technique, settings = presets.chosen(kind, code)
            assert technique == preset.technique
            assert catalogue.get(technique).settings.model_validate(dict(settings), strict=True)
    assert presets.choices("diagnosis") == []


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("encryption.homomorphic", "encryption.homomorphic", "has made ciphertexts of 费用"),
        ("suppression.remove_column", "encryption.homomorphic", "费用 is removed by step"),
    ],
)
def test_two_treatments_that_do_not_go_together_are_refused_in_the_editor(
    executor, address, saved, first, second, said
):
    page = executor.get(address)
    position = next(line.position for line in page.context["editor"].lines if line.column == "费用")
    form = entries(page)
    press(executor, address, form, f"out:{step_of(form, 'as_is')[1:]}:{position}")
    for technique in (first, second):
        form = entries(executor.get(address)) | {f"t{position}": [f"new:{technique}"]}
        press(executor, address, form, f"treat:{position}")
    refused = press(executor, address, {**entries(executor.get(address)), "g-note": NOTE}, "save")
    assert refused.status_code == 422
    assert [text for text in errors(refused) if said in text], errors(refused)


def test_a_column_that_a_model_has_read_is_not_said_to_be_removed(executor, address, saved):
    """What stands in its way is the step that looked at the values, not one that takes the column out."""
    page = executor.get(address)
    position = next(line.position for line in page.context["editor"].lines if line.column == "诊断")
    form = entries(page)
    model = step_of(form, "model.k_anonymity")
    form[f"{model}-p-sensitive"] = [str(position)]
    press(executor, address, form, f"refresh:{model[1:]}")
    form = entries(executor.get(address)) | {f"{model}-c{position}-distinct": ["2"]}
    press(executor, address, form, f"out:{step_of(form, 'as_is')[1:]}:{position}")
    form = entries(executor.get(address)) | {f"t{position}": ["new:suppression.redact_text"]}
    press(executor, address, form, f"treat:{position}")
    refused = press(executor, address, {**entries(executor.get(address)), "g-note": NOTE}, "save")
    found = errors(refused)
    assert [text for text in found if "reads the values of 诊断; treat it before that step" in text], found
    assert not [text for text in found if "removed" in text]


LONG = "9" * 5000


@pytest.mark.parametrize("do", ["up", "remove", "out", "treat", "refresh", "several", "look"])
def test_numbers_of_any_length_change_nothing(executor, address, saved, do):
    form = entries(executor.get(address))
    model = step_of(form, "model.k_anonymity")
    sent = form | {
        "basis": [LONG],
        f"{model}-columns": [*form[f"{model}-columns"], LONG],
        "t0": [f"join:{LONG}"],
        "several": [f"join:{LONG}"],
        "pick": ["0"],
    }
    assert press(executor, address, sent, f"{do}:{0 if do == 'treat' else LONG}:{LONG}").status_code == 302
    assert entries(executor.get(address))[f"{model}-columns"] == form[f"{model}-columns"]
    assert executor.get(address, {"look": LONG}).status_code == 200


def test_a_sensitive_column_of_any_number_is_none():
    step = drafts.StepDraft("model.l_diversity", [], {"p-sensitive": [LONG, "x", "2"]})
    assert drafts.sensitive_positions(step) == [2]


@pytest.mark.parametrize("sent", [LONG, "9" * 400])
def test_numbers_in_a_row_are_bounded(sent):
    with pytest.raises(ValidationError):
        NumbersField(whole=True).clean(f"1, {sent}")


def test_columns_that_name_a_record(executor, address, saved, processing):
    """What is drawn stays for the records of the columns chosen (D.5), where anything is drawn that can stay."""
    form = entries(executor.get(address)) | {"g-note": [NOTE], "g-records_purpose": ["register"]}
    alone = press(executor, address, form, "save")
    assert alone.status_code == 422
    assert alone.context["editor"].general["records"].errors, "a purpose names no record"
    page = executor.get(address)
    position = str(next(line.position for line in page.context["editor"].lines if line.column == "病历号"))
    unused = press(executor, address, form | {"g-records": [position]}, "save")
    assert unused.status_code == 422
    assert unused.context["editor"].general["records"].errors, "nothing is drawn"
    cost = next(line.position for line in page.context["editor"].lines if line.column == "费用")
    press(
        executor,
        address,
        form | {"g-records": [position], f"t{cost}": ["new:randomization.noise"]},
        f"treat:{cost}",
    )
    form = entries(executor.get(address))
    noise = step_of(form, "randomization.noise")
    form |= {f"{noise}-p-spread": ["0.5"], f"{noise}-p-unit": ["deviation"]}
    scaled = press(executor, address, form, "save")
    assert scaled.status_code == 422
    assert scaled.context["editor"].general["records"].errors, "the size would differ from release to release"
    form = entries(scaled) | {f"{noise}-p-spread": ["20"], f"{noise}-p-unit": ["value"]}
    assert press(executor, address, form, "save").status_code == 302
    recipe = current_recipe(processing).tables[""]
    assert recipe["records"] == {"columns": ["病历号"], "purpose": "register"}
    before = {**recipe, "records": None}
    assert [
        ("病历号" in after, "register" in after) for _place, _before, after in differences(before, recipe)
    ] == [(True, True)]
    again = entries(executor.get(address))
    assert (again["g-records"], again["g-records_purpose"]) == ([position], ["register"])
