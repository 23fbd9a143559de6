"""Work that goes over a real Redis to a real worker, with PostgreSQL behind: as in production."""

from __future__ import annotations

import itertools
import time

import psutil
import pytest
import redis

_numbers = itertools.count(1)
pytestmark = [pytest.mark.slow, pytest.mark.services]


@pytest.fixture
def production(base_on_postgres, redis_server, tmp_path):
    portal = base_on_postgres.copy(
        tmp_path / "portal", broker=redis_server.url(), database=f"redis{next(_numbers)}"
    )
    yield portal
    portal.worker_kill()


def test_a_job_runs_from_start_to_end(production):
    """A recipe: published on Redis, done by the worker, its result in the store; the queue is empty then."""
    job_id = production.ask("start", "run", "3000")["job"]
    queue = redis.Redis.from_url(production.broker)
    assert queue.llen("celery") >= 1, "the message waits for a worker"
    production.worker_start()
    production.wait(job_id, lambda row: row[0] not in ("queued", "running"), 120)
    found = production.ask("result", job_id)
    assert (found["status"], found["attempts"]) == ("succeeded", 1)
    assert found["size"] > 10_000
    assert found["leftover"] == 0
    assert found["log"] == []


def test_the_queue_is_lost_and_nothing_else(production):
    """Redis forgets everything while a job waits: the sweeper offers it again."""
    job_id = production.ask("start", "chain", "0.0")["job"]
    queue = redis.Redis.from_url(production.broker)
    queue.flushdb()
    production.worker_start()
    production.wait(job_id, lambda row: row[0] not in ("queued", "running"), 60)
    assert production.row(job_id) == ("succeeded", 1, 51)
    # What was queued does not pile up.
    time.sleep(1.0)
    assert queue.llen("celery") < 20


def test_a_process_that_held_more_than_its_bound_is_replaced_after_its_job(production):
    """Any process holds more than a megabyte; each job is done once all the same."""
    production.env["DEID_WORKER_MEMORY_MB"] = "1"
    production.worker_start()
    worker, processes = psutil.Process(production.worker.pid), set()
    for _ in range(2):
        job_id = production.ask("start", "chain", "0.0")["job"]
        production.wait(job_id, lambda row: row[0] not in ("queued", "running"), 60)
        assert production.row(job_id) == ("succeeded", 1, 51)
        processes |= {child.pid for child in worker.children(recursive=True)}
    # Without a bound they are two: that of the work and the clock's.
    assert len(processes) > 2
