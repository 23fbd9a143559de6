"""A result that fails says what would make it pass, the cheapest first; the numbers are what a run then gives."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from projects.core.services import project_move
from projects.jobs.models import JobItem
from projects.processing.services import recipe_save
from projects.verification.presentation import gate_rows
from projects.verification.ways import ways_of
from projects.workflow import Move, State
from techniques.recipe import Recipe

from .stories import SmallStory

pytestmark = pytest.mark.django_db


def weak(content):
    """Two alike with every year of age kept are not what the targets ask for."""
    model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
    model["parameters"] |= {"k": 2, "suppression_limit": 0.05, "maximum_levels": {"年龄": 0}}


@pytest.fixture
def failed(people):
    story = SmallStory(people, change=weak)
    story.reach(State.VERIFICATION)
    return story, story.measure()


def test_a_failing_result_says_what_mends_it_and_that_comes_true(failed, client, people):
    story, verification = failed
    assert verification.passed is False
    found = verification.report["remedies"]
    assert found["problem"] is None
    passing = [way for way in found["ways"] if way["outcome"] and way["outcome"]["passes"]]
    kept = [way["outcome"]["kept"] for way in passing]
    assert kept == sorted(kept, reverse=True)
    assert found["now"]["kept"] > kept[0], "protection is paid for"

    client.force_login(people.executor)
    page = client.get(reverse("verification:page", kwargs={"project_id": story.project.pk})).content.decode()
    assert 'id="ways"' in page
    shown = ways_of(verification.report)
    assert shown["rows"][0].is_cheapest
    row = next(row for row in gate_rows(verification.checks, verification.report) if row.kind == "k")
    assert row.fixes[0]["text"].startswith(shown["passing"][0].text)
    assert row.fixes[0]["cost"]
    for value in story.secret:
        assert value not in json.dumps(found, ensure_ascii=False)

    cheapest = passing[0]
    assert (cheapest["code"], cheapest["column"]) == ("unbind", "年龄")
    project_move(story.fresh(), move=Move.BACK_TO_PROCESSING, by=people.executor, reason="k was too small")
    content = json.loads(json.dumps(verification.run.recipe_version.content))
    next(s for s in content["steps"] if s["technique"] == "model.k_anonymity")["parameters"] |= {
        **cheapest["settings"], "maximum_levels": {},
    }  # fmt: skip
    recipe_save(story.fresh(), content=Recipe.from_data(content).model_dump(mode="json"),
                note="the cheapest way that passes", by=people.executor)  # fmt: skip
    from projects.processing.services import run_start

    run, _job = run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    run.refresh_from_db()
    made = next(step for step in run.report["steps"] if step["technique"] == "model.k_anonymity")["result"]
    assert made["min_class"] == cheapest["outcome"]["k"]
    assert made["levels"] == cheapest["outcome"]["levels"]


def test_a_result_that_passes_asks_for_nothing(story):
    verification = story.measure()
    assert "remedies" not in verification.report
    assert ways_of(verification.report) is None
    items = JobItem.objects.filter(job_id=verification.job_id).order_by("position")
    assert [item.output_hash == "" for item in items] == [False, True]


def test_every_row_says_what_its_number_means_with_the_real_values(story, client, people):
    verification = story.measure()
    rows = {row.kind: row for row in gate_rows(verification.checks, verification.report)}
    assert all(row.meaning for row in rows.values())
    risk = verification.report["risk"]
    signs = {sign: value for sign, _meaning, value in rows["average_risk"].formula["terms"]}
    assert signs == {"J": f"{risk['classes']:,}", "n": f"{risk['rows']:,}"}
    client.force_login(people.supervisor)
    page = client.get(reverse("verification:page", kwargs={"project_id": story.project.pk})).content.decode()
    assert page.count("gate__why") == len(verification.checks)
    assert str(rows["overall"].formula["substituted"]) in page


def test_what_other_steps_change_before_is_not_guessed(people):
    def rounded(content):
        weak(content)
        step = {
            "technique": "generalization.rounding", "columns": ["年龄"], "parameters": {"base": 2.0},
        }  # fmt: skip
        content["steps"].insert(1, step)

    story = SmallStory(people, change=rounded)
    story.reach(State.VERIFICATION)
    verification = story.measure()
    assert verification.passed is False
    assert ways_of(verification.report)["problem"]
    assert "年龄" in ways_of(verification.report)["problem"]
