"""Keys in a PostgreSQL database of their own, with a role of its own: the whole story, then what lies where."""

from __future__ import annotations

import pytest
from psycopg import errors

pytestmark = [pytest.mark.slow, pytest.mark.services]


def test_the_whole_story_with_keys_that_lie_apart(portal):
    servers, place = portal.postgres, "keys_apart"
    servers.database(place)
    portal.env["DEID_VAULT_URL"] = servers.url(place)
    assert "custody.E001" in portal.run("manage.py", "check", fails=True)
    portal.env["DEID_VAULT_KEY"] = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
    assert "custody.E002" in portal.run("manage.py", "check", "--database", "default", fails=True)
    portal.run("manage.py", "migrate", "custody", "--database", "vault")
    outcome = portal.ask("whole_story", "2000", "no")
    assert (outcome["state"], outcome["faults"]) == ("closed", [])
    with portal.postgres.connect(portal.database) as rows, servers.connect(place) as store:
        live = rows.execute("SELECT id FROM vault_secret WHERE apart AND destroyed_at IS NULL").fetchall()
        bytes_left = "SELECT count(*) FROM vault_secret WHERE NOT apart OR length(wrapped_key) > 0"
        assert rows.execute(bytes_left).fetchone() == (0,)
        kept = store.execute("SELECT id FROM custody_keptkey").fetchall()
        assert sorted(kept) == sorted(live)
        assert len(kept) > 0
        opened = store.execute("SELECT count(*) FROM custody_keyaccess WHERE act = 'opened'").fetchone()
        said = rows.execute("SELECT count(*) FROM audit_auditevent WHERE action = 'secret.used'").fetchone()
        assert opened == said
        tables = store.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        assert {one for (one,) in tables} == {"custody_keptkey", "custody_keyaccess", "django_migrations"}
        for statement in (
            "UPDATE custody_keptkey SET sealed = ''",
            "DELETE FROM custody_keyaccess",
            "TRUNCATE custody_keyaccess",
        ):
            with pytest.raises(errors.IntegrityConstraintViolation):
                store.execute(statement)
    assert f"{len(live)} live keys" in portal.run("manage.py", "vault_check")
    portal.env["DEID_VAULT_KEY"] = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="
    assert "custody.E003" in portal.run("manage.py", "check", "--database", "default", fails=True)
    del portal.env["DEID_VAULT_URL"]
    assert "custody.E004" in portal.run("manage.py", "check", "--database", "default", fails=True)
