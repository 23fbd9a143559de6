"""Kill the worker's whole process tree ten times at random moments: the job resumes, the result is the same.

A real worker process with a real sweeper (the embedded beat), on the broker without a server and on Redis.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import uuid
from pathlib import Path

import psutil
import pytest

from tests.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.services]

KILLS = 10
# A lost job is taken up again within a minute, the start of the new worker included (seconds).
RESUME = 60
SIZES = {"chain": "0.02", "run": "60000"}
SEED = 20260701


class Portal:
    """A portal of its own in a folder: database, store, queue, and workers that can be killed."""

    def __init__(self, folder: Path, broker: str) -> None:
        self.folder = folder
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("DEID_", "DATABASE_", "PYTEST"))},
            "DJANGO_SETTINGS_MODULE": "tests.integration.kill_settings",
            "DEID_VAR_DIR": str(folder),
            "DEID_SECRET_KEY": "only-for-tests-" + "x" * 40,
            "DEID_MASTER_KEY": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=",
            "DEID_BROKER_URL": broker,
            "DEID_JOB_LEASE_SECONDS": "1",
            "DEID_JOB_HEARTBEAT_SECONDS": "0.25",
            "DEID_JOB_SWEEP_SECONDS": "0.5",
            "DEID_LOG_LEVEL": "WARNING",
            "PYTHONPATH": str(ROOT),
        }
        self.worker: subprocess.Popen | None = None
        self.log = folder / "worker.log"

    def run(self, *command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], env=self.env, cwd=ROOT, capture_output=True, text=True, timeout=90
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def ask(self, *words: str) -> dict:
        return json.loads(self.run("-m", "tests.integration.kill_driver", *words).splitlines()[-1])

    def row(self, job_id: str) -> tuple[str, int, int]:
        """Status, attempts and finished items, read past Django."""
        with sqlite3.connect(f"file:{self.folder / 'portal.sqlite3'}?mode=ro", uri=True, timeout=30) as db:
            key = uuid.UUID(job_id).hex
            status, attempts = db.execute(
                "SELECT status, attempts FROM jobs_job WHERE id = ?", (key,)
            ).fetchone()
            done = "SELECT count(*) FROM jobs_jobitem WHERE job_id = ? AND status = 'done'"
            return status, attempts, db.execute(done, (key,)).fetchone()[0]

    def worker_start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "deid_portal",
            "worker",
            "-B",
            "-c",
            "1",
            "-l",
            "WARNING",
        ]
        command += ["--without-gossip", "--without-mingle"]
        with self.log.open("ab") as log:
            self.worker = subprocess.Popen(
                command, env=self.env, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )

    def worker_kill(self) -> None:
        """SIGKILL to every process of the tree, with no time for anybody to notice."""
        assert self.worker is not None
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

    def wait(self, job_id: str, condition, seconds: float):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            row = self.row(job_id)
            if condition(row):
                return row
            time.sleep(0.03)
        raise AssertionError(f"{self.row(job_id)} after {seconds} s\n{self.log.read_text()[-3000:]}")


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    """A migrated database with people."""
    portal = Portal(tmp_path_factory.mktemp("base"), "filesystem://")
    portal.run("manage.py", "migrate", "--verbosity", "0")
    portal.ask("prepare")
    return portal.folder


@pytest.fixture(scope="module")
def scenarios(base, tmp_path_factory):
    """Per scenario: the folder with its job queued, the job, and what it gives undisturbed. Made when asked for."""
    made: dict[str, tuple[Path, str, dict]] = {}

    def get(name: str) -> tuple[Path, str, dict]:
        if name not in made:
            folder = tmp_path_factory.mktemp(name) / "portal"
            shutil.copytree(base, folder)
            job_id = Portal(folder, "filesystem://").ask("start", name, SIZES[name])["job"]
            calm = tmp_path_factory.mktemp(name) / "calm"
            shutil.copytree(folder, calm)
            expected = Portal(calm, "filesystem://").ask("undisturbed", job_id)
            assert expected["status"] == "succeeded", expected["error"]
            made[name] = folder, job_id, expected
        return made[name]

    return get


@pytest.fixture
def redis_url(tmp_path):
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    server = subprocess.Popen(
        [*command, "--dir", str(tmp_path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield f"redis://127.0.0.1:{port}/0"
    server.terminate()
    server.wait(10)


@pytest.mark.parametrize(
    ("scenario", "broker"), [("chain", "filesystem"), ("run", "filesystem"), ("run", "redis")]
)
def test_ten_kills_leave_the_result_as_it_would_have_been(scenarios, tmp_path, scenario, broker, request):
    url = request.getfixturevalue("redis_url") if broker == "redis" else "filesystem://"
    source, job_id, expected = scenarios(scenario)
    portal = Portal(tmp_path / "portal", url)
    shutil.copytree(source, portal.folder)
    chance = random.Random(SEED)
    # Long enough to hit every part of the work, loading the engine included.
    spread = 0.9 if scenario == "chain" else 1.2 * expected["seconds"]
    begun, hits, rounds, resumed = time.monotonic(), [], 0, []
    try:
        while True:
            rounds += 1
            while len(hits) < KILLS:
                if len(hits) == 4:
                    # Once while the worker is still starting; that one is not counted.
                    portal.worker_start()
                    time.sleep(chance.uniform(0.0, 2.0))
                    portal.worker_kill()
                before, started = portal.row(job_id)[1], time.monotonic()
                portal.worker_start()
                portal.wait(job_id, lambda row, before=before: row[1] > before, RESUME)
                resumed.append(time.monotonic() - started)
                time.sleep(chance.uniform(0.0, spread))
                portal.worker_kill()
                status, _attempts, done = portal.row(job_id)
                if status not in ("queued", "running"):
                    break
                hits.append(done)
            else:
                portal.worker_start()
            portal.wait(job_id, lambda row: row[0] not in ("queued", "running"), 120)
            if portal.worker is not None:
                portal.worker_kill()
            check(portal.ask("result", job_id), expected)
            if len(hits) == KILLS:
                break
            # The work was done before ten kills had hit it: once more from the start.
            shutil.rmtree(portal.folder)
            shutil.copytree(source, portal.folder)
    finally:
        if portal.worker is not None:
            portal.worker_kill()
    print(
        f"{scenario} on {broker}: {time.monotonic() - begun:.0f} s, {rounds} rounds, finished items at the "
        f"kills {hits}, taken up again within {max(resumed):.1f} s of the worker's start"
    )


def check(found: dict, expected: dict) -> None:
    assert found["status"] == "succeeded", found["error"]
    assert (found["size"], found["sha256"]) == (expected["size"], expected["sha256"])
    assert found["items"] == expected["items"], "every item finished once, with the same output"
    assert found["leftover"] == 0, "nothing of the work is left in its workspace"
