"""Queries over what was released in an enclave: run on the server, seen by who asked and by nobody else."""

from __future__ import annotations

import csv
import io
import json
import logging
from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.drafts.models import FormDraft
from projects.core.services import member_add, member_end, project_move_directly
from projects.datasets.models import StoredFile
from projects.datasets.store.holdings import holdings_of
from projects.datasets.store.sweeping import store_sweep
from projects.enclave.models import EnclaveQuery
from projects.enclave.selectors import _distinct, result_of, sources_of, statement_of
from projects.enclave.services import queries_expire, query_ask, query_cancel, query_look
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.processing.runs.selectors import latest_run, result_open, tables_of_run
from projects.releases.selectors import current_release
from projects.releases.services import release_end
from projects.workflow import Move, Role
from tests.projects.releases.stories import stored_of
from tests.projects.rows import change

from .conftest import ENGLISH, in_an_enclave, query

pytestmark = pytest.mark.django_db
START = in_an_enclave
BY_DIAGNOSIS = 'SELECT "诊断", count(*) AS "人数" FROM data GROUP BY ALL ORDER BY 1'


def released_rows(enclave):
    (written,) = tables_of_run(latest_run(enclave.project)).values()
    with result_open(written) as stream:
        return list(csv.DictReader(io.StringIO(stream.read().decode("utf-8-sig"))))


def refused(call):
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.verdict.code


def events_of(enclave, *actions):
    return AuditEvent.objects.filter(project_id=enclave.project.pk, action__in=actions).order_by("seq")


def test_from_the_form_to_what_was_found(enclave, client):
    client.force_login(enclave.people.recipient)
    page = reverse("enclave_receive:page", args=[enclave.release.pk])
    assert page in client.get(reverse("recipient:detail", args=[enclave.release.pk])).content.decode()
    shown = client.get(page, headers=ENGLISH).content.decode()
    assert "&quot;诊断&quot;" in shown or '"诊断"' in shown
    ask = reverse("enclave_receive:ask", args=[enclave.release.pk])
    assert client.post(ask, {"statement": ""}).status_code == 422
    asked = client.post(ask, {"statement": BY_DIAGNOSIS, "purpose": "for the report"})
    made = EnclaveQuery.objects.get()
    detail = reverse("enclave_receive:detail", args=[enclave.release.pk, made.pk])
    assert asked.url == detail
    assert "hx-get" in client.get(detail).content.decode()
    progress = reverse("enclave_receive:progress", args=[enclave.release.pk, made.pk])
    assert "HX-Refresh" not in client.get(progress).headers
    enclave.story.run_jobs()
    assert client.get(progress).headers["HX-Refresh"] == "true"
    looked = client.get(detail, headers=ENGLISH)
    content = looked.content.decode()
    assert looked["Cache-Control"] == "no-store, private"
    assert "data-mark" in content
    assert "This viewing is recorded" in content
    for row in released_rows(enclave):
        assert f"<td>{row['诊断']}</td>" in content
    again = client.get(page, {"again": made.pk}).content.decode()
    assert "GROUP BY ALL ORDER BY 1" in again


def test_it_runs_over_all_released_rows(enclave):
    made = query(enclave, BY_DIAGNOSIS)
    rows = released_rows(enclave)
    counted: dict[str, int] = {}
    for row in rows:
        counted[row["诊断"]] = counted.get(row["诊断"], 0) + 1
    found = query_look(made, by=enclave.people.recipient)
    assert found["columns"] == ["诊断", "人数"]
    assert {name: int(number) for name, number in found["rows"]} == counted
    assert (made.status, made.row_count, made.is_cut, made.tables) == (
        "answered",
        len(counted),
        False,
        ["data"],
    )
    whole = query(enclave, "SELECT * FROM data")
    assert (whole.row_count, whole.is_cut) == (len(rows), False)
    twice = query(enclave, "SELECT a.* FROM data a, data b")
    assert (twice.row_count, twice.is_cut) == (500, True)


