"""What the sealed end of the log says of rows that give permission: what is asked of it, and what is noted."""

from __future__ import annotations

import hashlib
import zlib
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.db.models import JSONField

from approvals.audit import taking_in
from approvals.audit.findings import Finding
from approvals.audit.models import AuditEvent, AuditState
from approvals.audit.proof import state_faults
from approvals.audit.recording import recording
from approvals.audit.rules import LogBroken, Unexplained
from approvals.audit.state import State, _bucket, digest_faults, state_build
from approvals.audit.taking_in import log_take_in
from approvals.audit.verify import verify
from approvals.governance.proven import Proven, _digest, _read
from deid_portal.accounts.tokens import token_create
from projects.core.models import Membership
from projects.core.services import project_edit
from projects.reversal.models import ReversalRequest
from projects.workflow import Role
from tests.approvals.governance.test_governance import raw_sql
from tests.fixtures import make_project
from tests.projects.rows import put, unkept

pytestmark = pytest.mark.django_db
MEMBERS, TOKENS = "core.membership", "accounts.apitoken"


def test_what_is_not_as_it_was_left_is_not_proved_by_asking_again(project):
    unit = (MEMBERS, str(project.pk))
    assert State().unproved([unit]) == set()
    raw_sql("UPDATE core_membership SET since = '2026-01-01' WHERE role = 'executor'")
    state = State()
    for _ in range(2):
        assert state.unproved([unit]) == {unit}


def test_digests_lie_where_every_version_of_the_portal_looks_for_them(project):
    """By CRC-32 of "kind owner", over 64 buckets: what was sealed before an upgrade proves its rows after it."""
    assert zlib.crc32(b"core.membership 1") % 64 == _bucket((MEMBERS, "1"))
    for row in AuditState.objects.all():
        assert {zlib.crc32(unit.encode()) % 64 for unit in row.units} <= {row.pk}
    assert AuditState.objects.exclude(units={}).count() > 1


