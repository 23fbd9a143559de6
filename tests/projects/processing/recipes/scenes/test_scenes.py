"""Scenes of use in the portal: a whole draft for the verdicts, changed before it is saved, kept as evidence."""

from __future__ import annotations

import copy
import csv
import json

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from projects.datasets.tables.selectors import first_table
from projects.processing.models import RecipeVersion
from projects.processing.recipes.scenes.recipes import departures, scene_lines, scene_recipe
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.selectors import latest_run, result_open
from projects.processing.runs.services import run_start
from techniques.core.attributes import Scene
from techniques.core.messages import EngineError
from techniques.recipe.recipe import Recipe
from tests.projects.processing.conftest import ROLES, ROWS, UNPREPARED, at_processing
from tests.projects.processing.editor.editing import entries, press

START = at_processing


def saved_as(project, scene, people, **changes):
    content = scene_recipe(first_table(project), scene) | changes
    return recipe_save(
        first_table(project), content=content, note="from the scene", scene=scene.value, by=people.executor
    )


def began(version):
    return [(one["table"], one["scene"], one["departures"]) for one in version.scenes]


def test_every_scene_can_be_saved_and_run(processing, story, people, source):
    before = source.decode().splitlines()
    for scene in Scene:
        version = saved_as(processing, scene, people)
        assert began(version) == [("", scene.value, [])]
        run_start(processing, by=people.executor)
        story.run_jobs()
        with result_open(latest_run(processing).tables.get()) as stream:
            rows = list(csv.reader(stream.read().decode().splitlines()))
        header = rows[0]
        names = {line.split(",")[0] for line in before[1:]}
        if scene is Scene.DEVELOPMENT:
            assert header == list(ROLES)
            assert len(rows) == ROWS + 1
        if scene is Scene.OPERATIONS:
            assert header == [c for c in ROLES if c != "诊断"]
        # Made-up names may be anybody's, also those of people in the file; else none of theirs is left.
        if "姓名" in header and scene is not Scene.DEVELOPMENT:
            assert not names & {row[header.index("姓名")] for row in rows[1:]}


def test_what_departs_from_the_scene_is_kept_as_evidence(processing, people):
    content = copy.deepcopy(scene_recipe(first_table(processing), Scene.DISPLAY))
    for step in content["steps"]:
        if step["technique"] == "generalization.date":
            step["parameters"]["unit"] = "year"
        if step["technique"] == "as_is":
            step["parameters"]["reason"] = "agreed otherwise in the meeting"
    version = recipe_save(first_table(processing), content=content, scene="display", by=people.executor)
    assert began(version) == [("", "display", ["出生日期"])]
    event = AuditEvent.objects.get(action="recipe.saved")
    assert (event.facts["scene"], event.facts["departures"]) == ("display", 1)


def test_a_level_of_one_column_is_that_columns_departure(processing, people):
    content = copy.deepcopy(scene_recipe(first_table(processing), Scene.STATISTICS))
    model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
    model["parameters"]["minimum_levels"] = {"性别": 1}
    stored = Recipe.from_data(content).model_dump(mode="json")
    assert departures(first_table(processing), Scene.STATISTICS, stored) == ["性别"]


def test_an_unknown_scene_is_refused(processing, people):
    with pytest.raises(EngineError) as error:
        recipe_save(
            first_table(processing),
            content=scene_recipe(first_table(processing), Scene.DISPLAY),
            scene="beach",
            by=people.executor,
        )
    assert error.value.code == "scene_unknown"
    assert not RecipeVersion.objects.exists()


def test_from_the_page_through_the_editor(processing, people, executor):
    page = executor.get(reverse("processing:scenes", args=[processing.pk]), {"scene": "operations"})
    text = page.content.decode()
    assert [line.column for line in page.context["lines"]] == list(ROLES)
    assert 'value="scene:operations"' in text
    address = reverse("processing:recipe", args=[processing.pk])
    dataset = page.context["dataset"]
    assert (
        press(executor, address, {"dataset": str(dataset.pk), "g-note": ""}, "scene:operations").status_code
        == 302
    )
    editor = executor.get(address)
    assert "This draft started from the scene" in editor.content.decode()
    form = entries(editor)
    assert form["g-scene"] == ["operations"]
    form["g-unprepared"] = [UNPREPARED]
    assert not RecipeVersion.objects.exists()
    assert press(executor, address, form, "save").status_code == 302
    version = current_recipe(processing)
    assert began(version) == [("", "operations", [])]
    shown = executor.get(reverse("processing:version", args=[processing.pk, 1])).content.decode()
    assert "Every column is treated as in the scene." in shown
    # The next version still says where it began, and what has changed since.
    form = entries(executor.get(address))
    form["g-title"], form["g-note"] = ["another name"], ["only the name"]
    assert press(executor, address, form, "save").status_code == 302
    assert began(current_recipe(processing)) == [("", "operations", [])]
    press(executor, address, entries(executor.get(address)), "suggest")
    assert entries(executor.get(address))["g-scene"] == [""]


def test_readers_see_the_scenes_and_cannot_take_one(processing, people, client):
    client.force_login(people.auditor)
    page = client.get(reverse("processing:scenes", args=[processing.pk]), {"scene": "nowhere"})
    assert page.status_code == 200
    assert 'value="scene:' not in page.content.decode()


def test_the_page_asks_the_database_seldom(processing, people, executor, django_assert_max_num_queries):
    address = reverse("processing:scenes", args=[processing.pk])
    executor.get(address)
    with django_assert_max_num_queries(20):
        executor.get(address, {"scene": "development"})


def test_the_api(processing, people, client):
    client.force_login(people.executor)
    scenes = client.get(reverse("api:processing-scenes", args=[processing.pk])).json()
    assert [one["scene"] for one in scenes] == [scene.value for scene in Scene]
    taken = scenes[1]
    assert [line["column"] for line in taken["columns"]] == list(ROLES)
    body = {"content": taken["content"], "scene": taken["scene"]}
    url = reverse("api:processing-recipes", args=[processing.pk])
    silent = client.post(url, json.dumps(body), content_type="application/json")
    assert (silent.status_code, silent.json()["code"]) == (422, "preparation_not_stated")
    body["content"] |= {"unprepared": UNPREPARED}
    made = client.post(url, json.dumps(body), content_type="application/json")
    assert made.status_code == 201
    (scene,) = made.json()["scenes"]
    assert (scene["table"], scene["scene"], scene["departures"]) == ("", "development", [])
    bad = client.post(url, json.dumps(body | {"scene": "beach"}), content_type="application/json")
    assert (bad.status_code, bad.json()["code"]) == (422, "scene_unknown")


def test_what_is_lost_is_said_for_every_column(processing):
    for scene in Scene:
        for line in scene_lines(first_table(processing), scene):
            assert line.keeps
            assert line.lost or line.technique == "as_is"
