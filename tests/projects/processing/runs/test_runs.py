"""Runs through the services: what a result holds, and what a failed or cancelled run leaves."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from projects.core.evidence import evidence_state
from projects.core.services import project_move
from projects.datasets.models import StoredFile
from projects.datasets.tables.selectors import first_table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import current_round
from projects.identification.services import Given, verdict_give
from projects.jobs.models import Job, JobItem
from projects.jobs.registry import kind_of
from projects.jobs.services import job_cancel, job_run
from projects.processing.models import Run
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.selectors import latest_run, result_format, result_open
from projects.processing.runs.services import run_start
from projects.workflow import Evidence, Move, State
from tests.projects.processing.conftest import NOTE, ROLES, at_processing
from tests.projects.processing.recipes.test_recipes import refused, step

START = at_processing


def job_of(run) -> Job:
    return Job.objects.get(pk=run.job_id)


def test_a_recipe_for_other_verdicts_is_not_run(saved, processing, content, people, story):
    project_move(processing, move=Move.BACK_TO_IDENTIFICATION, by=people.executor, reason="mistake")
    processing.refresh_from_db()
    processing.__dict__.pop("_roles", None)
    verdict_give(
        current_round(processing),
        Given("费用", ColumnRole.SENSITIVE, "fee", "sums may tell who it is"),
        by=people.executor,
    )
    project_move(processing, move=Move.SUBMIT_IDENTIFICATION, by=people.executor)
    story.project.refresh_from_db()
    story.review()
    project = story.project
    project.refresh_from_db()
    assert project.state == State.PROCESSING
    with refused("recipe_outdated"):
        run_start(project, by=people.executor)
    assert "当前判定" in str(evidence_state(project, Evidence.RUN_SUCCEEDED).missing[0])
    again = recipe_save(
        first_table(project), content=content, note="looked through again", by=people.executor
    )
    assert (again.number, again.content_hash) == (2, saved.content_hash)
    run_start(project, by=people.executor)


def test_the_result_is_what_the_recipe_says(finished, processing, source):
    (written,) = finished.tables.all()
    rows = list(csv.DictReader(io.TextIOWrapper(result_open(written), result_format(written).encoding)))
    assert set(rows[0]) == set(ROLES) - {"姓名"}
    original = list(csv.DictReader(io.StringIO(source.decode())))
    assert len(rows) == written.result_rows <= len(original)
    assert not {row["病历号"] for row in rows} & {row["病历号"] for row in original}
    groups: dict[tuple[str, str], int] = {}
    for row in rows:
        key = (row["性别"], row["出生日期"])
        groups[key] = groups.get(key, 0) + 1
    assert (
        min(groups.values())
        >= step(finished.recipe_version.tables[""], "model.k_anonymity")["parameters"]["k"]
    )
    assert latest_run(processing) == finished


def test_one_run_at_a_time(started, processing, people):
    with refused("already_running"):
        run_start(processing, by=people.executor)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE processing_runtable SET result_sha256 = 'x'")
    # Nothing succeeds without its result.
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE processing_run SET status = 'succeeded'")


@pytest.mark.parametrize("when", ["waiting", "working"])
def test_a_cancelled_run_leaves_nothing(started, processing, people, when, monkeypatch):
    before = set(StoredFile.objects.values_list("pk", flat=True))
    job = job_of(started)
    if when == "waiting":
        job_cancel(job, by=people.executor)
    else:
        from techniques.engines.local import LocalRun

        execute = LocalRun.execute

        def stop_at_the_end(self, key, tick=lambda share: None):
            if key == "assemble":
                job_cancel(job_of(started), by=people.executor)
            execute(self, key, tick)

        monkeypatch.setattr(LocalRun, "execute", stop_at_the_end)
        job_run(job.pk)
        assert kind_of("processing.run")._last is None, "no key stays in the worker's memory"
    started.refresh_from_db()
    (table,) = started.tables.all()
    assert (started.status, table.result, table.report) == ("cancelled", None, {})
    assert set(StoredFile.objects.values_list("pk", flat=True)) == before
    assert latest_run(processing) is None
    assert AuditEvent.objects.filter(action="run.cancelled", subject_id=str(started.pk)).exists()
    again, _job = run_start(processing, by=people.executor)
    assert again.number == 2


def test_a_file_that_the_report_does_not_speak_of_is_no_result(started, processing, monkeypatch):
    from techniques.engines.local import LocalRun

    report = LocalRun.report
    monkeypatch.setattr(LocalRun, "report", lambda self: {**report(self), "result_sha256": "0" * 64})
    before = set(StoredFile.objects.values_list("pk", flat=True))
    job = job_run(job_of(started).pk)
    assert (job.status, job.error_code) == ("failed", "run.another_result")
    started.refresh_from_db()
    (table,) = started.tables.all()
    assert (started.status, table.result) == ("failed", None)
    assert latest_run(processing) is None
    assert set(StoredFile.objects.values_list("pk", flat=True)) == before
    assert kind_of("processing.run")._last is None


def test_what_cannot_be_reached_is_explained_and_mended(processing, content, people, client):
    parameters = step(content, "model.k_anonymity")["parameters"]
    parameters |= {"k": 40, "suppression_limit": 0.0, "maximum_levels": {"出生日期": 0, "性别": 0}}
    recipe_save(first_table(processing), content=content, by=people.executor)
    run, _job = run_start(processing, by=people.executor)
    job = job_run(job_of(run).pk)
    assert (job.status, job.error_code) == ("failed", "no_solution")
    run.refresh_from_db()
    (table,) = run.tables.all()
    assert (run.status, table.result, table.result_rows) == ("failed", None, None)
    client.force_login(people.executor)
    with translation.override("en"):
        client.post(reverse("set_language"), {"language": "en", "next": "/"})
        for name, more in (("page", {}), ("run_detail", {"run_id": run.pk})):
            address = reverse(f"processing:{name}", kwargs={"project_id": processing.pk, **more})
            text = client.get(address).content.decode()
            assert "No allowed generalisation reaches k = 40" in text
            assert "Allow a higher level" in text
        page = client.get(reverse("processing:page", args=[processing.pk])).content.decode()
    assert reverse("processing:recipe", args=[processing.pk]) in page
    parameters |= {"k": 5, "suppression_limit": 0.05, "maximum_levels": {}}
    recipe_save(first_table(processing), content=content, note="coarser levels allowed", by=people.executor)
    again, job = run_start(processing, by=people.executor)
    assert job_run(job.pk).status == "succeeded"
    assert latest_run(processing) == again
    assert [one.status for one in Run.objects.order_by("number")] == ["failed", "succeeded"]


def test_a_new_version_makes_the_result_history(finished, processing, content, people):
    assert evidence_state(processing, Evidence.RUN_SUCCEEDED).met
    recipe_save(first_table(processing), content=content | {"title": "x"}, note=NOTE, by=people.executor)
    assert not evidence_state(processing, Evidence.RUN_SUCCEEDED).met
    assert latest_run(processing) is None
    assert Run.objects.get().tables.get().result is not None
    # And no result goes from a run that has succeeded, or comes to one that has not.
    for wrong in ("status = 'failed'", "status = 'cancelled'"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE processing_run SET {wrong}")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE processing_runtable SET result_id = NULL, result_sha256 = '', result_rows = NULL"
        )


def test_titles_of_parts_are_stored_untranslated(finished):
    item = JobItem.objects.get(job_id=finished.job_id, key="fit:0002")
    assert item.title.startswith("Step %(number)d, %(technique)s: the best of %(solutions)d solutions")
    assert item.params.items() >= {"number": 3, "technique": "k-anonymity"}.items()
    assert item.params["solutions"] == item.params["effort"] > 1
    with translation.override("en"):
        assert item.title_text.startswith(f"Step 3, k-anonymity: the best of {item.params['solutions']} ")
