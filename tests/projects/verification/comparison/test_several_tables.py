"""Runs over two tables side by side: the risk is that of the worst table or of the joined view, and each stands alone too."""

from __future__ import annotations

import copy

import pytest
from django.urls import reverse

from approvals.governance.verdict import Refused
from deid_portal.organisation.services import ensure_defaults
from projects.datasets.tables.selectors import first_table
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.selectors import latest_run, rows_of
from projects.processing.runs.services import run_start
from projects.verification.comparison.pages import overview
from projects.verification.comparison.selectors import candidate_runs
from projects.verification.comparison.services import candidate_choose, comparison_start
from projects.workflow import State
from tests.projects.datasets.tables.stories import JointStory, joint_recipe, patients_csv

pytestmark = pytest.mark.django_db


@pytest.fixture
def compared(people, django_capture_on_commit_callbacks):
    """A run that keeps the targets, and one whose months of visits are too fine once the tables are joined."""
    ensure_defaults()
    with django_capture_on_commit_callbacks(execute=False):
        story = JointStory(vars(people), "Patients and visits", patients_csv(), documents=False)
        story.reach(State.PROCESSING)
        finer = copy.deepcopy(joint_recipe())
        finer["tables"]["就诊"]["steps"][1]["parameters"]["unit"] = "month"
        for content in (joint_recipe(), finer):
            story.project.refresh_from_db()
            recipe_save(first_table(story.project), content=content, note="another way", by=people.executor)
            run_start(story.project, by=people.executor)
            story.run_jobs()
        runs = candidate_runs(story.project)
        comparison, _job = comparison_start(
            story.project, run_ids=[run.pk for run in runs], by=people.executor
        )
        story.run_jobs()
        comparison.refresh_from_db()
        yield story, comparison, runs


def test_runs_over_two_tables_are_compared_and_one_goes_forward(compared, client, people):
    story, comparison, (second, first) = compared
    assert rows_of(second) == sum(one.result_rows for one in second.tables.all())
    sound, fine = comparison.results
    assert all(check["passed"] is True for check in sound["checks"])
    assert {check["kind"] for check in fine["checks"] if check["passed"] is not True} == {"joined"}
    for one in (sound, fine):
        figures, tables = one["figures"], one["figures"]["tables"]
        assert set(tables) == {"患者表", "就诊"}
        assert figures["k"] == min(figures["joined_k"], *(of["k"] for of in tables.values()))
        assert figures["average_risk"] == max(of["average_risk"] for of in tables.values())
        assert figures["overall"] == max(of["overall"] for of in tables.values())
        assert not figures["view_in_overall"], "the story goes by the average, which the joined view has not"
        assert figures["max_risk"] == 1 / figures["k"]
        assert figures["suppressed"] == max(of["suppressed"] for of in tables.values())
        assert set(figures["detail"]) == {
            "患者表.性别",
            "患者表.出生日期",
            "就诊.就诊日期",
            "就诊.诊断",
            "就诊.费用",
        }
    assert sound["figures"]["detail_mean"] < fine["figures"]["detail_mean"]
    assert sound["figures"]["joined_k"] > fine["figures"]["joined_k"]

    client.force_login(people.executor)
    page = client.get(
        reverse("verification:candidates", kwargs={"project_id": story.project.pk})
    ).content.decode()
    assert "就诊.就诊日期" in page
    shown = overview(story.project, people.executor)["shown"]
    assert [row.get("table", "") for row in shown["by_table"]] == ["患者表"] * 2 + ["就诊"] * 2 + [""] * 2
    for by in (people.supervisor, people.planner, people.superuser):
        with pytest.raises(Refused):
            candidate_choose(comparison, run_id=first.pk, reason="most detail", by=by)
    story.project.refresh_from_db()
    _comparison, again = candidate_choose(
        comparison, run_id=first.pk, reason="the joined view", by=people.executor
    )
    story.run_jobs()
    chosen = latest_run(story.project)
    assert chosen == again
    assert chosen.recipe_version.content_hash == first.recipe_version.content_hash
    assert chosen.recipe_version.tables == first.recipe_version.tables
    assert {run.number for run in candidate_runs(story.project)} == {2, 3}
