"""The audit log as pages, files and API."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from approvals.audit import checks
from approvals.audit.models import AuditCheck, AuditEvent
from approvals.audit.readers.export import neutral
from approvals.audit.registry import SENTENCES
from approvals.audit.verify import Finding, verify_lines
from projects.core.services import project_create, project_move
from projects.workflow import Move
from tests.approvals.governance.test_governance import raw_sql, without_triggers

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"


@pytest.fixture
def auditor(client, people):
    client.force_login(people.auditor, backend=BACKEND)
    return client


def url(name, **kwargs):
    return reverse(f"audit:{name}", kwargs=kwargs)


@pytest.mark.parametrize(
    "who",
    [
        "planner",
        "executor",
        "supervisor",
        "management",
        "recipient",
        "outsider",
        "administrator",
        "superuser",
    ],
)
def test_the_log_is_for_readers_only(client, people, project, who):
    client.force_login(getattr(people, who), backend=BACKEND)
    check = checks.check_start(by=people.auditor)
    for name, kwargs in (
        ("log", {}),
        ("event", {"seq": 1}),
        ("verify", {}),
        ("check", {"check_id": check.pk}),
    ):
        assert client.get(url(name, **kwargs)).status_code == 403, name
    for name, kwargs in (
        ("export_csv", {}),
        ("export_chain", {}),
        ("verify", {}),
        ("check", {"check_id": check.pk}),
    ):
        assert client.post(url(name, **kwargs)).status_code == 403, name
    assert client.get("/api/audit/events/").status_code == 403
    assert client.post("/api/audit/chain/").status_code == 403
    assert client.post("/api/audit/checks/").status_code == 403


def test_the_log_reads_as_sentences_and_filters(auditor, people, project, monkeypatch):
    project_move(project, move=Move.SUSPEND, by=people.supervisor, reason="source unclear")
    other = project_create(title="Another", by=people.outsider)
    page = auditor.get(url("log")).content.decode()
    assert "Supervisor Person" in page
    assert "%(" not in page

    def seqs(**query):
        rows = auditor.get(url("log"), query).context["rows"]
        return [row["event"] for row in rows]

    assert {e.actor for e in seqs(person="superv")} == {"Supervisor Person"}
    assert [e.action for e in seqs(action="project.suspend")] == ["project.suspend"]
    assert {e.project_id for e in seqs(project_id=str(other.pk))} == {other.pk}
    # Whether few or many are found, they stand in the same order.
    few = [e.seq for e in seqs(person="person")]
    monkeypatch.setattr("approvals.audit.selectors.FEW", 0)
    assert few == [e.seq for e in seqs(person="person")] == sorted(few, reverse=True) != []
    assert not seqs(person="nobody")
    today = timezone.localdate().isoformat()
    assert seqs(since=today, until=today)
    assert not seqs(until="2001-01-01")
    assert "Another" in str(auditor.get(url("log")).context["form"].fields["project_id"].choices)


def test_every_sentence_of_the_registry_can_be_read(auditor, people, project):
    for event in AuditEvent.objects.all():
        assert event.action in SENTENCES
        assert auditor.get(url("event", seq=event.seq)).status_code == 200
    member = AuditEvent.objects.filter(action="member.added", facts__role="executor").get()
    assert "executor" not in auditor.get(url("event", seq=member.seq)).context["sentence"]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1"])
def test_no_cell_is_a_formula(cell):
    assert neutral(cell).startswith("'")


def test_csv_holds_the_filtered_list_and_no_formula(auditor, people):
    project_create(title="=HYPERLINK(1)", by=people.planner)
    answer = auditor.post(url("export_csv"), {"action": "project.created"})
    text = b"".join(answer.streaming_content).decode("utf-8")
    assert text.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(text[1:])))
    assert len(rows) == 2
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    assert AuditEvent.objects.order_by("-seq").first().action == "audit.exported"


def export(auditor):
    return b"".join(auditor.post(url("export_chain")).streaming_content).decode()


def test_the_chain_verifies_offline(auditor, project, tmp_path, capsys, settings):
    text = export(auditor)
    lines = text.splitlines()
    assert len(lines) == AuditEvent.objects.count() + 1
    result = verify_lines(lines, key=settings.DEID_MASTER_KEY)
    assert result.sound
    assert result.rows == len(lines) - 1
    path = tmp_path / "log.jsonl"
    path.write_text(text, encoding="utf-8")
    call_command("audit_verify", file=path)
    path.write_text(text.replace("Planner Person", "Planner Prson", 1), encoding="utf-8")
    with pytest.raises(SystemExit):
        call_command("audit_verify", file=path)


def test_what_was_done_to_an_export_is_named(auditor, project, settings):
    lines = export(auditor).splitlines()

    def kinds(changed, key=settings.DEID_MASTER_KEY):
        return {fault.kind for fault in verify_lines(changed, key=key).faults}

    assert Finding.REMOVED in kinds([*lines[:3], *lines[4:]])
    assert Finding.CUT in kinds([*lines[:-3], lines[-1]])
    assert Finding.NO_END in kinds(lines[:-1])
    assert Finding.REORDERED in kinds([lines[1], lines[0], *lines[2:]])
    assert Finding.UNREADABLE in kinds([*lines[:2], "{not json", *lines[2:]])
    row = json.loads(lines[4])
    row["actor"] = "somebody"
    assert Finding.ALTERED in kinds([*lines[:4], json.dumps(row), *lines[5:]])
    head = json.loads(lines[-1])
    head["head"]["seal"] = "0" * 64
    forged = [*lines[:-1], json.dumps(head)]
    assert Finding.SEAL in kinds(forged)
    assert kinds(forged, key="") == set(), "without the key the seal cannot be checked"


def test_the_page_verifies_and_names_a_touched_row(auditor, project):
    answer = auditor.post(url("verify"))
    check = AuditCheck.objects.get()
    assert answer.url == url("check", check_id=check.pk)
    assert check.finished_at
    assert check.faults == []
    assert auditor.get(answer.url).status_code == 200
    assert AuditEvent.objects.order_by("-seq").first().action == "audit.verified"
    without_triggers()
    raw_sql("UPDATE audit_auditevent SET actor = 'nobody' WHERE seq = 4")
    page = auditor.get(auditor.post(url("verify")).url)
    assert [str(fault) for fault in page.context["faults"]]
    assert page.context["faults"][0].params == {"seq": 4}


def test_a_long_check_goes_on_in_slices(auditor, people, project, monkeypatch):
    monkeypatch.setattr(checks, "PORTION", 4)
    monkeypatch.setattr(checks, "SLICE_SECONDS", 0.0)
    # A slice without time makes one portion at most, none here: the first call only starts.
    clock = iter(range(1_000_000))
    monkeypatch.setattr(checks, "monotonic", lambda: next(clock) * 0.4)
    monkeypatch.setattr(checks, "SLICE_SECONDS", 0.5)
    check = checks.check_start(by=people.auditor)
    slices = 0
    while check.finished_at is None:
        check = checks.check_continue(check, by=people.auditor)
        slices += 1
        assert slices < 100
    assert slices > 2
    assert check.faults == []
    assert check.rows == AuditEvent.objects.exclude(action="audit.verified").count()
    page = auditor.post(url("check", check_id=check.pk), headers={"HX-Request": "true"})
    assert "hx-post" not in page.content.decode()


def test_the_api_gives_the_same(auditor, people, project):
    body = auditor.get("/api/audit/events/", {"action": "project.created"}).json()
    assert body["count"] == 1
    assert "Planner Person" in body["results"][0]["sentence"]
    made = auditor.post("/api/audit/checks/").json()
    assert made["faults"] == []
    assert auditor.get(f"/api/audit/checks/{made['id']}/").json()["percent"] == 100


def test_a_check_is_a_page_and_its_progress_a_piece_of_one(auditor, people):
    place = url("check", check_id=checks.check_start(by=people.auditor).pk)
    assert "<html" in auditor.get(place).content.decode()
    piece = auditor.get(place, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in piece
    assert auditor.post(place).url == place, "without JavaScript the page comes again"


def test_what_the_api_answers_is_what_its_schema_says(auditor, project):
    """Status and fields of the check, as the served schema has them: programs are written by it."""
    schema = auditor.get("/api/schema/", {"format": "json"}).json()
    made = auditor.post("/api/audit/checks/")
    place = f"/api/audit/checks/{made.json()['id']}/"
    for path, verb, answer in (
        ("/api/audit/checks/", "post", made),
        ("/api/audit/checks/{check_id}/", "get", auditor.get(place)),
        ("/api/audit/checks/{check_id}/", "post", auditor.post(place)),
    ):
        said = schema["paths"][path][verb]["responses"]
        content = said[str(answer.status_code)]["content"]["application/json"]["schema"]["$ref"]
        fields = schema["components"]["schemas"][content.rsplit("/", 1)[-1]]["properties"]
        assert fields.keys() == answer.json().keys(), (path, verb)


def test_a_number_that_no_row_can_have_is_a_fault_of_the_form(auditor, project):
    typed = {"expect_seq": 2**63, "expect_hash": "a" * 64}
    page = auditor.post(url("verify"), typed)
    assert page.status_code == 422
    assert "expect_seq" in page.context["form"].errors
    assert auditor.post("/api/audit/checks/", typed).status_code == 400


def test_the_page_shows_the_last_ten_checks(auditor, people):
    made = [checks.check_start(by=people.auditor).pk for _ in range(11)]
    shown = [check.pk for check, _faults in auditor.get(url("verify")).context["checks"]]
    assert shown == made[:0:-1]


def test_the_log_shows_fifty_events_a_page_the_newest_first(auditor, people):
    while AuditEvent.objects.count() <= 52:
        project_create(title="P", by=people.planner)
    shown = [
        row["event"].seq for page in (1, 2) for row in auditor.get(url("log"), {"page": page}).context["rows"]
    ]
    assert shown[:50] == [row["event"].seq for row in auditor.get(url("log")).context["rows"]]
    assert shown == sorted(AuditEvent.objects.values_list("seq", flat=True), reverse=True)


def test_pages_of_the_log_stay_cheap(auditor, people, django_assert_max_num_queries):
    for index in range(20):
        project_create(title=f"P{index}", by=people.planner)
    auditor.get(url("log"))
    with django_assert_max_num_queries(10):
        auditor.get(url("log"))
