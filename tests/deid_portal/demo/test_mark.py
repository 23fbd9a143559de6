"""The command of the demo touches nothing but a demo."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from deid_portal.accounts.models import User
from deid_portal.accounts.services import user_create
from deid_portal.demo import loading
from deid_portal.demo.events import DEMO_STARTED

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings, tmp_path) -> Path:
    settings.VAR_DIR = tmp_path
    (tmp_path / "kept").write_text("of somebody")
    return tmp_path


def test_a_portal_that_is_no_demo_stays_as_it_is(folder):
    user_create(username="director", password=None, full_name="Director", by=None)
    with pytest.raises(CommandError, match="is no demo"):
        call_command("demo", "--load-only")
    with pytest.raises(CommandError, match="was not made by this command"):
        call_command("demo", "--reset")
    assert (folder / "kept").exists()
    assert User.objects.count() == 1
    assert AuditEvent.objects.count() == 1


def test_too_few_rows_are_refused_before_anything_is_made(folder):
    with pytest.raises(CommandError, match="--rows 2000"):
        call_command("demo", "--load-only", "--rows", "2000")
    assert not User.objects.exists()


def test_the_mark_stands_in_the_log(folder, monkeypatch):
    assert not loading.is_demo()
    with recording(DEMO_STARTED, by=None):
        pass
    assert not loading.is_demo(), "the database does not lie in the data folder"
    monkeypatch.setitem(connection.settings_dict, "NAME", str(folder / "portal.sqlite3"))
    assert loading.is_demo() == (connection.vendor == "sqlite")
