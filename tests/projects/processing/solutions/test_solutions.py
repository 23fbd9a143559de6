"""The solutions of a search can be looked at, and another one taken: it becomes a version with fixed levels."""

from __future__ import annotations

import pyarrow as pa
import pytest
from django.db import IntegrityError
from django.urls import reverse
from pydantic import TypeAdapter

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from deid_portal.demo.story import DISPENSABLE, without_dispensable
from projects.datasets.tables.selectors import first_table
from projects.jobs.models import Job
from projects.jobs.services import job_cancel
from projects.processing import events
from projects.processing.models import Exploration
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.runs.services import run_start
from projects.processing.solutions import pages as solution_pages
from projects.processing.solutions.services import exploration_start, may_choose, may_explore, solution_choose
from projects.processing.wording import top_level
from projects.workflow import State
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import HierarchyDefinition

pytestmark = pytest.mark.django_db
WHY = "the study needs the year of birth more than the sex"


def with_solutions(story, by):
    """With both columns in the classes and no average to keep there are solutions beside the best one."""
    content = without_dispensable(recipe_suggest(first_table(story.project)), DISPENSABLE)
    model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
    model["parameters"] |= {"average_risk": None}
    recipe_save(first_table(story.project), content=content, note="two columns", by=by)


@pytest.fixture
def looked_at(story, people):
    story.reach(State.PROCESSING)
    with_solutions(story, people.executor)
    exploration, _job = exploration_start(first_table(story.project), by=people.executor)
    story.run_jobs()
    exploration.refresh_from_db()
    return exploration


def url(project, name="solutions", **more):
    return reverse(f"processing:{name}", kwargs={"project_id": project.pk, **more})


def other(exploration):
    nodes = exploration.result["space"]["nodes"]
    return next(node for node in nodes if node["satisfies"] and not node["best"])


def test_another_solution_is_chosen_and_the_run_does_what_was_shown(
    looked_at, client, story, people, secrets
):
    space = looked_at.result["space"]
    assert space["columns"] == ["性别", "出生日期"]
    assert space["complete"]
    assert [node["best"] for node in space["nodes"]].count(True) == 1
    assert looked_at.result["frontier"]
    bought = looked_at.result["what_if"]
    assert {one["column"] for one in bought if one["change"] == "dropped"} == {"性别", "出生日期"}
    assert [one["gained"] for one in bought] == sorted((one["gained"] for one in bought), reverse=True)
    # Of all columns together it is the detail of the best solution, so what a coarser column costs is a loss at most.
    best = next(node for node in space["nodes"] if node["best"])
    coarser = [one for one in bought if one["change"] == "coarser"]
    assert coarser
    assert {round(one["before"], 9) for one in coarser} == {round(best["kept"], 9)}
    client.force_login(people.executor)
    page = client.get(url(story.project) + "?all=1").content.decode()
    assert page.count("<tr>") > len(space["nodes"])
    assert 'role="img"' in page
    assert "去掉性别" in page
    for value in secrets:
        assert value not in page

    spared = space["sparing"]
    assert len(spared["emptied"]) <= len(spared["best"]) <= len(space["columns"])
    assert {
        column: level for column, level in spared["levels"].items() if level == {"性别": 1}.get(column)
    } == (dict.fromkeys(spared["emptied"], 1))
    assert solution_pages.shown(looked_at, every=True)["emptied"] in page

    # The recipe bounds the dates at the decade: that is their coarsest level here, and no *.
    shown = solution_pages.shown(looked_at, every=True)
    dates = next(one for one in shown["columns"] if one["column"] == "出生日期")
    assert len(dates["levels"]) == 4
    assert not any("*" in text for _level, text in dates["levels"])
    assert all(level[2] for row in shown["rows"] for level in row.levels), "no level without its words"
    points = [(one["k"], one["suppressed"], one["levels"]) for one in shown["frontier"]]
    assert len(points) == len(set(points)), "the same solution is said once"
    drawn = shown["frontier_points"]
    assert len(drawn) == len(shown["frontier"]), "the picture has what the table has"
    assert [risk for _name, risk, *_rest in drawn] == sorted(risk for _name, risk, *_rest in drawn)
    assert {risk for _name, risk, _kept, _passed, own in drawn if own} <= {shown["k_risk"]}
    assert "最高风险：1/k" in page

    node = other(looked_at)
    answer = client.post(
        url(story.project, "solution_choose", exploration_id=looked_at.pk),
        {"levels": ",".join(map(str, node["levels"])), "reason": WHY},
    )
    version = current_recipe(story.project)
    assert answer.url.endswith(f"/versions/{version.number}/")
    assert version.note == WHY
    looked_at.refresh_from_db()
    assert (looked_at.chosen_in, looked_at.chosen_by) == (version, people.executor)
    event = AuditEvent.objects.get(action="solution.chosen")
    assert (event.reason, event.facts["version"]) == (WHY, version.number)
    run, _job = run_start(story.project, by=people.executor)
    story.run_jobs()
    run.refresh_from_db()
    made = next(
        step for step in run.tables.get().report["steps"] if step["technique"] == "model.k_anonymity"
    )["result"]
    assert [made["levels"][column] for column in space["columns"]] == node["levels"]
    assert (made["classes"], made["min_class"]) == (node["classes"], node["smallest"])
    assert made["suppressed"] / 300 == pytest.approx(node["suppressed"])
    assert may_choose(people.executor, looked_at).code == "exploration_outdated"
    assert WHY in client.get(url(story.project)).content.decode()


