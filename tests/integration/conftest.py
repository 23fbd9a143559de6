"""Portals with real servers behind them: made once, copied for each test."""

from __future__ import annotations

import itertools
import shutil

import pytest

from tests.services import maria, postgres, redis_server  # noqa: F401  fixtures

from .portal import Portal

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def base_on_postgres(postgres, tmp_path_factory) -> Portal:  # noqa: F811
    """Migrated, with the demo's people and one project; nobody may write into it."""
    folder = tmp_path_factory.mktemp("base-postgres")
    portal = Portal(folder, postgres=postgres, database=postgres.database("base"))
    portal.ask("prepare")
    return portal


@pytest.fixture(scope="session")
def base_on_sqlite(tmp_path_factory, kept_database) -> Portal:
    portal = Portal(tmp_path_factory.mktemp("base-sqlite"))
    if kept_database is not None:
        shutil.copy(kept_database, portal.folder / "portal.sqlite3")
    portal.ask("prepare")
    return portal


@pytest.fixture
def portal(base_on_postgres, tmp_path) -> Portal:
    """A portal on PostgreSQL for one test."""
    return base_on_postgres.copy(tmp_path / "portal", database=f"portal{next(_numbers)}")
