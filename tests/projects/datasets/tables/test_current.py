"""What is current in each table."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models.functions import Lower
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.request_cache import caching_reads
from deid_portal.organisation.services import ensure_defaults
from projects.datasets.models import Table
from projects.datasets.tables.selectors import (
    current_datasets,
    dataset_now,
    datasets_now,
    links_of,
    tables_of,
)
from projects.identification.selectors import current_rounds, round_now, verdicts_hash, verdicts_of
from projects.processing import events
from projects.processing.models import RunTable
from projects.processing.runs.selectors import latest_run, result_hashes, run_hash, tables_of_run
from projects.processing.runs.services import run_start
from projects.workflow import State

from .stories import make_story, visits_csv

pytestmark = pytest.mark.django_db


@pytest.fixture
def story(people, django_capture_on_commit_callbacks):
    ensure_defaults()
    with django_capture_on_commit_callbacks(execute=False):
        yield make_story(people)


def test_what_is_current_follows_each_table(story, people):
    project = story.reach(State.IDENTIFICATION)
    (only,) = tables_of(project)
    story.upload()
    assert current_rounds(project) == {}
    story.scan()
    patients, visits = tables_of(project)
    assert patients == only
    first = current_datasets(project)
    assert set(first) == set(current_rounds(project)) == {patients.pk, visits.pk}
    # A data set that is replaced takes its round with it.
    story.visits = visits_csv(seed=9)
    story.upload()
    assert current_rounds(project) == {}
    assert current_datasets(project)[visits.pk] != first[visits.pk]


def test_a_reading_request_finds_the_same(story, people):
    project = story.reach(State.PROCESSING)
    story.write_recipe()
    run_start(project, by=people.executor)
    story.run_jobs()
    patients, visits = tables_of(project)

    def found():
        return (
            tables_of(project),
            links_of(project),
            datasets_now(project),
            tables_of_run(latest_run(project)),
            verdicts_hash(project),
            verdicts_of(patients),
            verdicts_of(visits),
        )

    alone = found()
    assert len(verdicts_of(patients)) == len(verdicts_of(visits)) == 4
    with caching_reads():
        assert found() == alone
        with CaptureQueriesContext(connection) as statements:
            assert found() == alone
            assert dataset_now(visits) is round_now(visits).dataset
            assert dataset_now(visits).project == project
        assert len(statements) == 0


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


def test_the_latest_run_is_the_same_where_the_data_sets_are_known_already(story, people):
    """An older one of the recipe too, which holds again when a table that a newer one read is gone."""
    project = story.reach(State.PROCESSING)
    story.write_recipe()

    def latest():
        alone = latest_run(project)
        with caching_reads():
            current_datasets(project)
            assert latest_run(project) == alone
        return alone

    def ran():
        run_start(project, by=people.executor)
        story.run_jobs()
        return latest()

    assert latest() is None
    older, newer = ran(), ran()
    assert newer.number == older.number + 1
    made = RunTable.objects.get(run=newer, name="就诊")
    another_table(newer, made, "extra", by=people.executor)
    assert latest() == newer
    for removed_at, expected in ((timezone.now(), older), (None, newer)):
        with recording(
            events.RUN_SUCCEEDED, by=people.executor, project_id=project.pk, subject=newer.subject
        ):
            Table.objects.filter(project=project, name="extra").update(removed_at=removed_at)
        assert latest() == expected


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
    alone = list(tables_of_run(run)), run_hash(run), result_hashes(run)
    with caching_reads():
        assert (list(tables_of_run(run)), run_hash(run), result_hashes(run)) == alone
