"""How values are prepared is said of every recipe: by which steps, none with its reason, or that nobody said (5.4.2)."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from projects.datasets.tables.selectors import first_table
from projects.objective.selectors import objective_of
from projects.objective.services import plan_freeze, plan_save
from projects.objective.targets.content import Plan, Preparation
from projects.processing.editor.drafts import draft_of, step_add
from projects.processing.recipes.pages import differences, preparation_facts, preparation_of
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.runs.findings import step_sentences
from projects.processing.runs.services import run_start
from projects.verification.pages import preparations
from projects.workflow import State
from tests.projects.objective.steps import fill, fresh
from tests.projects.processing.conftest import SmallStory, make_csv

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
    assert "gives no reason" in text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("planned", "steps", "departs"),
    [
        (["preparation.normalise", "statistical.sampling"], (NORMALISED, SAMPLED, REMOVED), ""),
        (["preparation.normalise"], (NORMALISED, REMOVED, NORMALISED), ""),
        (
            ["statistical.sampling", "preparation.normalise"],
            (NORMALISED, SAMPLED),
            "Sampling → Normalisation",
        ),
        (["preparation.normalise"], (NORMALISED, SAMPLED), "Normalisation"),
        (["preparation.normalise"], (REMOVED,), "Normalisation"),
        ([], (NORMALISED, REMOVED), "Nothing is prepared"),
        ([], (REMOVED,), ""),
        (None, (NORMALISED, REMOVED), ""),
    ],
)
def test_a_recipe_that_departs_from_the_plan_says_so(project, people, planned, steps, departs):
    """Other techniques, or another order, is a departure; a plan that does not say cannot be departed from."""
    said = {} if planned is None else {"preparation": {"steps": planned, "explanation": "As agreed."}}
    fill(project, people)
    plan = Plan(**objective_of(fresh(project)).plan | said)
    plan_freeze(plan_save(fresh(project), plan=plan, by=people.planner).project, by=people.planner)
    prepares = any(step in (NORMALISED, SAMPLED) for step in steps)
    recipe = content(*steps, **({} if prepares else {"unprepared": "One form everywhere."}))
    with translation.override("en"):
        facts = preparation_facts(project, recipe)
    assert facts["departs"] == (f"The approved plan says: {departs}." if departs else "")
    assert facts["preparation"]


@pytest.mark.django_db
def test_the_reviewer_sees_it_and_the_suggestion_follows_the_plan(people, client):
    """The plan says why nothing is prepared: the suggestion says it too. A recipe that samples departs from it, on the page
    of the version, in what the reviewer is shown of the run, and in the API."""
    planned = Preparation(steps=[], explanation="Every column has one form by the source system.")
    story = SmallStory(
        vars(people), "Visits", make_csv(), file_name="v.csv", documents=False, preparation=planned
    )
    project = story.reach(State.PROCESSING)
    table = first_table(project)
    suggested = recipe_suggest(table)
    assert suggested["unprepared"] == planned.explanation
    recipe_save(table, content=suggested, stated=True, by=people.executor)
    sampled = {"technique": "statistical.sampling", "columns": ["诊断"], "parameters": {"fraction": 0.9}}
    otherwise = {name: value for name, value in suggested.items() if name != "unprepared"}
    otherwise["steps"] = [sampled, *suggested["steps"]]
    recipe_save(table, content=otherwise, note="a sample is enough for it", stated=True, by=people.executor)
    run, _job = run_start(project, by=people.executor)
    story.run_jobs()
    client.force_login(people.supervisor)
    departs = "The approved plan says: Nothing is prepared."
    pages = [
        reverse("processing:page", args=[project.pk]),
        reverse("processing:report", args=[project.pk]),
        reverse("processing:run_detail", args=[project.pk, run.pk]),
        reverse("processing:version", args=[project.pk, 2]),
    ]
    for address in pages:
        assert departs in client.get(address, headers={"accept-language": "en"}).content.decode(), address
    first = client.get(reverse("processing:version", args=[project.pk, 1]), headers={"accept-language": "en"})
    assert departs not in first.content.decode()
    run.refresh_from_db()
    with translation.override("en"):
        assert ("Preparation departs from the plan", departs) in preparations(run)
    versions = client.get(
        reverse("api:processing-recipes", args=[project.pk]), headers={"accept-language": "en"}
    )
    given = [next(iter(one["preparation"].values()))["departs"] for one in versions.json()]
    assert given == [departs, ""]
    listed = reverse("api:processing-recipes", args=[project.pk])
    assert [one["number"] for one in client.get(listed, {"below": 2}).json()] == [1]
    assert client.get(listed, {"below": 0}).status_code == 400


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
