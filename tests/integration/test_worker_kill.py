"""Kill the worker's whole process tree ten times at random moments: the job resumes, the result is the same.

Real worker processes with a real sweeper (the clock in them) run a recipe over an uploaded data set: once as
the portal comes (SQLite, a broker without a server), once as in production (PostgreSQL and Redis).
"""

from __future__ import annotations

import random
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .portal import ACTIVE, Portal

pytestmark = [pytest.mark.slow, pytest.mark.services]

KILLS = 10
# A lost job is taken up again within a minute, the start of the new worker included (seconds).
RESUME = 60
ROWS = "30000"
# How long after the job was taken up, or got as far as it should, a kill comes at most (seconds).
LOADING, WORKING = 2.0, 0.4
SEED = 20260701


class Ordeal:
    """One job in one portal, and the kills that it has to bear."""

    def __init__(self, source: Portal, folder: Path, *job: str, kills: int = KILLS) -> None:
        self.source, self.folder, self.name = source, folder, source.folder.name
        self.job, self.kills = job, kills
        self.chance = random.Random(f"{SEED} {self.name}")
        self.finished: list[int] = []
        self.resumed: list[float] = []
        self.rounds = 0

    def copy(self) -> Portal:
        self.rounds += 1
        name = f"{self.name}_{self.rounds}"
        return self.source.copy(self.folder / name, database=name)

    def prepare(self) -> None:
        """Queue the job, and run a copy of everything without a disturbance."""
        self.job_id = self.source.ask("start", *self.job)["job"]
        calm = self.copy()
        self.expected = calm.ask("undisturbed", self.job_id)
        assert self.expected["status"] == "succeeded", self.expected["error"]

    def run(self) -> None:
        started = time.monotonic()
        self.prepare()
        prepared = time.monotonic()
        while len(self.finished) < self.kills:
            # When the work was done before all kills had hit it: once more from the start.
            portal = self.copy()
            try:
                self.suffer(portal)
            finally:
                portal.worker_kill()
            self.check(portal.ask("result", self.job_id))
        print(
            f"{self.name}: prepared in {prepared - started:.0f} s, killed in {time.monotonic() - prepared:.0f} s "
            f"and {self.rounds - 1} rounds; {self.expected['seconds']:.1f} s of work in "
            f"{len(self.expected['items'])} items, finished at the kills {self.finished}; taken up again "
            f"within {max(self.resumed):.1f} s"
        )

    def suffer(self, portal: Portal) -> None:
        """Kill until all kills have hit the work or it is done, then let it come to its end."""
        while len(self.finished) < self.kills:
            if len(self.finished) == KILLS // 2:
                # Once while the worker is still starting; that one is not counted.
                portal.worker_start()
                time.sleep(self.chance.uniform(0.0, 2.0))
                portal.worker_kill()
            self.take_up(portal)
            self.pause(portal)
            portal.worker_kill()
            status, _attempts, done = portal.row(self.job_id)
            if status not in ACTIVE:
                return
            self.finished.append(done)
        self.take_up(portal)
        portal.wait(self.job_id, lambda row: row[0] not in ACTIVE, 120)

    def take_up(self, portal: Portal) -> None:
        """The next worker: at once after the kill, and it must have the job within a minute."""
        lost, attempts = time.monotonic(), portal.row(self.job_id)[1]
        portal.worker_start()
        portal.wait(self.job_id, lambda row: row[1] > attempts, RESUME)
        self.resumed.append(time.monotonic() - lost)

    def pause(self, portal: Portal) -> None:
        """A random time after the job was taken up; every second time it must have got further before.

        The first kind mostly hits a worker that loads the engine or reads, the second one that computes or
        writes: ever later items, so that ten kills hit the whole of the work.
        """
        number = len(self.finished)
        if number % 2 == 0:
            time.sleep(self.chance.uniform(0.0, LOADING))
            return
        wanted = number * (len(self.expected["items"]) - 1) // self.kills + 1
        portal.wait(self.job_id, lambda row: row[2] >= wanted or row[0] not in ACTIVE, RESUME)
        time.sleep(self.chance.uniform(0.0, WORKING))

    def check(self, found: dict) -> None:
        expected = self.expected
        assert found["status"] == "succeeded", found["error"]
        assert (found["size"], found["sha256"]) == (expected["size"], expected["sha256"])
        assert found["items"] == expected["items"], "every item finished once, with the same output"
        assert found["leftover"] == 0, "nothing of the work is left in its workspace"
        assert found["log"] == [], "the audit log is whole"


@pytest.fixture
def ordeals(base_on_sqlite, base_on_postgres, redis_server, tmp_path):
    lite = base_on_sqlite.copy(tmp_path / "embedded")
    full = base_on_postgres.copy(tmp_path / "production", broker=redis_server.url(), database="production")
    patient = Portal(base_on_sqlite.copy(tmp_path / "as_it_comes").folder, as_it_comes=True)
    yield [
        Ordeal(lite, tmp_path, "run", ROWS),
        Ordeal(full, tmp_path, "run", ROWS),
        Ordeal(patient, tmp_path, "chain", "0.02", kills=1),
    ]
    shutil.rmtree(tmp_path)


def test_ten_kills_leave_the_result_as_it_would_have_been(ordeals):
    """The portals side by side: a kill hits the one while another works.

    A third one, with its times as they come, shows that a minute is enough with these as well.
    """
    with ThreadPoolExecutor(len(ordeals)) as pool:
        for done in [pool.submit(ordeal.run) for ordeal in ordeals]:
            done.result()
