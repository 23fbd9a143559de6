"""A worker that is stopped in its work and goes on later: another does the job meanwhile, and nothing is done twice."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import uuid
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from .portal import ACTIVE, Portal

pytestmark = [pytest.mark.slow, pytest.mark.services]

# A round takes half a minute; more of them are for a nightly run.
ROUNDS = int(os.environ.get("PAUSE_ROUNDS", "1"))
# PostgreSQL takes the lock of a transaction in which nothing happens for two minutes away (idle_in_transaction_session_timeout).
FREED = 240
ROWS = "30000"


def tree(worker: subprocess.Popen) -> list[psutil.Process]:
    first = psutil.Process(worker.pid)
    return [first, *first.children(recursive=True)]


def send(processes: list[psutil.Process], what: signal.Signals) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(what)


def can_write(portal: Portal) -> bool:
    """Whether somebody else gets the turn to write within two seconds."""
    if portal.postgres is not None:
        with portal.postgres.connect(portal.database) as connection:
            connection.execute("SET lock_timeout = '2s'")
            connection.execute("UPDATE jobs_job SET share = share WHERE status = 'nothing'")
        return True
    with sqlite3.connect(portal.folder / "portal.sqlite3", timeout=2, isolation_level=None) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.execute("ROLLBACK")
    return True


def paused(portal: Portal, job: str, chance: random.Random, wanted: int) -> list[psutil.Process]:
    """The processes of a worker that was stopped in the midst of the job, outside of its short transactions."""
    portal.worker_start()
    portal.wait(job, lambda row: row[1] > 0 and (row[2] >= wanted or row[0] not in ACTIVE), 90)
    time.sleep(chance.uniform(0, 0.3))
    assert portal.worker is not None
    stopped = tree(portal.worker)
    while True:
        send(stopped, signal.SIGSTOP)
        if can_write(portal):
            return stopped
        # Where it holds SQLite's lock nobody can take it away; on PostgreSQL it holds rows alone, and not for long.
        assert portal.postgres is None
        send(stopped, signal.SIGCONT)
        time.sleep(0.05)


def suffer(portal: Portal, job: str, expected: dict, chance: random.Random, wanted: int) -> bool:
    """One round; whether the worker was stopped before the job had ended."""
    stopped = paused(portal, job, chance, wanted)
    first, portal.worker = portal.worker, None
    try:
        in_time = portal.row(job)[0] in ACTIVE
        portal.worker_start()
        portal.wait(job, lambda row: row[0] not in ACTIVE, FREED)
        send(stopped, signal.SIGCONT)
        end = time.monotonic() + 30
        while (found := portal.ask("result", job))["leftover"] and time.monotonic() < end:
            time.sleep(1)
    finally:
        send(stopped, signal.SIGCONT)
        portal.worker_kill()
        portal.worker = first
        portal.worker_kill()
    assert found["status"] == "succeeded", found["error"]
    assert (found["size"], found["sha256"]) == (expected["size"], expected["sha256"])
    assert found["items"] == expected["items"]
    assert found["leftover"] == 0, "what the stopped worker wrote afterwards is swept"
    assert found["log"] == [], "the audit log is whole"
    ended = portal.query(
        "SELECT count(*) FROM audit_auditevent WHERE action = 'job.finished' AND subject_id = %s",
        str(uuid.UUID(job)),
    )
    assert ended == [(1,)]
    return in_time


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_a_worker_that_was_stopped_does_nothing_twice(database, tmp_path: Path, request):
    base = request.getfixturevalue(f"base_on_{database}")
    source = base.copy(tmp_path / database, database=f"{database}_source")
    job = source.ask("start", "run", ROWS)["job"]
    calm = source.copy(tmp_path / "calm", database=f"{database}_calm")
    expected = calm.ask("undisturbed", job)
    chance, stopped = random.Random(37964), 0
    for number in range(ROUNDS):
        name = f"{database}_{number}"
        portal = source.copy(tmp_path / name, database=name)
        wanted = number * (len(expected["items"]) - 1) // ROUNDS
        stopped += suffer(portal, job, expected, chance, wanted)
    assert stopped >= max(1, ROUNDS - 1)
    shutil.rmtree(tmp_path)
