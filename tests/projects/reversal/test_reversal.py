"""Values come back by every way, for who asked alone, after a second person said yes."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.triggers import lift, registered
from approvals.governance.verdict import Refused
from deid_portal.accounts.persons import person_link
from projects.core.models import Notification
from projects.core.services import member_add
from projects.core.tasks_registry import tasks_of
from projects.core.timeline import notification_rows
from projects.datasets.models import StoredFile
from projects.processing.models import MappingTable
from projects.processing.runs.selectors import latest_run
from projects.reversal.contents import MOST_VALUES, answer_read, settled, values_read
from projects.reversal.models import ReversalRequest
from projects.reversal.selectors import reversible_columns
from projects.reversal.services import (
    reversal_ask,
    reversal_decide,
    reversal_end,
    reversal_read,
    reversals_expire,
)
from projects.vault.models import Secret
from projects.workflow import Role
from techniques.core.messages import EngineError
from tests.projects.written import write

from .conftest import WAYS, reversible

pytestmark = pytest.mark.django_db
START = reversible
WHY = "A patient asked for the record of a visit"


def ask(scenario, column="姓名", rows=(3,), extra=(), by=None):
    values = [scenario.after[row][column] for row in rows] + list(extra)
    return reversal_ask(
        scenario.run, column=column, values=values, reason=WHY, by=by or scenario.people.executor
    )


def approved(scenario, **question):
    request = ask(scenario, **question)
    reversal_decide(request, approve=True, reason="as the patient wishes", by=scenario.people.supervisor)
    scenario.story.run_jobs()
    request.refresh_from_db()
    return request


def test_every_way_leads_back_and_the_log_holds_no_value(scenario):
    assert {one.column: one.way.value for one in reversible_columns(scenario.project)} == WAYS
    rows = (0, 7, 41)
    for column in WAYS:
        request = approved(scenario, column=column, rows=rows, extra=["0000"])
        assert (request.status, request.failed_code) == ("ready", "")
        answers = {one.value: one for one in reversal_read(request, by=scenario.people.executor)}
        for row in rows:
            was = scenario.before[row][column]
            got = answers[scenario.after[row][column]].original
            assert got == was or float(got) == float(was)
            assert scenario.after[row][column] != was
        assert (answers["0000"].in_result, answers["0000"].original) == (False, None)
        assert request.found_count == len({scenario.after[row][column] for row in rows})
        assert (
            request.asked.destroyed_at is not None or StoredFile.objects.get(pk=request.asked_id).destroyed_at
        )
    seen = json.dumps(
        [[e.action, e.subject, e.reason, e.facts] for e in AuditEvent.objects.all()],
        ensure_ascii=False,
        default=str,
    )
    for row in rows:
        for column in ("姓名", "病历号"):
            assert scenario.before[row][column] not in seen
            assert scenario.after[row][column] not in seen
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {"reversal.asked", "reversal.approved", "reversal.done", "reversal.read"} <= actions
    assert "run.mapping_kept" in actions


def test_the_mapping_table_is_in_the_vault_and_its_key_closes_it(scenario):
    table = MappingTable.objects.select_related("stored", "key").get()
    assert (table.column, table.run_id, table.key.purpose) == (
        "姓名",
        scenario.run.pk,
        "mapping tables of run 1",
    )
    assert not StoredFile.objects.exclude(scope="").exists()
    names = {row["姓名"].encode() for row in scenario.before}
    from projects.datasets.store.store import store_open

    with store_open(table.stored) as stream:
        content = stream.read()
    # The store has opened it, the vault's key has not.
    assert not any(name in content for name in names)
    with connection.cursor() as cursor:  # as a destruction leaves the key
        cursor.execute(
            "UPDATE vault_secret SET wrapped_key = %s WHERE purpose = %s", [b"", table.key.purpose]
        )
    request = ask(scenario)
    reversal_decide(request, approve=True, reason="as the patient wishes", by=scenario.people.supervisor)
    with pytest.raises(RuntimeError):
        scenario.story.run_jobs()
    request.refresh_from_db()
    assert (request.status, request.failed_code, request.answer) == ("failed", "vault.unwrap", None)


def test_who_may_ask_decide_and_read(scenario):
    people = scenario.people
    for who in ("supervisor", "management", "recipient", "auditor", "outsider", "superuser"):
        with pytest.raises(Refused):
            ask(scenario, by=getattr(people, who))
    request = ask(scenario)
    assert any("/reversal/" in task.url for task in tasks_of(people.supervisor))
    assert any("/reversal/" in task.url for task in tasks_of(people.management))
    for who in ("executor", "planner", "auditor", "outsider", "superuser"):
        with pytest.raises(Refused):
            reversal_decide(request, approve=True, reason="yes", by=getattr(people, who))
    with pytest.raises(Refused):
        reversal_decide(request, approve=True, reason=" ", by=people.management)
    with pytest.raises(Refused):
        reversal_read(request, by=people.executor)
    reversal_decide(request, approve=True, reason="as the patient wishes", by=people.management)
    with pytest.raises(Refused):
        reversal_decide(request, approve=False, reason="no", by=people.supervisor)
    scenario.story.run_jobs()
    for who in ("planner", "supervisor", "management", "auditor", "outsider", "superuser"):
        with pytest.raises(Refused):
            reversal_read(request, by=getattr(people, who))
    assert any("/reversal/" in task.url for task in tasks_of(people.executor))
    assert reversal_read(request, by=people.executor)
    assert reversal_read(request, by=people.executor)
    request.refresh_from_db()
    assert request.reads == 2


def test_another_account_of_the_same_person_does_not_decide(scenario, people):
    request = ask(scenario)
    other = people.outsider
    member_add(scenario.project, user=other, role=Role.SUPERVISOR, by=people.planner)
    with connection.cursor() as cursor:  # past the rule that keeps such accounts out of one project
        cursor.execute("UPDATE accounts_user SET person_id = NULL")
    person_link(people.auditor, people.executor, reason="one person", by=people.administrator)
    people.executor.refresh_from_db()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE accounts_user SET person_id = %s WHERE id = %s",
            [
                people.executor.person_id.hex
                if hasattr(people.executor.person_id, "hex")
                else people.executor.person_id,
                other.pk,
            ],
        )
    other.refresh_from_db()
    with pytest.raises(Refused):
        reversal_decide(request, approve=True, reason="yes", by=other)
    past_the_rules(request, "decided_by_id = %s", [other.pk])
    past_the_rules(request, "decided_by_id = %s", [people.executor.pk])
    past_the_rules(request, "decided_by_id = %s", [people.planner.pk])
    past_the_rules(request, "reason = %s", ["another one"])


def past_the_rules(request, change, values):
    when = ", decided_at = CURRENT_TIMESTAMP, decision_reason = 'x', status = 'refused'"
    sql = (
        f"UPDATE reversal_reversalrequest SET {change}{when if 'decided' in change else ''} WHERE number = %s"
    )
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, [*values, request.number])


def test_refused_means_destroyed(scenario):
    request = ask(scenario)
    assert values_read(request.asked) == [scenario.after[3]["姓名"]]
    reversal_decide(request, approve=False, reason="no such patient", by=scenario.people.management)
    request.refresh_from_db()
    with pytest.raises(EngineError):
        values_read(StoredFile.objects.get(pk=request.asked_id))
    with pytest.raises(Refused):
        reversal_read(request, by=scenario.people.executor)
    past_the_rules(request, "status = %s", ["ready"])
    with pytest.raises(GovernanceBypassed):
        request.save()


def test_the_answer_is_there_for_a_limited_time(scenario):
    first, second = approved(scenario), approved(scenario)
    reversal_end(first, by=scenario.people.executor)
    with pytest.raises(Refused) as refused:
        reversal_read(first, by=scenario.people.executor)
    assert refused.value.verdict.code == "time_over"
    assert reversals_expire() == 0
    write(second, readable_until=timezone.now() - timedelta(minutes=1))
    second = ReversalRequest.objects.get(pk=second.pk)
    with pytest.raises(Refused):
        reversal_read(second, by=scenario.people.executor)
    assert reversals_expire() == 1
    with pytest.raises(EngineError):
        answer_read(StoredFile.objects.get(pk=second.answer_id))
    assert AuditEvent.objects.filter(action="reversal.expired").count() == 1
    assert settings.DEID_REVERSAL_HOURS == 24


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([" "], "reversal.no_values"),
        (["1"] * 3 + [str(i) for i in range(MOST_VALUES + 1)], "reversal.too_many"),
        (["x" * 5000], "reversal.too_long"),
    ],
)
def test_what_cannot_be_asked(scenario, values, code):
    with pytest.raises(EngineError) as error:
        reversal_ask(scenario.run, column="姓名", values=values, reason=WHY, by=scenario.people.executor)
    assert error.value.code == code
    with pytest.raises(Refused) as refused:
        reversal_ask(scenario.run, column="出生日期", values=["1"], reason=WHY, by=scenario.people.executor)
    assert refused.value.verdict.code == "not_reversible"


def test_a_value_is_what_was_typed_between_the_ends_of_lines(client, scenario):
    """Signs that only some programs take for the end of a line, and spaces at the edges, may be part of a value."""
    odd = ["a\u2028b", "a\x0bb", "a\x85b", "a\x1cb", " edge", "edge "]
    client.force_login(scenario.people.executor)
    asking = reverse("reversal:ask", args=[scenario.project.pk])
    form = {"what": f"{scenario.run.pk}:姓名", "values": "\r\n".join([*odd, "", "  "]), "reason": WHY}
    upload = SimpleUploadedFile("values.txt", "\n".join(["f\u2029g", " edge", "last"]).encode())
    assert client.post(asking, form | {"file": upload}).status_code == 302
    request = ReversalRequest.objects.get()
    assert values_read(request.asked) == [*odd, "f\u2029g", "last"]
    assert request.values_count == 8


def test_what_stands_exactly_goes_before_what_stands_without_its_spaces():
    def occurs(result):
        return lambda forms: [form in result for form in forms]

    wanted = [" a", "a", "b ", " c "]
    assert settled(wanted, occurs({"a", " a", "b"})) == [
        (" a", True),
        ("a", True),
        ("b", True),
        (" c ", False),
    ]
    assert settled(wanted, occurs({"a"})) == [("a", True), ("b ", False), (" c ", False)]


@pytest.mark.parametrize("column", WAYS)
def test_spaces_around_a_value_that_stands_without_them(scenario, column):
    typed, alone = f" {scenario.after[3][column]}\t", scenario.after[4][column]
    request = reversal_ask(
        scenario.run,
        column=column,
        values=[typed, typed.strip(), alone],
        reason=WHY,
        by=scenario.people.executor,
    )
    reversal_decide(request, approve=True, reason="as the patient wishes", by=scenario.people.supervisor)
    scenario.story.run_jobs()
    request.refresh_from_db()
    answers = {one.value: one.original for one in reversal_read(request, by=scenario.people.executor)}
    assert set(answers) == {typed.strip(), alone}
    assert all(answers.values())


def test_who_decides_is_told_that_another_run_wrote_the_result(client, scenario):
    request = ask(scenario)
    client.force_login(scenario.people.supervisor)
    detail = reverse("reversal:detail", args=[scenario.project.pk, request.pk])
    assert client.get(detail).context["is_current"] is False
    api = reverse("api:reversal-detail", args=[scenario.project.pk, request.pk])
    assert client.get(api).json()["of_current_result"] is False
    current = latest_run(scenario.project)
    with connection.cursor() as cursor:
        lift(*(one for one in registered() if one.name == "reversal_is_final"))
        cursor.execute("UPDATE reversal_reversalrequest SET run_id = %s", [current.pk.hex])
    assert client.get(detail).context["is_current"] is True


def test_pages_and_api(client, scenario, django_assert_max_num_queries):
    people, project = scenario.people, scenario.project
    client.force_login(people.executor)
    page = reverse("reversal:page", args=[project.pk])
    asking = reverse("reversal:ask", args=[project.pk])
    assert client.get(page).status_code == 200
    assert client.get(asking).status_code == 200
    wrong = client.post(asking, {"what": f"{scenario.run.pk}:姓名", "values": "  ", "reason": WHY})
    assert wrong.status_code == 422
    value = scenario.after[5]["姓名"]
    sent = client.post(asking, {"what": f"{scenario.run.pk}:姓名", "values": value, "reason": WHY})
    assert sent.status_code == 302
    detail = sent.url
    assert value not in client.get(detail).content.decode()
    client.force_login(people.supervisor)
    assert client.post(f"{detail}decide/", {"decision": "approve", "reason": ""}).status_code == 422
    assert client.post(f"{detail}decide/", {"decision": "approve", "reason": "yes"}).status_code == 302
    scenario.story.run_jobs()
    assert client.post(f"{detail}read/").status_code == 403
    with django_assert_max_num_queries(20):
        shown = client.get(detail).content.decode()
    assert scenario.before[5]["姓名"] not in shown
    client.force_login(people.executor)
    answer = client.post(f"{detail}read/")
    assert scenario.before[5]["姓名"] in answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    assert client.post(f"{detail}end/").status_code == 302
    # The same through the API.
    listed = reverse("api:reversal-list", args=[project.pk])
    columns = client.get(reverse("api:reversal-columns", args=[project.pk])).json()
    assert {one["column"] for one in columns} == set(WAYS)
    body = {
        "run": str(scenario.run.pk),
        "column": "病历号",
        "values": [scenario.after[1]["病历号"]],
        "reason": WHY,
    }
    made = client.post(listed, body, content_type="application/json")
    assert made.status_code == 201, made.content
    one = reverse("api:reversal-detail", args=[project.pk, made.json()["id"]])
    client.force_login(people.management)
    decided = client.post(
        f"{one}decide/", {"approve": True, "reason": "yes"}, content_type="application/json"
    )
    assert decided.json()["status"] == "running"
    scenario.story.run_jobs()
    client.force_login(people.executor)
    assert client.post(f"{one}read/").json() == [
        {"value": scenario.after[1]["病历号"], "in_result": True, "original": scenario.before[1]["病历号"]}
    ]
    assert [row["number"] for row in client.get(listed).json()] == [2, 1]
    assert client.get(one).json()["reads"] == 1
    client.force_login(people.outsider)
    assert client.get(one).status_code == 404


def test_only_needed_runs_make_a_mapping_key(scenario):
    assert Secret.objects.filter(purpose__startswith="mapping tables").count() == 1


def test_the_news_of_a_reversal_say_what_it_was_about(scenario, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        approved(scenario)
    rows = notification_rows(Notification.objects.filter(action__startswith="reversal."))
    assert len({row["sentence"] for row in rows}) == 3
    assert [row["sentence"] for row in rows if "…" in row["sentence"]] == []
    assert any(WHY in row["sentence"] and "姓名" in row["sentence"] and not row["detail"] for row in rows)
