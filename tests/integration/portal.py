"""A portal of its own in a folder, driven from outside: its commands and workers are real processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from tests.conftest import ROOT
from tests.services import PostgresServer

ACTIVE = ("queued", "running")
# Whoever migrates two hundred times on SQLite beside the other tests takes minutes; what hangs takes longer.
PATIENCE_SECONDS = 600


class Portal:
    """Database, store, queue and workers. Without ``postgres`` the database is SQLite in the folder.

    A lost job is noticed after about a second, unless ``as_it_comes``: then after the time that the product
    has as its default.
    """

    def __init__(
        self,
        folder: Path,
        *,
        broker: str = "filesystem://localhost//",
        postgres: PostgresServer | None = None,
        database: str = "",
        as_it_comes: bool = False,
    ) -> None:
        self.folder, self.broker, self.postgres, self.database = folder, broker, postgres, database
        self.as_it_comes = as_it_comes
        self.log = folder / "worker.log"
        self.worker: subprocess.Popen | None = None
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("DEID_", "DATABASE_", "PYTEST"))}
        self.env = {
            **kept,
            "DJANGO_SETTINGS_MODULE": "tests.integration.portal_settings",
            "DEID_VAR_DIR": str(folder),
            "DEID_SECRET_KEY": "only-for-tests-" + "x" * 40,
            "DEID_MASTER_KEY": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=",
            "DEID_BROKER_URL": broker,
            "DEID_LOG_LEVEL": "WARNING",
            "PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", ""))),
        }
        if not as_it_comes:
            self.env["DEID_JOB_LEASE_SECONDS"] = "1"
            self.env["DEID_JOB_HEARTBEAT_SECONDS"] = "0.25"
            self.env["DEID_JOB_SWEEP_SECONDS"] = "0.5"
        sqlite = f"sqlite:///{folder / 'portal.sqlite3'}"
        self.env["DATABASE_URL"] = sqlite if postgres is None else postgres.url(database)

    # --- commands ---

    def begin(self, *command: str) -> subprocess.Popen:
        """Start ``python COMMAND`` as this portal; ``answer`` waits for it."""
        return subprocess.Popen(
            [sys.executable, *command],
            env=self.env,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *command: str, fails: bool = False) -> str:
        """The standard output of ``python COMMAND``; its standard error when it must fail, and does."""
        out, error = _finish(process := self.begin(*command))
        assert (process.returncode != 0) is fails, error[-3000:]
        return error if fails else out

    def begin_driver(self, *words: str) -> subprocess.Popen:
        return self.begin("-m", "tests.integration.driver", *words)

    def ask(self, *words: str) -> Any:
        """What the driver's verb answers."""
        return answer(self.begin_driver(*words))

    # --- rows, read past Django ---

    def query(self, statement: str, *values: Any) -> list[tuple]:
        """``statement`` marks its values with ``%s``; a UUID is given as such."""
        if self.postgres is not None:
            with self.postgres.connect(self.database) as connection:
                return connection.execute(statement, values).fetchall()
        plain = [value.hex if isinstance(value, uuid.UUID) else value for value in values]
        file = f"file:{self.folder / 'portal.sqlite3'}?mode=ro"
        with sqlite3.connect(file, uri=True, timeout=30) as connection:
            return connection.execute(statement.replace("%s", "?"), plain).fetchall()

    def row(self, job_id: str) -> tuple[str, int, int]:
        """Status, attempts and finished items of a job."""
        key = uuid.UUID(job_id)
        return self.query(
            "SELECT status, attempts, (SELECT count(*) FROM jobs_jobitem i WHERE i.job_id = jobs_job.id "
            "AND i.status = 'done') FROM jobs_job WHERE id = %s",
            key,
        )[0]

    def wait(self, job_id: str, condition: Callable[[tuple[str, int, int]], bool], seconds: float):
        """Wait until ``condition(row)`` holds; returns the row."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            row = self.row(job_id)
            if condition(row):
                return row
            time.sleep(0.03)
        raise AssertionError(f"{self.row(job_id)} after {seconds} s\n{self.log.read_text()[-3000:]}")

    # --- workers ---

    def worker_start(self) -> None:
        """A worker with one process for the work, and the clock in it."""
        command = [sys.executable, "-m", "celery", "-A", "deid_portal", "worker", "-B", "-c", "1"]
        command += ["-l", "WARNING", "--without-gossip", "--without-mingle"]
        with self.log.open("ab") as log:
            self.worker = subprocess.Popen(
                command, env=self.env, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )

    def worker_kill(self) -> None:
        """SIGKILL to every process of the tree, with no time for anybody to notice."""
        if self.worker is None:
            return
        try:
            tree = psutil.Process(self.worker.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            tree = []
        os.killpg(self.worker.pid, signal.SIGKILL)
        for process in tree:
            if process.is_running():
                process.kill()
        self.worker.wait(20)
        psutil.wait_procs(tree, 20)
        self.worker = None

    # --- copies ---

    def copy(self, folder: Path, *, broker: str | None = None, database: str = "") -> Portal:
        """A second portal with the same rows, files and keys; nobody may be using this one."""
        shutil.copytree(self.folder, folder)
        if self.postgres is not None:
            self.postgres.database(database, like=self.database)
        return Portal(
            folder,
            broker=self.broker if broker is None else broker,
            postgres=self.postgres,
            database=database,
            as_it_comes=self.as_it_comes,
        )


def _finish(process: subprocess.Popen) -> tuple[str, str]:
    try:
        return process.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def answer(process: subprocess.Popen) -> Any:
    """What a driver that was begun says at its end."""
    out, error = _finish(process)
    assert process.returncode == 0, error[-4000:]
    return json.loads(out.splitlines()[-1])