def test_only_the_executor_with_a_reason_and_only_what_keeps_the_conditions(looked_at, client, story, people):
    nodes = looked_at.result["space"]["nodes"]
    good = other(looked_at)["levels"]
    bad = next(node["levels"] for node in nodes if not node["satisfies"])
    best = next(node["levels"] for node in nodes if node["best"])
    for levels, reason, code in (
        (good, " ", "reason_needed"),
        (bad, WHY, "no_solution"),
        ([99, 99], WHY, "no_solution"),
        (best, WHY, "solution_is_best"),
    ):
        with pytest.raises(Refused) as refused:
            solution_choose(looked_at, levels=levels, reason=reason, by=people.executor)
        assert refused.value.verdict.code == code
    for role in ("planner", "supervisor", "management", "auditor"):
        by = getattr(people, role)
        with pytest.raises(Refused):
            solution_choose(looked_at, levels=good, reason=WHY, by=by)
        with pytest.raises(Refused):
            exploration_start(first_table(story.project), by=by)
        client.force_login(by)
        assert client.get(url(story.project)).status_code == 200
    client.force_login(people.outsider)
    assert client.get(url(story.project)).status_code == 404
    with (
        pytest.raises(IntegrityError),
        recording(
            events.SOLUTION_CHOSEN, by=people.executor, subject=looked_at.subject, version=1, reason="x"
        ),
    ):
        Exploration.objects.filter(pk=looked_at.pk).update(chosen_by=people.executor)


def test_a_cancelled_look_leaves_nothing_and_the_api_does_the_same(story, client, people):
    project = story.reach(State.PROCESSING)
    assert may_explore(people.executor, first_table(project)).code == "no_lattice"
    with_solutions(story, people.executor)
    exploration, job = exploration_start(first_table(project), by=people.executor)
    assert may_explore(people.executor, first_table(project)).code == "exploration_under_way"
    job_cancel(Job.objects.get(pk=job.pk), by=people.executor)
    exploration.refresh_from_db()
    assert exploration.ended_at
    assert not exploration.result
    client.force_login(people.executor)
    where = {"project_id": project.pk}
    assert client.post(reverse("api:processing-explorations", kwargs=where)).status_code == 202
    story.run_jobs()
    listed = client.get(reverse("api:processing-explorations", kwargs=where)).json()
    newest = (listed["results"] if isinstance(listed, dict) else listed)[0]
    node = next(n for n in newest["result"]["space"]["nodes"] if n["satisfies"] and not n["best"])
    chosen = client.post(
        reverse("api:processing-solution-choice", kwargs={**where, "exploration_id": newest["id"]}),
        {"levels": node["levels"], "reason": WHY},
        content_type="application/json",
    )
    assert chosen.status_code == 201, chosen.content
    assert chosen.json()["note"] == WHY


@pytest.mark.parametrize(
    ("definition", "values"),
    [
        ({"kind": "star"}, ["a", "b"]),
        ({"kind": "dates", "units": ["month", "year", "decade"]}, ["1999-01-02", "2001-03-04"]),
        ({"kind": "intervals", "widths": [5, 10]}, ["1", "12"]),
        ({"kind": "mask", "characters": [2, 4], "side": "right"}, ["123456", "654321"]),
        ({"kind": "table", "rows": [["a", "A", "*"], ["b", "A", "*"]]}, ["a", "b"]),
        ({"kind": "table", "rows": [["a", "A"], ["b", "B"]]}, ["a", "b"]),
    ],
)
def test_the_coarsest_level_in_words_is_that_of_the_hierarchy(definition, values):
    built = build(TypeAdapter(HierarchyDefinition).validate_python(definition), pa.array(values))
    assert top_level(definition, 99) == built.levels - 1
    assert top_level({"kind": "free"}, 7) == 7, "only the data say it"
