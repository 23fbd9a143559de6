"""The rows that stand, read one by one and together: the same rows, and what they know of each other."""

from __future__ import annotations

import gc
import threading
import uuid
import weakref

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.test.utils import CaptureQueriesContext

from approvals.memory import remembering
from approvals.prepared import Key, Prepared
from deid_portal.demo.story import Story, csv_bytes
from deid_portal.organisation.services import ensure_defaults
from projects.core.models import Project
from projects.core.standing import _standing
from projects.datasets.selectors import current_dataset
from projects.identification.selectors import current_round, running_round
from projects.identification.services import scan_start
from projects.objective.selectors import objective_of, plan_latest
from projects.processing.selectors import current_recipe, latest_run
from projects.processing.services import recipe_save
from projects.releases.selectors import current_release
from projects.verification.selectors import latest_verification
from projects.workflow import Role, State

pytestmark = pytest.mark.django_db


@pytest.fixture
def story(people, django_capture_on_commit_callbacks):
    ensure_defaults()
    with django_capture_on_commit_callbacks(execute=False):
        yield Story(
            {role.value: getattr(people, role.value) for role in Role},
            "Standing",
            csv_bytes(400),
            documents=False,
        )


def both(project: Project) -> dict[str, tuple[object, object]]:
    one_by_one = {name: selector(project) for name, selector in _standing.items()}
    with remembering(), CaptureQueriesContext(connection) as statements:
        together = {name: selector(project) for name, selector in _standing.items()}
    assert len(statements) == 1
    return {name: (one_by_one[name], together[name]) for name in _standing}


def agree(project: Project) -> set[str]:
    """The names of what stands, after both ways have found the same."""
    found = both(project)
    for name, (alone, together) in found.items():
        assert alone == together, name
        if alone is not None:
            values = [
                [getattr(row, f.attname) for f in row._meta.concrete_fields] for row in (alone, together)
            ]
            assert values[0] == values[1], name
    return {name for name, (alone, _together) in found.items() if alone is not None}


def test_both_ways_of_reading_agree_all_the_way(story, people):
    project = story.reach(State.OBJECTIVE_DRAFT)
    assert agree(project) == set()
    story.determine_target()
    assert agree(project) == {"objective_of", "plan_latest"}
    for step in (story.review, story.approve_plan, story.upload):
        project.refresh_from_db()
        step()
    scan_start(project, by=people.executor)
    assert agree(project) == {"objective_of", "plan_latest", "current_dataset", "running_round"}


def test_what_was_read_together_knows_each_other(story, people):
    project = story.reach(State.VERIFICATION)
    assert {"latest_run", "current_recipe", "current_round"} <= agree(project)
    with remembering(), CaptureQueriesContext(connection) as statements:
        run, recipe, dataset = latest_run(project), current_recipe(project), current_dataset(project)
        assert run.recipe_version is recipe
        assert run.dataset is current_round(project).dataset is dataset
        assert run.project is recipe.project is objective_of(project).project is project
        assert plan_latest(project).created_by == people.planner
        assert str(run) == f"{project.number} #1"
    assert len(statements) == 1
    assert (latest_verification(project), current_release(project), running_round(project)) == (
        None,
        None,
        None,
    )


def test_a_newer_recipe_is_seen_both_ways(story, people):
    project = story.reach(State.PROCESSING)
    story.write_recipe()
    first = current_recipe(project)
    recipe_save(project, content=first.content | {"title": "Changed"}, note="changed", by=people.executor)
    assert "latest_run" not in agree(project)
    with remembering():
        assert current_recipe(project).number == first.number + 1


def test_two_projects_in_one_request_are_told_apart(story, people):
    story.reach(State.OBJECTIVE_REVIEW)
    other = Story(story.people, "Another", b"", documents=False)
    other.open()
    with remembering():
        assert objective_of(story.project).project == story.project
        assert objective_of(other.project) is None


def project_key():
    return Key(Project._meta.pk, uuid.uuid4())


def test_a_prepared_query_answers_for_the_key_that_it_is_asked_for(project, people):
    prepared = Prepared(
        Project, lambda key: Project.objects.filter(pk=key).select_related("created_by"), project_key
    )
    for _again in range(2):
        with CaptureQueriesContext(connection) as statements:
            (found,) = prepared.rows(project.pk)
            assert (found, found.created_by) == (project, people.planner)
        assert len(statements) == 1
        assert prepared.rows(uuid.uuid4()) == []


def test_a_prepared_query_forgets_the_connection_of_a_thread_that_ended(project):
    prepared = Prepared(Project, lambda key: Project.objects.filter(pk=key), project_key)
    prepared.rows(project.pk)
    connections_used = []

    def read():
        own = connections[DEFAULT_DB_ALIAS]
        assert prepared._converters_of(DEFAULT_DB_ALIAS, prepared._compiled[DEFAULT_DB_ALIAS], own)
        connections_used.append(weakref.ref(own))

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    gc.collect()
    assert connections_used[0]() is None


def test_a_prepared_query_depends_on_its_keys():
    with pytest.raises(AssertionError, match="keys"):
        Prepared(Project, lambda key: Project.objects.filter(title="x"), project_key).rows(uuid.uuid4())
