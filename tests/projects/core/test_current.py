"""What is current in a project, read by each call and once for a request: the same rows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from approvals.request_cache import caching_reads
from deid_portal.demo.story import Story, csv_bytes
from deid_portal.organisation.services import ensure_defaults
from projects.core.models import Project
from projects.datasets.tables.selectors import current_datasets, dataset_now, first_table, links_of, tables_of
from projects.identification.selectors import current_round, current_rounds, running_round, verdicts_in
from projects.identification.services import scan_start
from projects.objective.selectors import objective_of, plan_latest
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.selectors import latest_run, tables_of_run
from projects.releases.selectors import current_release
from projects.verification.selectors import latest_verification, newest_job
from projects.workflow import Role, State

pytestmark = pytest.mark.django_db


@pytest.fixture
def story(people, django_capture_on_commit_callbacks):
    ensure_defaults()
    with django_capture_on_commit_callbacks(execute=False):
        yield Story(
            {role.value: getattr(people, role.value) for role in Role},
            "Current",
            csv_bytes(400),
            documents=False,
        )


SELECTORS = (
    objective_of,
    plan_latest,
    tables_of,
    links_of,
    current_datasets,
    current_rounds,
    running_round,
    current_recipe,
    latest_run,
    latest_verification,
    newest_job,
    current_release,
)
# Each project has a table.
EMPTY = {"tables_of"}


def found_in(project: Project) -> set[str]:
    """The names of the selectors that find something, after reading each time and once has found the same."""
    alone = {read.__name__: read(project) for read in SELECTORS}
    with caching_reads():
        once = {read.__name__: read(project) for read in SELECTORS}
        with CaptureQueriesContext(connection) as statements:
            again = {read.__name__: read(project) for read in SELECTORS}
    assert len(statements) == 0, "each has been read"
    assert alone == once == again
    return {name for name, found in alone.items() if found} - EMPTY


def test_both_ways_of_reading_agree_all_the_way(story, people):
    project = story.reach(State.OBJECTIVE_DRAFT)
    assert found_in(project) == set()
    story.determine_target()
    assert found_in(project) == {"objective_of", "plan_latest"}
    for step in (story.review, story.approve_plan, story.upload):
        project.refresh_from_db()
        step()
    scan_start(first_table(project), by=people.executor)
    assert found_in(project) == {"objective_of", "plan_latest", "current_datasets", "running_round"}


def test_rows_that_belong_together_are_read_once(story, people):
    project = story.reach(State.VERIFICATION)
    assert {"latest_run", "current_recipe", "current_rounds"} <= found_in(project)
    with caching_reads():
        assert all(verdicts_in(round_) for round_ in current_rounds(project).values())
        objective, plan = objective_of(project), plan_latest(project)
        run, recipe, dataset = latest_run(project), current_recipe(project), dataset_now(first_table(project))
        with CaptureQueriesContext(connection) as statements:
            assert run.recipe_version is recipe
            assert tables_of_run(run)[""].dataset == current_round(project).dataset
            assert current_round(project).dataset is dataset
            assert run.project is recipe.project is objective.project is project
            assert plan.created_by == people.planner
            assert str(run) == f"{project.number} #1"
        assert len(statements) == 0
    assert (latest_verification(project), current_release(project), running_round(project)) == (
        None,
        None,
        None,
    )


def test_what_is_not_asked_for_is_not_read(story, people):
    project = story.reach(State.VERIFICATION)
    for read, needed in ((objective_of, 1), (tables_of, 1), (current_datasets, 2), (latest_run, 3)):
        with caching_reads(), CaptureQueriesContext(connection) as statements:
            assert read(project)
        assert len(statements) == needed, (read.__name__, [query["sql"] for query in statements])


def test_a_newer_recipe_is_seen_both_ways(story, people):
    project = story.reach(State.PROCESSING)
    story.write_recipe()
    first = current_recipe(project)
    recipe_save(
        first_table(project),
        content=first.tables[""] | {"title": "Changed"},
        note="changed",
        by=people.executor,
    )
    assert "latest_run" not in found_in(project)
    with caching_reads():
        assert current_recipe(project).number == first.number + 1


def test_two_projects_in_one_request_are_told_apart(story, people):
    story.reach(State.OBJECTIVE_REVIEW)
    other = Story(story.people, "Another", b"", documents=False)
    other.open()
    with caching_reads():
        assert objective_of(story.project).project == story.project
        assert objective_of(other.project) is None