def test_each_query_and_each_look_is_an_event_without_text_and_values(enclave):
    made = query(enclave, "SELECT '张三丰' AS name, count(*) FROM data", purpose="for the report")
    for _ in range(2):
        query_look(made, by=enclave.people.recipient)
    started, answered, *seen = events_of(
        enclave, "enclave_query.started", "enclave_query.answered", "enclave_query.looked_at"
    )
    assert (started.facts["sha256"], started.reason) == (made.statement.sha256, "for the report")
    assert (answered.facts["tables"], answered.facts["rows"]) == (["data"], 1)
    assert answered.facts["milliseconds"] == made.milliseconds
    assert [one.facts["rows"] for one in seen] == [1, 1]
    said = json.dumps(
        [one.facts | {"reason": one.reason} for one in AuditEvent.objects.all()], ensure_ascii=False
    )
    assert "张三丰" not in said
    assert "张三丰" not in json.dumps(list(Job.objects.values()), default=str, ensure_ascii=False)
    row = EnclaveQuery.objects.filter(pk=made.pk).values().get()
    assert "张三丰" not in json.dumps(row, default=str, ensure_ascii=False)
    # Its hash tells nothing of a text that somebody guesses.
    same = query(enclave, "SELECT '张三丰' AS name, count(*) FROM data")
    assert same.statement.sha256 != made.statement.sha256
    assert statement_of(same) == statement_of(made)


def test_words_of_the_database_are_for_who_asked_alone(enclave, client, caplog):
    caplog.set_level(logging.DEBUG)
    made = query(enclave, 'SELECT CAST("诊断" AS INTEGER) FROM data')
    assert (made.status, made.failed_code) == ("failed", "enclave_sql")
    value = released_rows(enclave)[0]["诊断"]
    client.force_login(enclave.people.recipient)
    detail = reverse("enclave_receive:detail", args=[enclave.release.pk, made.pk])
    content = client.get(detail, headers=ENGLISH).content.decode()
    assert "DuckDB cannot run this query." in content
    assert f"Could not convert string &#x27;{value}&#x27;" in content
    assert "DuckDB不能执行" in client.get(detail, headers={"accept-language": "zh-hans"}).content.decode()
    assert events_of(enclave, "enclave_query.looked_at").count() == 2
    assert "Could not convert" not in caplog.text
    kept = [
        list(Job.objects.values()),
        list(AuditEvent.objects.values()),
        list(EnclaveQuery.objects.values()),
    ]
    assert "Could not convert" not in json.dumps(kept, default=str, ensure_ascii=False)
    # The job did its work: it says so, and no more.
    job = Job.objects.get(kind="enclave.query")
    assert (job.status, job.error_message) == ("succeeded", "")


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("SELECT * FROM read_csv('/etc/passwd')", "enclave_name"), ("DELETE FROM data", "enclave_statement"),
        ("SELECT list(range) FROM range(1000000000)", "enclave_memory"),
    ],
)  # fmt: skip
def test_why_there_is_no_answer_is_said(enclave, statement, code):
    made = query(enclave, statement)
    assert (made.status, made.failed_code) == ("failed", code)
    assert events_of(enclave, "enclave_query.failed").get().facts["code"] == code
    assert "rows" not in result_of(made)


def test_time_is_a_setting(enclave, settings):
    settings.DEID_QUERY_SECONDS = 0.3
    assert query(enclave, "SELECT count(*) FROM range(100000000000)").failed_code == "enclave_time"


def test_a_sandbox_that_does_not_answer_is_stopped(enclave, settings, monkeypatch, tmp_path):
    silent = tmp_path / "silent.py"
    silent.write_text("import sys, time\nsys.stdin.buffer.read()\ntime.sleep(60)\n")
    monkeypatch.setattr("projects.enclave.running.SANDBOX", silent)
    monkeypatch.setattr("projects.enclave.running.GRACE", 0.2)
    settings.DEID_QUERY_SECONDS = 0.2
    assert query(enclave, "SELECT 1").failed_code == "enclave_time"


