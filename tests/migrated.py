"""The database is migrated once for all test processes: who needs it while another migrates waits for the result and
copies it. Where a line of the code has changed since, it is migrated anew."""

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
# Seconds until what an earlier state of the code has left behind is removed.
OLD = 3600


class Migrated:
    """The file of a migrated database; who finds none holds the lock until it is kept."""

    def __init__(self) -> None:
        folder = Path(tempfile.gettempdir()) / "deid-migrated"
        folder.mkdir(exist_ok=True)
        state = hashlib.sha256((ROOT / "requirements.lock").read_bytes())
        for path in sorted(
            p for name in ("approvals", "deid_portal", "projects") for p in (ROOT / name).rglob("*.py")
        ):
            state.update(str(path).encode() + path.read_bytes())
        self.place = folder / f"{state.hexdigest()}.sqlite3"
        self.memory: sqlite3.Connection | None = None
        self.lock: TextIO = (folder / "lock").open("a")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        if self.place.exists():
            self.memory = sqlite3.connect(MEMORY, uri=True)
            with closing(sqlite3.connect(self.place)) as kept:
                kept.backup(self.memory)
            self.lock.close()

    def keep(self) -> None:
        """For the others, if none was found."""
        if self.memory is not None:
            return
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
