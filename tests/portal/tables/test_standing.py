"""What stands in the further tables: read alone and together it is the same, and a page asks for it once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from approvals.memory import remembering
from deid_portal.organisation.services import ensure_defaults
from projects.datasets.standing import _standing, together
from projects.datasets.tables import (
    dataset_now,
    datasets_now,
    further_datasets,
    further_tables,
    links_of,
    tables_of,
)
from projects.identification.selectors import round_now, verdicts, verdicts_hash
from projects.processing.selectors import further_of, latest_run
from projects.processing.services import run_start
from projects.workflow import State

from .stories import make_story, visits_csv

pytestmark = pytest.mark.django_db


@pytest.fixture
def story(people, django_capture_on_commit_callbacks):
    ensure_defaults()
    with django_capture_on_commit_callbacks(execute=False):
        yield make_story(people)


def columns_of(row):
    return [getattr(row, field.attname) for field in row._meta.concrete_fields]


def agree(project):
    """The names of what stands in every further table, after both ways have found the same."""
    alone = {name: selector(project) for name, selector in _standing.items()}
    with remembering(), CaptureQueriesContext(connection) as statements:
        at_once = {name: selector(project) for name, selector in _standing.items()}
    assert len(statements) == 1
    for name in _standing:
        assert alone[name] == at_once[name], name
        for key, row in alone[name].items():
            assert columns_of(row) == columns_of(at_once[name][key]), name
    wanted = {table.pk for table in further_tables(project)}
    return {name for name, rows in alone.items() if set(rows) == wanted}


def test_both_ways_of_reading_agree(story, people):
    project = story.reach(State.IDENTIFICATION)
    assert together(project).tables == []
    story.upload()
    assert agree(project) == {"further_datasets"}
    story.scan()
    assert agree(project) == {"further_datasets", "further_rounds"}
    first = further_datasets(project)
    # A data set that is replaced takes its round with it.
    story.visits = visits_csv(seed=9)
    story.upload()
    assert agree(project) == {"further_datasets"}
    assert further_datasets(project) != first


def test_the_tables_come_with_what_stands_in_them(story, people):
    project = story.reach(State.PROCESSING)
    story.write_recipe()
    run_start(project, by=people.executor)
    story.run_jobs()
    assert agree(project) == {"further_datasets", "further_rounds", "further_of_latest"}
    (visits,) = further_tables(project)
    alone = (tables_of(project), links_of(project), datasets_now(project), verdicts_hash(project))
    made = further_of(latest_run(project))
    with remembering():
        run = latest_run(project)
        with CaptureQueriesContext(connection) as statements:
            assert (tables_of(project), links_of(project), datasets_now(project)) == alone[:3]
            assert further_of(run) == made
            (one,) = further_of(run)
            assert one.dataset is dataset_now(project, visits) is round_now(project, visits).dataset
            assert one.dataset.table is links_of(project)[0].source is tables_of(project)[1]
            assert one.dataset.project == project
        assert len(statements) == 1
        with CaptureQueriesContext(connection) as statements:
            assert verdicts_hash(project) == alone[3]
            assert len(verdicts(project)) == len(verdicts(project, visits)) == 4
        assert len(statements) == 1