def test_a_sandbox_that_dies_says_not_of_what(enclave, monkeypatch, tmp_path):
    dying = tmp_path / "dying.py"
    dying.write_text("import os\nos.abort()\n")
    monkeypatch.setattr("projects.enclave.running.SANDBOX", dying)
    assert query(enclave, "SELECT 1").failed_code == "enclave_ended"


def test_a_sandbox_that_says_more_than_it_may_is_not_heard(enclave, monkeypatch, tmp_path):
    endless = tmp_path / "endless.py"
    endless.write_text("import sys\nsys.stdin.buffer.read()\nwhile True: sys.stdout.write('x' * 65536)")
    monkeypatch.setattr("projects.enclave.running.SANDBOX", endless)
    monkeypatch.setattr("projects.enclave.running.MOST_BYTES", 2**20)
    assert query(enclave, BY_DIAGNOSIS).failed_code == "enclave_ended"


def test_only_who_asked_sees_it(enclave, client):
    made = query(enclave, BY_DIAGNOSIS)
    for who in ("executor", "supervisor", "management", "planner", "auditor", "administrator", "outsider"):
        person = getattr(enclave.people, who)
        assert refused(lambda person=person: query_look(made, by=person)) == "not_a_recipient"
        assert (
            refused(lambda person=person: query_ask(enclave.release, statement="SELECT 1", by=person))
            == "not_a_recipient"
        )
        client.force_login(person)
        for name in ("detail", "progress"):
            address = reverse(f"enclave_receive:{name}", args=[enclave.release.pk, made.pk])
            assert client.get(address).status_code == 404
        assert client.get(reverse("enclave_receive:page", args=[enclave.release.pk])).status_code == 404
    assert events_of(enclave, "enclave_query.looked_at").count() == 0


def test_another_recipient_sees_their_own_only(enclave, client):
    made = query(enclave, BY_DIAGNOSIS)
    member_add(enclave.project, user=enclave.people.outsider, role=Role.RECIPIENT, by=enclave.people.planner)
    client.force_login(enclave.people.outsider)
    detail = reverse("enclave_receive:detail", args=[enclave.release.pk, made.pk])
    assert client.get(detail).status_code == 404
    page = client.get(
        reverse("enclave_receive:page", args=[enclave.release.pk]), headers=ENGLISH
    ).content.decode()
    assert "No agreement with you is in force." in page
    assert "诊断" not in page
    assert (
        refused(lambda: query_ask(enclave.release, statement="SELECT 1", by=enclave.people.outsider))
        == "no_agreement"
    )


def test_who_has_not_confirmed_the_notice_reads_it_first(own_start, client):
    release, recipient = current_release(own_start.story.project), own_start.people.recipient
    assert refused(lambda: query_ask(release, statement="SELECT 1", by=recipient)) == "notice_unread"
    client.force_login(recipient)
    page = client.get(reverse("enclave_receive:page", args=[release.pk]), headers=ENGLISH).content.decode()
    assert "To the data-use notice" in page


def test_a_release_that_has_ended_or_whose_seal_broke_is_not_queried(enclave, client):
    made, waiting = query(enclave, BY_DIAGNOSIS), query(enclave, "SELECT 1", run=False)
    release_end(enclave.release, why="no longer needed", by=enclave.people.planner)
    recipient = enclave.people.recipient
    assert refused(lambda: query_ask(enclave.release, statement="SELECT 1", by=recipient)) == "release_ended"
    assert refused(lambda: query_look(made, by=recipient)) == "release_ended"
    client.force_login(recipient)
    content = client.get(
        reverse("enclave_receive:detail", args=[enclave.release.pk, made.pk]), headers=ENGLISH
    ).content.decode()
    assert "This release has ended." in content
    assert "高血压" not in content
    with pytest.raises(RuntimeError, match="release_ended"):
        enclave.story.run_jobs()
    waiting.refresh_from_db()
    assert (waiting.status, waiting.failed_code, waiting.result) == ("failed", "release_ended", None)
    assert not StoredFile.objects.filter(scope__startswith="enclave_query").exists()


