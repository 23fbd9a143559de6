"""The whole story on PostgreSQL: from a new project to its close, in a portal of its own."""

from __future__ import annotations

import pytest

from .portal import answer

pytestmark = [pytest.mark.slow, pytest.mark.services]

ROWS = "10000"


def test_the_whole_story_runs_as_on_sqlite(portal, base_on_sqlite, tmp_path):
    """Both databases give the same measurements; only keys and seeds differ."""
    lite = base_on_sqlite.copy(tmp_path / "lite")
    begun = [portal.begin_driver("whole_story", ROWS, "yes"), lite.begin_driver("whole_story", ROWS, "no")]
    told, told_lite = map(answer, begun)
    assert told["state"] == "closed"
    assert told["fetched"] == told["released"]
    assert told["jobs"] == ["succeeded"]
    assert told["documents"] >= 8
    assert told["faults"] == []
    assert told["checks"]
    assert all(passed for _kind, passed, _measured in told["checks"])
    for same in ("rows", "checks", "state"):
        assert told[same] == told_lite[same], same
    assert f"{told['events']} rows, chain and seal sound" in portal.run("manage.py", "audit_verify")


def test_what_postgresql_cannot_hold(portal):
    """SQLite minds neither the length of a text nor a NUL in it."""
    found = portal.ask("long_names", "512", "+", "impossible_text")
    assert found["long_names"]["lengths"] == [2, 2, 512], "a column name as long as names may be"
    assert found["impossible_text"]["answers"] == [[422, "unstorable"], [200, ""]]
