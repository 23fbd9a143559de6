"""A log that was emptied with its sealed end is not a log that was never begun."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from approvals.audit.verify import Finding, verify

pytestmark = pytest.mark.django_db


def test_nothing_is_wrong_before_anybody_came():
    assert verify().sound


def test_an_emptied_log_is_found(people, monkeypatch):
    planner = people.planner
    planner.last_login = timezone.now()
    planner.save()
    for table in ("audit_auditevent", "audit_audithead"):
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table])
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP TRIGGER "{name}"')
            cursor.execute(f"DELETE FROM {table}")
    assert [fault.kind for fault in verify().faults] == [Finding.EMPTIED]
