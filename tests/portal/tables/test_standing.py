"""What stands in the further tables: read alone and together it is the same, and a page asks for it once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models.functions import Lower
from django.test.utils import CaptureQueriesContext

from approvals.audit.recording import recording
from approvals.memory import remembering
from deid_portal.organisation.services import ensure_defaults
from projects.datasets.tables.selectors import (
    dataset_now,
    datasets_now,
    further_datasets,
    further_tables,
    links_of,
    tables_of,
)
from projects.datasets.tables.standing import _standing, together
from projects.identification.selectors import round_now, verdicts, verdicts_hash
from projects.processing import events
from projects.processing.models import RunTable
from projects.processing.selectors import further_of, latest_run, result_hashes, run_hash
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


def another_table(run, one, name, *, by):
    """One more table of the project and of the run, copied from another."""
    with recording(events.RUN_SUCCEEDED, by=by, project_id=run.project_id, subject=run.subject):
        table, dataset, made = one.table, one.dataset, one
        for row, values in (
            (table, {"name": name, "position": table.position + 1}),
            (dataset.stored, {}),
            (dataset, {"table": table, "stored": dataset.stored, "sample": None}),
            (made, {"table": table, "dataset": dataset, "name": name, "result_sha256": "0" * 64}),
        ):
            row.pk, row._state.adding = row._meta.pk.get_default(), True
            for field, value in values.items():
                setattr(row, field, value)
            row.save(force_insert=True)


def test_the_hash_of_a_run_does_not_depend_on_how_the_database_sorts_names(story, people, monkeypatch):
    project = story.reach(State.PROCESSING)
    story.write_recipe()
    run_start(project, by=people.executor)
    story.run_jobs()
    run = latest_run(project)
    for name in ("b", "C"):
        another_table(run, RunTable.objects.get(run=run, name="就诊"), name, by=people.executor)
    assert latest_run(project) == run
    # As in a language, which is what PostgreSQL does unless it was set up otherwise: "b" comes before "C".
    monkeypatch.setattr(RunTable._meta, "ordering", [Lower("name")])
    alone = [one.name for one in further_of(run)], run_hash(run), result_hashes(run)
    with remembering():
        assert ([one.name for one in further_of(run)], run_hash(run), result_hashes(run)) == alone