def test_every_table_that_lost_a_column_is_unsealed(project, people):
    """Whether rows of it are left or not: here those of a project, and a token."""
    token_create(people.planner, name="reports")
    assert digest_faults() == []
    with unkept(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE core_membership RENAME COLUMN role TO part")
        cursor.execute("DROP TABLE accounts_apitoken")
        faults = digest_faults()
    assert {one.kind for one in faults} == {Finding.UNSEALED}
    assert {one.params["kind"] for one in faults} == {MEMBERS, TOKENS}


def test_what_a_query_alters_stands_in_the_log_row_by_row(project, people):
    rows = Membership.objects.filter(project=project, role__in=(Role.EXECUTOR, Role.SUPERVISOR))
    with recording("project.edited", by=people.planner, project_id=project.pk):
        rows.update(ended_at="2026-11-23T00:00:00Z")
    said = AuditEvent.objects.latest("seq").rows[MEMBERS]["digests"]
    assert said.keys() == {str(row.pk) for row in rows}
    assert verify().sound


def test_a_query_alters_no_rows_that_no_event_explains(project, people):
    """The rows of another project than the act is about: they are proved before they are written."""
    other = make_project(people, title="Another")
    raw_sql("UPDATE core_membership SET since = '2026-01-01' WHERE project_id = %s", other.pk.hex)
    with pytest.raises(Unexplained), recording("project.edited", by=people.planner, project_id=project.pk):
        Membership.objects.filter(project=other).update(ended_at="2026-11-23T00:00:00Z")
    with recording("project.edited", by=people.planner, project_id=project.pk):
        Membership.objects.filter(project=project, role=Role.EXECUTOR).update(ended_at="2026-11-23T00:00:00Z")


def test_where_data_leave_rows_are_proved_that_other_acts_do_not_ask_about(project, people):
    with unkept():
        put(ReversalRequest, project_id=project.pk, way="decryption")
        project_edit(project, title="Another", summary="", by=people.planner)
        leaving = recording("project.edited", by=people.planner, project_id=project.pk, data_leave=True)
        with pytest.raises(Unexplained), transaction.atomic(), leaving:
            pass


def test_a_column_that_comes_with_a_version_is_stated_from_then_on(project, monkeypatch):
    """Else nobody would notice who alters it."""
    fields, plan = Proven.fields.func, [(SimpleNamespace(app_label="core"), False)]
    with monkeypatch.context() as earlier:
        earlier.setattr(Proven, "fields", property(lambda kind: [n for n in fields(kind) if n != "since"]))
        log_take_in(plan)
        assert verify().sound
        assert "since" not in AuditEvent.objects.latest("seq").rows[MEMBERS]["fields"]
    count = AuditEvent.objects.count()
    log_take_in(plan)
    stated = AuditEvent.objects.latest("seq")
    assert (stated.action, stated.seq) == ("audit.rows_restated", count + 1)
    assert "since" in stated.rows[MEMBERS]["fields"]
    assert len(stated.rows[MEMBERS]["digests"]) == Membership.objects.count()
    # What has been stated so already is not stated again.
    log_take_in(plan)
    assert AuditEvent.objects.count() == count + 1
    raw_sql("UPDATE core_membership SET since = '2026-01-01' WHERE role = 'executor'")
    assert {(one.kind, one.params["kind"]) for one in state_faults()} == {(Finding.CHANGED, MEMBERS)}


def test_after_a_migration_nothing_is_stated_over_an_end_that_does_not_hold(project):
    raw_sql("UPDATE core_membership SET since = '2026-01-01' WHERE role = 'executor'")
    raw_sql("UPDATE audit_audithead SET seal = %s", "0" * 64)
    count = AuditEvent.objects.count()
    with pytest.raises(LogBroken):
        log_take_in([(SimpleNamespace(app_label="core"), False)])
    assert AuditEvent.objects.count() == count


def test_what_is_not_sealed_anew_stays_as_it_was_sealed(project):
    raw_sql("UPDATE core_membership SET since = '2026-01-01' WHERE role = 'executor'")
    raw_sql("UPDATE core_project SET state = 'monitoring'")
    assert {one.params["kind"] for one in digest_faults()} == {MEMBERS, "core.project"}
    state_build(without={MEMBERS})
    assert {one.params["kind"] for one in digest_faults()} == {MEMBERS}
    state_build()
    assert digest_faults() == []


def test_the_digest_of_a_row_is_of_its_values_by_name_in_whatever_order_they_were_read():
    said = hashlib.sha256(b'{"name": "a", "since": "2026-01-02T03:04:05.000006+00:00"}').hexdigest()
    since = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)
    for values in ({"name": "a", "since": since}, {"since": since, "name": "a"}):
        assert _digest(values, exact=True) == said
        assert _digest(values, exact=False) != said, "moments of earlier events were cut to the millisecond"


def test_many_rows_are_stated_by_several_events(project, monkeypatch):
    monkeypatch.setattr(taking_in, "PORTION", 2)
    raw_sql("UPDATE core_membership SET since = '2026-01-01'")
    last = AuditEvent.objects.latest("seq").seq
    log_take_in([(SimpleNamespace(app_label="core"), False)])
    stated = [
        event.rows[MEMBERS]["digests"] for event in AuditEvent.objects.filter(seq__gt=last).order_by("seq")
    ]
    assert [len(one) for one in stated] == [2, 2, 1]
    assert {pk for one in stated for pk in one} == {str(row.pk) for row in Membership.objects.all()}
    assert verify().sound


@pytest.mark.skipif(connection.vendor != "sqlite", reason="other databases give JSON as it is")
def test_json_within_json_is_read_as_the_field_reads_it():
    assert [_read(JSONField(), stored) for stored in ('{"a": [1]}', "null", None)] == [{"a": [1]}, None, None]
