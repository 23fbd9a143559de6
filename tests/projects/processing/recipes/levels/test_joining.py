"""Answers of the form are joined to the data by a job, become a new data set, and are not kept."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.datasets.models import Dataset, StoredFile
from projects.datasets.selectors import dataset_columns, dataset_format, dataset_open
from projects.datasets.services import dataset_upload
from projects.datasets.store.store import store_open
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.jobs.services import job_cancel
from projects.processing.models import LevelAnswers
from projects.processing.recipes.levels.joining import PURPOSE, answers_receive, may_join
from projects.workflow import State
from techniques.core.messages import EngineError
from techniques.tables import open_table
from tests.projects.processing.conftest import small_story

pytestmark = pytest.mark.django_db
KEY = "病历号"


def START(people):
    """The data are there, and nothing of them is scanned."""
    story = small_story(people)
    story.reach(State.IDENTIFICATION)
    story.upload()
    return story


@pytest.fixture
def story(own_start):
    return own_start.story


@pytest.fixture
def table(story):
    return first_table(story.project)


def keys_of(dataset):
    with dataset_open(dataset) as stream, open_table(stream, dataset_format(dataset)) as found:
        return [key for batch in found.batches() for key in batch.column(KEY).to_pylist()]


def answers_of(keys, level="3"):
    return f"{KEY},protection_level\n" + "".join(f"{key},{level}\n" for key in keys)


def test_the_data_get_a_column_and_the_answers_go(table, story, people):
    before = dataset_now(table)
    keys = keys_of(before)
    persons = list(dict.fromkeys(keys))
    sent = answers_of([*persons[:10], "nobody"]).encode()
    answers, _job = answers_receive(table, content=sent, key=KEY, default=2, by=people.executor)
    story.run_jobs()
    answers.refresh_from_db()
    found = answers.result
    assert (found["persons"], found["answered"], found["missing"]) == (len(persons), 10, len(persons) - 10)
    assert (found["strangers"], found["records"]) == (1, before.rows)
    now = dataset_now(table)
    assert now == answers.made != before
    assert now.replaces == before
    with store_open(now.stored) as stream:
        rows = list(csv.DictReader(io.TextIOWrapper(stream, encoding="utf-8", newline="")))
    assert list(rows[0]) == [*dataset_columns(before), "protection_level"]
    assert [row[KEY] for row in rows] == keys
    assert {row["protection_level"] for row in rows if row[KEY] in persons[:10]} == {"3"}
    assert {row["protection_level"] for row in rows if row[KEY] not in persons[:10]} == {"2"}
    assert answers.stored is None
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()
    assert not StoredFile.objects.filter(scope__startswith="answers:").exists()
    event = AuditEvent.objects.get(action="levels.joined")
    assert (event.facts["persons"], event.facts["missing"]) == (10, len(persons) - 10)


def test_answers_are_joined_where_all_columns_of_the_key_agree(client, table, story, people):
    before = dataset_now(table)
    with dataset_open(before) as stream, open_table(stream, dataset_format(before)) as found:
        rows = [row for batch in found.batches() for row in batch.select([KEY, "性别"]).to_pylist()]
    other = {"男": "女", "女": "男"}
    lines = [f"{row[KEY]},{row['性别']},4" for row in rows[:5]]
    # The same numbers with the other sex are nobody's.
    lines += [f"{row[KEY]},{other[row['性别']]},3" for row in rows[5:9]]
    sent = "\n".join([f"{KEY},性别,protection_level", *lines, ""])
    with pytest.raises(EngineError) as caught:
        answers_receive(
            table, content=sent.encode(), key=KEY, more_keys=["age"], default=0, by=people.executor
        )
    assert caught.value.code == "unknown_column"
    client.force_login(people.executor, backend="deid_portal.accounts.backends.AccountBackend")
    given = {
        "key": KEY,
        "more_keys": ["性别"],
        "default": "0",
        "file": SimpleUploadedFile("a.csv", sent.encode()),
    }
    address = reverse("processing:levels_answers", args=[story.project.pk])
    assert client.post(address, given).status_code == 302
    answers = LevelAnswers.objects.get()
    assert answers.keys == [KEY, "性别"]
    story.run_jobs()
    answers.refresh_from_db()
    assert (answers.result["answered"], answers.result["strangers"]) == (5, 4)
    assert AuditEvent.objects.get(action="levels.sent").facts["column"] == f"{KEY}, 性别"


def test_what_cannot_be_joined_leaves_the_data_and_nothing_else(table, story, people):
    before = dataset_now(table)
    answers, _job = answers_receive(
        table, content=(b"nr,protection_level\n1,2\n"), key=KEY, default=0, by=people.executor
    )
    with pytest.raises(RuntimeError, match="unknown_column"):
        story.run_jobs()
    answers.refresh_from_db()
    assert (answers.measured_at, answers.stored, answers.ended_at is not None) == (None, None, True)
    again, job = answers_receive(
        table, content=(answers_of(["a"])).encode(), key=KEY, default=0, by=people.executor
    )
    assert may_join(people.executor, table).code == "levels_being_joined"
    job_cancel(job, by=people.executor)
    story.run_jobs()
    again.refresh_from_db()
    assert again.stored is None
    assert dataset_now(table) == before
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()
    assert AuditEvent.objects.filter(action="levels.not_joined").count() == 2


def test_data_that_came_meanwhile_are_not_pushed_aside(table, story, people):
    before = dataset_now(table)
    sent = answers_of(keys_of(before)[:5]).encode()
    answers, _job = answers_receive(table, content=sent, key=KEY, default=0, by=people.executor)
    with dataset_open(before) as stream:
        newer = dataset_upload(table, content=stream, name="newer.csv", by=people.executor)
    with pytest.raises(RuntimeError, match=r"levels\.data_replaced"):
        story.run_jobs()
    answers.refresh_from_db()
    assert dataset_now(table) == newer
    assert (answers.made, answers.measured_at, answers.stored) == (None, None, None)
    assert answers.ended_at is not None
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()
    assert not StoredFile.objects.filter(scope__startswith="answers:").exists()
    assert AuditEvent.objects.get(action="levels.not_joined").facts["code"] == "levels.data_replaced"


def test_only_who_may_replace_the_data(table, people):
    for person in (people.planner, people.supervisor, people.auditor):
        with pytest.raises(Refused):
            answers_receive(table, content=(b"x"), key=KEY, default=0, by=person)
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()
    assert not LevelAnswers.objects.exists()


def test_through_the_page_and_the_interface(table, story, people, client):
    address = reverse("processing:levels_answers", args=[story.project.pk])
    keys = keys_of(dataset_now(table))

    def file():
        return SimpleUploadedFile("answers.csv", answers_of(keys[:5]).encode())

    client.force_login(people.supervisor)
    assert client.post(address, {"file": file(), "key": KEY}).status_code == 403
    client.force_login(people.executor)
    page = client.get(reverse("processing:levels", args=[story.project.pk])).content.decode()
    assert 'name="file"' in page
    for wrong in ({"key": "no", "file": file()}, {"key": KEY}, {"key": KEY, "default": "-1", "file": file()}):
        assert client.post(address, wrong).status_code == 422
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()
    sent = client.post(
        reverse("api:processing-level-answers", args=[story.project.pk]),
        {"key": KEY, "default": 1, "answers": answers_of(keys[:5])},
        content_type="application/json",
    )
    assert sent.status_code == 202
    story.run_jobs()
    (found,) = client.get(reverse("api:processing-level-answers", args=[story.project.pk])).json()
    assert found["result"]["answered"] == len(set(keys[:5]))
    assert Dataset.objects.get(pk=found["made"]) == dataset_now(table)
    page = client.get(
        reverse("processing:levels", args=[story.project.pk]), headers={"accept-language": "en"}
    ).content.decode()
    assert "Joined last" in page
