"""Which runs and projects of the portal can be joined by pseudonyms, and which keys are left after them."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from projects.datasets.tables.selectors import first_table
from projects.jobs.models import Job
from projects.jobs.services import job_cancel
from projects.processing import events
from projects.processing.models import Run
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.selectors import result_format, result_open, runs_with_seed_of
from projects.processing.runs.services import run_start
from projects.reversal.selectors import reversible_columns
from projects.vault.models import Secret
from tests.projects.processing.conftest import at_processing, small_story

START = at_processing
CHOSEN = {"姓名": "run", "病历号": "project", "性别": "purpose", "诊断": "never"}


def _content():
    def hashed(column, joinable):
        purpose = {"purpose": "慢病研究"} if joinable == "purpose" else {}
        return {
            "technique": "pseudonymization.keyed_hash",
            "columns": [column],
            "parameters": {"joinable": joinable, **purpose},
        }

    steps = [hashed(column, joinable) for column, joinable in CHOSEN.items()]
    return {"recipe": 1, "order": "kept", "steps": [*steps, {"technique": "suppression.remove_column", "columns": ["出生日期", "费用"]}]}  # fmt: skip


def _run(project, people) -> Run:
    run, _job = run_start(project, by=people.executor)
    return run


def _pseudonyms(run) -> dict[str, set[str]]:
    (written,) = run.tables.all()
    rows = list(csv.DictReader(io.TextIOWrapper(result_open(written), result_format(written).encoding)))
    return {column: {row[column] for row in rows} for column in CHOSEN}


@pytest.fixture
def two_runs(processing, story, people):
    recipe_save(first_table(processing), content=_content(), by=people.executor)
    runs = []
    for _number in range(2):
        runs.append(_run(processing, people))
        story.run_jobs()
        runs[-1].refresh_from_db()
        assert runs[-1].status == "succeeded"
    return runs


def test_runs_join_as_far_as_was_chosen_and_the_key_of_one_run_is_gone(two_runs, processing, people, client):
    first, second = map(_pseudonyms, two_runs)
    joined = {column for column in CHOSEN if first[column] & second[column]}
    assert joined == {"病历号", "性别"}
    alone = Secret.objects.filter(project=processing, purpose__endswith="alone")
    assert [one.is_destroyed and bytes(one.wrapped_key) == b"" for one in alone] == [True, True]
    assert AuditEvent.objects.filter(action="secret.spent").count() == 2
    assert {one.column for one in reversible_columns(processing)} == set(CHOSEN) - {"诊断"}
    client.force_login(people.executor)
    page = client.get(reverse("processing:run_detail", args=[processing.pk, two_runs[1].pk])).content.decode()
    for said in ("仅在本次运行", "本项目每次", "慢病研究", "其密钥已随运行结束销毁"):
        assert said in page


def test_each_run_has_a_seed_of_its_own_and_one_that_repeats_is_found(two_runs, people):
    first, second = two_runs
    assert runs_with_seed_of(first) == runs_with_seed_of(second) == []
    with recording(events.RUN_STARTED, by=people.executor, about=second):
        second.seed = first.seed
        second.save()
    assert (runs_with_seed_of(first), runs_with_seed_of(second)) == ([2], [1])


def test_projects_of_one_purpose_join_and_each_keeps_its_own_key(two_runs, people):
    other = small_story(people)
    project = other.reach("processing")
    recipe_save(first_table(project), content=_content(), by=people.executor)
    run = _run(project, people)
    other.run_jobs()
    here, there = _pseudonyms(two_runs[0]), _pseudonyms(run)
    assert {column for column in CHOSEN if here[column] & there[column]} == {"性别"}
    keys = Secret.objects.filter(purpose__contains="慢病研究")
    assert {key.project for key in keys} == {two_runs[0].project, project}
    taken = AuditEvent.objects.get(
        action="secret.created", project_id=project.pk, subject_id=str(keys.get(project=project).pk)
    )
    assert taken.facts["project"] == two_runs[0].project.number


def test_a_run_that_ends_without_a_result_leaves_no_key_of_its_own(processing, people):
    recipe_save(first_table(processing), content=_content(), by=people.executor)
    run = _run(processing, people)
    job_cancel(Job.objects.get(pk=run.job_id), by=people.executor)
    (alone,) = Secret.objects.filter(project=processing, purpose__endswith="alone")
    assert alone.is_destroyed
