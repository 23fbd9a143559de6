"""How values are prepared is said of every recipe: by which steps, none with its reason, or that nobody said (5.4.2)."""

from __future__ import annotations

from django.utils import translation

from projects.processing.editor.drafts import draft_of, step_add
from projects.processing.recipes.pages import differences, preparation_of
from projects.processing.runs.findings import step_sentences

REMOVED = {"technique": "suppression.remove_column", "columns": ["a"], "parameters": {}}
NORMALISED = {"technique": "preparation.normalise", "columns": ["b", "c"], "parameters": {}}
SAMPLED = {"technique": "statistical.sampling", "columns": ["c"], "parameters": {"fraction": 0.5}}


def content(*steps, **more):
    return {"recipe": 1, **more, "steps": list(steps)}


def said(*steps, **more):
    with translation.override("en"):
        return preparation_of(content(*steps, **more))


def test_steps_none_and_not_stated_are_told_apart():
    assert said(NORMALISED, SAMPLED, REMOVED) == (
        "steps",
        "step 1, Normalisation (b, c); step 2, Sampling (c)",
    )
    assert said(REMOVED, unprepared="All dates have one form.") == (
        "none",
        "None, by choice: “All dates have one form”.",
    )
    code, text = said(REMOVED)
    assert code == "not_stated"
    assert "does not say why" in text


def test_a_change_of_the_choice_is_a_difference_and_the_editor_shows_it():
    before, after = content(REMOVED), content(REMOVED, unprepared="One form everywhere")
    with translation.override("en"):
        assert [place for place, _old, _new in differences(before, after)] == ["Preparation (5.4.2)"]
    assert draft_of(after, ["a"], dataset="", basis=1).general["unprepared"] == ["One form everywhere"]
    assert draft_of(before, ["a"], dataset="", basis=1).general["unprepared"] == [""]


def test_a_preparation_that_is_added_stands_before_the_treatment():
    draft = draft_of(content(NORMALISED, REMOVED), ["a", "b", "c"], dataset="", basis=0)
    places = {"a": 0, "b": 1, "c": 2}
    assert step_add(draft, "preparation.normalise", [0], {}, places) == "step-2"
    assert step_add(draft, "as_is", [1], {}, places) == "step-4"
    assert [step.technique.partition(".")[0] for step in draft.steps] == ["preparation"] * 2 + [
        "suppression",
        "as_is",
    ]


def test_what_it_merged_stands_in_the_report():
    step = {"result": {"b": {"values": 5, "values_after": 3}, "c": {"values": 4, "values_after": 4}}}
    with translation.override("en"):
        merged, kept = step_sentences(step)
    assert "of 5 values as written 3 are left, so 2 spellings became another's" in merged
    assert "no two values became one" in kept