def test_a_suspended_project_is_not_queried(enclave):
    made = query(enclave, BY_DIAGNOSIS)
    project_move_directly(
        enclave.project, move=Move.SUSPEND, by=enclave.people.supervisor, reason="an incident"
    )
    recipient = enclave.people.recipient
    assert (
        refused(lambda: query_ask(enclave.release, statement="SELECT 1", by=recipient)) == "project_suspended"
    )
    assert refused(lambda: query_look(made, by=recipient)) == "project_suspended"


def test_who_leaves_the_project_sees_nothing_any_more(enclave):
    made = query(enclave, BY_DIAGNOSIS)
    membership = enclave.project.memberships.get(user=enclave.people.recipient)
    member_end(membership, by=enclave.people.planner)
    assert refused(lambda: query_look(made, by=enclave.people.recipient)) == "not_a_recipient"


def test_an_altered_file_breaks_the_seal(enclave):
    path = stored_of(enclave.release).path
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    made = query(enclave, BY_DIAGNOSIS, run=False)
    with pytest.raises(RuntimeError, match="seal_broken"):
        enclave.story.run_jobs()
    made.refresh_from_db()
    assert (made.status, made.failed_code) == ("failed", "seal_broken")
    enclave.release.refresh_from_db()
    assert enclave.release.seal_broken_at is not None


def test_one_at_a_time_and_it_can_be_cancelled(enclave, client):
    recipient = enclave.people.recipient
    made = query(enclave, BY_DIAGNOSIS, run=False)
    assert (
        refused(lambda: query_ask(enclave.release, statement="SELECT 1", by=recipient))
        == "enclave_one_at_a_time"
    )
    assert refused(lambda: query_cancel(made, by=enclave.people.outsider)) == "not_a_member"
    client.force_login(recipient)
    assert (
        client.post(reverse("enclave_receive:cancel", args=[enclave.release.pk, made.pk])).status_code == 302
    )
    made.refresh_from_db()
    assert (made.status, made.failed_code) == ("failed", "cancelled")
    detail = reverse("enclave_receive:detail", args=[enclave.release.pk, made.pk])
    assert client.post(reverse("enclave_receive:cancel", args=[enclave.release.pk, made.pk])).url == detail
    page = client.get(detail).content.decode()
    assert f"?again={made.pk}" in page, "its text can be gone on from"
    assert query(enclave, BY_DIAGNOSIS).status == "answered"


def test_a_query_whose_job_ended_without_it_keeps_nobody_from_the_next(enclave):
    made = query(enclave, BY_DIAGNOSIS, run=False)
    queries_expire()
    made.refresh_from_db()
    assert made.status == "running", "its job waits for a worker"
    change(
        Job.objects.get(subject_id=made.pk),
        status=JobStatus.FAILED,
        finished_at=timezone.now(),
        error_code="internal",
    )
    queries_expire()
    made.refresh_from_db()
    assert (made.status, made.failed_code) == ("failed", "internal")
    assert query(enclave, BY_DIAGNOSIS).status == "answered"


def test_the_text_is_in_no_draft(enclave, client):
    client.force_login(enclave.people.recipient)
    ask = reverse("enclave_receive:ask", args=[enclave.release.pk])
    client.post(ask, {"statement": "SELECT '张三丰'", "purpose": "for the report", "then": "keep"})
    (draft,) = FormDraft.objects.all()
    assert draft.entries == {"purpose": ["for the report"]}


