"""Over a log whose end does not hold nothing is decided, reading goes on, and another key is told from a touched log."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import reverse

from approvals.audit import checks
from approvals.audit.chain import link, seal
from approvals.audit.findings import Finding
from approvals.audit.models import AuditEvent, AuditHead
from approvals.audit.proof import state_faults
from approvals.audit.rules import LogBroken
from approvals.audit.state import StoredColumns
from approvals.audit.taking_in import log_check_first, log_take_in
from approvals.audit.verify import stored_end_faults, stored_head, verify, verify_lines
from approvals.governance.proven import PROVEN, Proven
from deid_portal.accounts.models import User
from deid_portal.accounts.tokens import token_create
from projects.core.models import Membership
from projects.core.services import member_end, project_create, project_edit
from projects.jobs.services import jobs_sweep
from projects.vault.checks import data_are_private, key_is_the_datas, require_keys
from projects.workflow import Role
from tests.approvals.governance.test_governance import raw_sql, without_triggers

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"
ANOTHER_KEY = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="
PASSWORD = "correct-horse-battery"


@pytest.fixture
def broken(project):
    """The end of the log was rewritten, public hash and all, but the seals."""
    without_triggers()
    raw_sql("UPDATE audit_auditevent SET reason = 'as agreed' WHERE seq = %s", stored_head()["seq"])
    row = AuditEvent.objects.order_by("-seq").values().first()
    raw_sql(
        "UPDATE audit_auditevent SET hash = %s WHERE seq = %s", link(row["previous_hash"], row), row["seq"]
    )
    raw_sql("UPDATE audit_audithead SET hash = %s", link(row["previous_hash"], row))


def test_nothing_is_written_over_a_broken_end(broken, project, people):
    before = AuditEvent.objects.count()
    with pytest.raises(LogBroken) as refused:
        project_edit(project, title="Another", summary="", by=people.planner)
    assert refused.value.verdict.code == "log_broken"
    project.refresh_from_db()
    assert project.title != "Another"
    assert AuditEvent.objects.count() == before
    assert jobs_sweep() == 0


@pytest.mark.parametrize(
    ("language", "said"), [("zh-hans", "审计日志不成立"), ("en", "The audit log is not sound")]
)
def test_pages_say_so_and_reading_goes_on(broken, project, people, client, language, said):
    client.cookies["django_language"] = language
    signing_in = {"username": "planner", "password": PASSWORD}
    assert client.post(reverse("accounts:sign_in"), signing_in).status_code == 302
    page = client.get(reverse("core:project", args=[project.pk]))
    assert page.status_code == 200
    assert said not in page.content.decode(), (
        "a person who can do nothing about it is told when an act is refused"
    )
    answer = client.post(reverse("core:project_edit", args=[project.pk]), {"title": "Another", "summary": ""})
    assert answer.status_code == 403
    assert said in answer.content.decode()
    client.force_login(people.administrator, backend=BACKEND)
    assert said in client.get("/").content.decode()
    client.force_login(people.auditor, backend=BACKEND)
    assert said in client.get(reverse("audit:log")).content.decode()
    exported = b"".join(client.post(reverse("audit:export_chain")).streaming_content).decode()
    assert verify_lines(exported.splitlines()).sound, "the public hashes fit"
    found = client.get(client.post(reverse("audit:verify")).url)
    assert {fault.kind for fault in found.context["faults"]} == {Finding.SEAL, Finding.FORGED}


def test_another_master_key_is_refused_before_anything_is_written(project, people, settings):
    assert key_is_the_datas(None) == []
    require_keys()
    settings.DEID_MASTER_KEY = ANOTHER_KEY
    assert [problem.id for problem in key_is_the_datas(None)] == ["vault.E003"]
    with pytest.raises(ImproperlyConfigured, match="E003"):
        require_keys()
    before = AuditEvent.objects.count()
    with pytest.raises(LogBroken):
        project_create(title="Under another key", by=people.planner)
    assert AuditEvent.objects.count() == before
    assert [fault.kind for fault in stored_end_faults()] == [Finding.KEY]


def test_an_altered_check_value_of_the_key_is_told_from_another_key(project, people, client):
    """The key is right, for the seals fit it: command and page name the value, and nobody is told to look for another key."""
    without_triggers()
    raw_sql("UPDATE audit_audithead SET key_check = %s", "0" * 64)
    assert [fault.kind for fault in stored_end_faults()] == [Finding.KEY_VALUE]
    assert [fault.kind for fault in verify().faults] == [Finding.KEY_VALUE]
    assert key_is_the_datas(None) == []
    with pytest.raises(LogBroken):
        project_create(title="Meanwhile", by=people.planner)
    client.force_login(people.auditor, backend=BACKEND)
    found = client.get(client.post(reverse("audit:verify")).url)
    assert {fault.kind for fault in found.context["faults"]} == {Finding.KEY_VALUE}


def test_what_others_may_read_is_named(settings, tmp_path):
    settings.DEID_STORE_DIR = settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    assert data_are_private(None) == []
    settings.VAR_DIR.chmod(0o755)
    assert {problem.id for problem in data_are_private(None)} == {"vault.W001"}


def before_rows_were_sealed(rows: int) -> None:
    """The log as an earlier portal left it: public hashes over the same fields without rows, a sealed end."""
    without_triggers()
    raw_sql("UPDATE audit_auditevent SET seal = '', rows = '{}'")
    previous = "0" * 64
    for row in AuditEvent.objects.order_by("seq").values():
        found = link(previous, row)
        raw_sql(
            "UPDATE audit_auditevent SET previous_hash = %s, hash = %s WHERE seq = %s",
            previous,
            found,
            row["seq"],
        )
        previous = found
    head = AuditHead.objects.get(pk=1)
    AuditHead.objects.filter(pk=1).update(hash=previous, key_check="", seal=sealed(head.seq, previous))
    assert AuditEvent.objects.count() == rows


def sealed(seq: int, last: str) -> str:
    from django.conf import settings

    return seal(settings.DEID_MASTER_KEY, seq, last)


def test_an_earlier_log_is_taken_in_once(project, people):
    token_create(people.planner, name="reports")
    count = AuditEvent.objects.count()
    before_rows_were_sealed(count)
    assert [fault.kind for fault in stored_end_faults()] == [Finding.FORGED]
    log_take_in([])
    taken = AuditEvent.objects.latest("seq")
    assert (taken.action, taken.seq) == ("audit.state_taken_in", count + 1)
    assert taken.facts["last"] == count
    assert sum(len(said["digests"]) for said in taken.rows.values()) == sum(
        k.rows.count() for k in PROVEN.values()
    )
    log_take_in([])
    assert AuditEvent.objects.count() == count + 1
    assert verify().sound
    member_end(project.memberships.get(role=Role.EXECUTOR), by=people.planner)
    assert verify().sound
    raw_sql("UPDATE core_membership SET ended_at = '2026-01-01' WHERE role = 'recipient'")
    assert [fault.kind for fault in verify().faults] == [Finding.CHANGED]


def test_a_check_that_goes_on_among_rows_of_before_takes_none_for_forged(project, people, monkeypatch):
    """Its second slice begins after a row without a seal, its last one after the event that took them in."""
    before_rows_were_sealed(AuditEvent.objects.count())
    log_take_in([])
    project_edit(project, title="Another", summary="", by=people.planner)
    monkeypatch.setattr(checks, "PORTION", 4)
    # Time for one portion a slice.
    clock = itertools.count()
    monkeypatch.setattr(checks, "SLICE_SECONDS", 1.5)
    monkeypatch.setattr(checks, "monotonic", lambda: next(clock))
    check, slices = checks.check_start(by=people.auditor), 0
    while check.finished_at is None and slices < 50:
        check, slices = checks.check_continue(check, by=people.auditor), slices + 1
    assert slices > 2
    assert (check.finished_at is not None, checks.faults_of(check)) == (True, [])


def test_an_earlier_log_that_was_touched_is_not_taken_in(project):
    before_rows_were_sealed(AuditEvent.objects.count())
    raw_sql("UPDATE audit_auditevent SET actor = 'nobody' WHERE seq = 4")
    with pytest.raises(ImproperlyConfigured):
        log_take_in([])
    assert not AuditEvent.objects.filter(action="audit.state_taken_in").exists()


def test_a_log_whose_seals_were_taken_away_is_none_from_before(project):
    without_triggers()
    raw_sql("UPDATE audit_auditevent SET seal = ''")
    raw_sql("UPDATE core_membership SET since = '2026-01-01' WHERE role = 'executor'")
    with pytest.raises(ImproperlyConfigured, match="took them away"):
        log_take_in([])
    with pytest.raises(ImproperlyConfigured, match="nothing was migrated"):
        log_check_first([(SimpleNamespace(app_label="core"), False)])
    assert not AuditEvent.objects.filter(action="audit.state_taken_in").exists()


def test_what_a_migration_rewrote_is_stated_anew_and_nothing_else(project, people):
    plan = [(SimpleNamespace(app_label="core"), False)]
    raw_sql("UPDATE core_membership SET since = '2026-01-01' WHERE role = 'executor'")
    raw_sql("UPDATE accounts_user SET post = 'administrator' WHERE username = 'outsider'")
    with pytest.raises(ImproperlyConfigured, match="nothing was migrated"):
        log_check_first(plan)
    log_check_first([])
    log_take_in([])
    assert len(state_faults()) == 2
    log_take_in(plan)
    (fault,) = state_faults()
    assert (fault.kind, fault.params["kind"]) == (Finding.CHANGED, "accounts.user")
    stated = AuditEvent.objects.latest("seq")
    assert (stated.action, list(stated.rows)) == ("audit.rows_restated", ["core.membership"])


def test_a_column_that_a_migration_removes_is_read_while_it_is_there(project, people, monkeypatch):
    """The code is ahead of the tables: the models of before read what was stated with the column; afterwards it is stated without."""
    earlier = MigrationExecutor(connection).loader.project_state().apps
    columns, fields = StoredColumns.of, Proven.fields.func
    monkeypatch.setattr(
        StoredColumns,
        "of",
        lambda self, model: columns(self, model) - ({"since"} if model is Membership else set()),
    )
    monkeypatch.setattr(
        Proven,
        "fields",
        property(lambda kind: [n for n in fields(kind) if n != "since" or kind.model is not Membership]),
    )
    assert {one.params["kind"] for one in state_faults()} == {"core.membership"}
    plan = [(SimpleNamespace(app_label="core"), False)]
    log_check_first(plan, earlier)
    raw_sql("UPDATE core_membership SET since = '2026-01-01' WHERE role = 'executor'")
    with pytest.raises(ImproperlyConfigured, match="nothing was migrated"):
        log_check_first(plan, earlier)
    log_take_in(plan)
    assert verify().sound
    member_end(project.memberships.get(role=Role.EXECUTOR), by=people.planner)
    assert verify().sound


def test_what_somebody_took_out_of_the_tables_themselves_is_named(project):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE core_membership RENAME COLUMN role TO part")
        cursor.execute("DROP TABLE accounts_apitoken")
    assert {(one.kind, one.params["kind"]) for one in state_faults()} == {
        (Finding.CHANGED, "core.membership")
    }


def test_each_way_of_writing_is_noted(project, people):
    """Saved, updated by a query, removed; by hand past the portal, it is found."""
    assert state_faults() == []
    token_create(people.planner, name="reports")
    people.planner.api_tokens.all()[0].delete()
    (fault,) = state_faults()
    assert (fault.kind, fault.params["kind"]) == (Finding.GONE, "accounts.apitoken")
    User.objects.create_user("ghost")
    assert {fault.kind for fault in state_faults()} == {Finding.GONE, Finding.UNEXPLAINED}
    assert all(str(fault) for fault in state_faults())


def test_a_check_holds_no_lock_while_it_reads(project, people, monkeypatch):
    """Acts that are done between two portions of a check are neither kept waiting nor taken for faults."""
    monkeypatch.setattr(checks, "PORTION", 4)
    monkeypatch.setattr(checks, "SLICE_SECONDS", 60.0)
    read = checks.rows_after

    def meanwhile(*args, **kwargs):
        if AuditEvent.objects.count() < 40:
            project_edit(project, title=f"Title {AuditEvent.objects.count()}", summary="", by=people.planner)
        return read(*args, **kwargs)

    monkeypatch.setattr(checks, "rows_after", meanwhile)
    check = checks.check_continue(checks.check_start(by=people.auditor), by=people.auditor)
    assert check.finished_at
    assert check.faults == []
    assert check.rows == 40
