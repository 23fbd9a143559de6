"""The whole story on PostgreSQL: from a new project to its close, in a portal of its own."""

from __future__ import annotations

import pytest

from .portal import answer

pytestmark = [pytest.mark.slow, pytest.mark.services]

ROWS = "10000"


def test_the_whole_story_runs_as_on_sqlite(portal, base_on_sqlite, tmp_path):
    """Both databases give the same measurements; only keys and seeds differ."""
    lite = base_on_sqlite.copy(tmp_path / "lite")
    drivers = [portal.begin_driver("whole_story", ROWS, "yes"), lite.begin_driver("whole_story", ROWS, "no")]
    outcome, outcome_lite = map(answer, drivers)
    assert outcome["state"] == "closed"
    assert outcome["fetched"] == outcome["released"]
    assert outcome["jobs"] == ["succeeded"]
    assert outcome["documents"] >= 8
    assert outcome["faults"] == []
    assert outcome["checks"]
    assert all(passed for _kind, passed, _measured in outcome["checks"])
    assert set(outcome["pages"].values()) == {200}
    for same in ("rows", "checks", "state", "pages"):
        assert outcome[same] == outcome_lite[same], same
    assert f"{outcome['events']} rows, chain and seals sound" in portal.run("manage.py", "audit_verify")


def test_what_postgresql_cannot_hold(portal):
    """SQLite minds neither the length of a text nor a NUL in it."""
    found = portal.ask("long_names", "512", "+", "impossible_text")
    assert found["long_names"]["lengths"] == [2, 2, 512], "a column name as long as names may be"
    assert found["impossible_text"]["answers"] == [[422, "unstorable"], [200, ""]]