def test_it_is_destroyed_after_some_days_and_the_log_says_so(enclave, client, time_machine):
    made, failed = query(enclave, BY_DIAGNOSIS), query(enclave, "SELECT nix")
    assert queries_expire() == 0
    store_sweep()
    assert query_look(made, by=enclave.people.recipient)["rows"], "what a row owns is not swept"
    files = [made.statement, made.result, failed.statement, failed.result]
    time_machine.move_to(timezone.now() + timedelta(days=settings.DEID_QUERY_DAYS, minutes=1), tick=True)
    assert queries_expire() == 2
    assert queries_expire() == 0
    for file in files:
        file.refresh_from_db()
        assert file.destroyed_at is not None
        assert bytes(file.wrapped_key) == b""
    made = EnclaveQuery.objects.get(pk=made.pk)
    assert events_of(enclave, "enclave_query.expired").count() == 2
    assert (made.status, made.row_count, made.is_kept) == ("answered", 3, False)
    assert refused(lambda: query_look(made, by=enclave.people.recipient)) in (
        "enclave_result_destroyed",
        "no_agreement",
    )


def test_text_and_result_are_held_as_data_of_the_project(enclave):
    made = query(enclave, BY_DIAGNOSIS)
    held = {one.stored.pk: one.kind for one in holdings_of(enclave.project)}
    assert held[made.statement_id] == held[made.result_id] == "result"


def test_the_team_and_auditors_read_who_ran_how_many(enclave, client):
    made = query(enclave, "SELECT '张三丰'", purpose="for the report")
    query(enclave, "SELECT nix")
    page = reverse("enclave:page", args=[enclave.project.pk])
    for who in ("supervisor", "auditor"):
        client.force_login(getattr(enclave.people, who))
        release = client.get(
            reverse("releases:page", args=[enclave.project.pk]), headers=ENGLISH
        ).content.decode()
        assert "Queries run: 2; recipients who ran them: 1." in release
        assert page in release
        content = client.get(page, headers=ENGLISH).content.decode()
        assert made.statement.sha256[:8] in content
        assert str(enclave.people.recipient) in content
        assert "for the report" in content
        assert "张三丰" not in content
        assert "nix" not in content
        listed = client.get(reverse("api:enclave-queries", args=[enclave.project.pk])).json()
        assert [one["number"] for one in listed] == [2, 1]
    client.force_login(enclave.people.recipient)
    assert client.get(page).status_code in (403, 404)


def test_the_api_runs_and_tells_and_hands_out_no_row(enclave, client):
    client.force_login(enclave.people.recipient)
    address = reverse("api:receive-enclave-queries", args=[enclave.release.pk])
    made = client.post(address, {"statement": BY_DIAGNOSIS}, content_type="application/json")
    assert (made.status_code, made.json()["status"]) == (201, "running")
    again = client.post(address, {"statement": BY_DIAGNOSIS}, content_type="application/json")
    assert again.status_code in (403, 409)
    enclave.story.run_jobs()
    found = client.get(address).json()
    (table,) = found["tables"]
    assert (table["name"], table["columns"]) == ("data", list(released_rows(enclave)[0]))
    one = client.get(
        reverse("api:receive-enclave-query", args=[enclave.release.pk, made.json()["id"]])
    ).json()
    assert one == found["queries"][0]
    assert (one["status"], one["row_count"], one["tables"]) == ("answered", 3, ["data"])
    assert "高血压" not in json.dumps(found, ensure_ascii=False)
    cancel = reverse("api:receive-enclave-query-cancel", args=[enclave.release.pk, one["id"]])
    assert client.post(cancel).status_code in (403, 409)


def test_names_that_sql_reads_as_one_are_distinct(enclave):
    assert _distinct(["Name", "name", "NAME", "name_2"]) == ["Name", "name_2", "NAME_3", "name_2_2"]
    assert list(sources_of(enclave.release)) == ["data"]
