"""The database is migrated once for all test processes: who needs it while another migrates waits for the result and
copies it. It is migrated anew where something has changed since that migrations read; triggers are made at each start, as
the code has them then."""

from __future__ import annotations

import fcntl
import hashlib
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TextIO

import pytest
from django.db import connection

ROOT = Path(__file__).resolve().parents[1]
# Where Django makes the database of the tests.
MEMORY = "file:memorydb_default?mode=memory&cache=shared"
# What tables and the rows in them come from: migrations and models, and what seals rows and notes who may act.
READ_WHOLE = ("approvals", "deid_portal/accounts")
READ = ("migrations/*.py", "models.py", "models/*.py", "apps.py", "settings*.py")
TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
# Seconds until what an earlier state of the code has left behind is removed.
OLD = 3600


def sources() -> Iterator[Path]:
    """The files that say what a migrated database is, but for its triggers."""
    for folder in ("approvals", "deid_portal", "projects"):
        for pattern in READ:
            yield from (ROOT / folder).rglob(pattern)
    for folder in READ_WHOLE:
        yield from (ROOT / folder).rglob("*.py")


class Migrated:
    """The file of a migrated database; who finds none holds the lock until it is kept."""

    def __init__(self) -> None:
        folder = Path(tempfile.gettempdir()) / "deid-migrated"
        folder.mkdir(exist_ok=True)
        state = hashlib.sha256((ROOT / "requirements.lock").read_bytes())
        for path in sorted(set(sources())):
            state.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
        self.place = folder / f"{state.hexdigest()}.sqlite3"
        self.memory: sqlite3.Connection | None = None
        # Of this state alone: who tests another one beside does not wait.
        self.lock: TextIO = self.place.with_suffix(".lock").open("a")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        if self.place.exists():
            self.place.touch()
            self.memory = sqlite3.connect(MEMORY, uri=True)
            with closing(sqlite3.connect(self.place)) as kept:
                kept.backup(self.memory)
            for name, _sql in self.memory.execute(TRIGGERS).fetchall():
                self.memory.execute(f'DROP TRIGGER "{name}"')
            self.lock.close()

    def keep(self) -> None:
        """For the others, if none was found; beside it, where triggers are others now."""
        with connection.cursor() as cursor:
            cursor.execute(TRIGGERS)
            triggers = cursor.fetchall()
        if self.memory is not None:
            with closing(sqlite3.connect(self.place)) as kept:
                if kept.execute(TRIGGERS).fetchall() == triggers:
                    return
            of_today = hashlib.sha256(repr(triggers).encode()).hexdigest()
            self.place = self.place.with_name(f"{self.place.stem}-{of_today}.sqlite3")
            self.lock = self.place.with_suffix(".lock").open("a")
            fcntl.flock(self.lock, fcntl.LOCK_EX)
        for path in self.place.parent.glob("*.sqlite3"):
            if path.stat().st_mtime < time.time() - OLD:
                path.unlink(missing_ok=True)
        unfinished = self.place.with_suffix(".new")
        connection.ensure_connection()
        with closing(sqlite3.connect(unfinished)) as kept:
            connection.connection.backup(kept)
        unfinished.rename(self.place)
        self.lock.close()


@pytest.fixture(scope="session")
def migrated() -> Iterator[Migrated | None]:
    """Before Django migrates; None where the tests have a database that is not in memory."""
    in_memory = connection.vendor == "sqlite" and not connection.settings_dict["TEST"]["NAME"]
    found = Migrated() if in_memory else None
    yield found
    if found is not None and found.memory is not None:
        found.memory.close()


@pytest.fixture(scope="session")
def django_db_setup(migrated: Migrated | None, django_db_setup: Any, django_db_blocker: Any) -> None:
    """The set-up of pytest-django, which finds everything migrated already where another process has done it."""
    if migrated is not None:
        with django_db_blocker.unblock():
            migrated.keep()


@pytest.fixture(scope="session")
def kept_database(migrated: Migrated | None, django_db_setup: None) -> Path | None:
    """The migrated file, for portals that begin with a copy of it; None where there is none."""
    return migrated.place if migrated is not None else None
