"""Many connections at once on PostgreSQL: one chain, one decision, one owner of a job, no deadlock."""

from __future__ import annotations

from decimal import Decimal

import pytest

from .portal import answer

pytestmark = [pytest.mark.slow, pytest.mark.services]


def deadlocks(portal) -> int:
    """What PostgreSQL itself counted."""
    return portal.query("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")[0][0]


@pytest.fixture
def no_deadlocks(portal):
    yield
    assert deadlocks(portal) == 0


@pytest.mark.usefixtures("no_deadlocks")
def test_concurrent_writers_make_one_chain(portal):
    """Two processes with five connections each write, a third checks the log over and over meanwhile."""
    before = portal.query("SELECT count(*), max(seq) FROM audit_auditevent")[0]
    assert before[0] == before[1]
    watcher = portal.begin_driver("watch_log", "4")
    writers = [portal.begin_driver("write_events", "5", "60") for _process in range(2)]
    written = [answer(writer) for writer in writers]
    watched = answer(watcher)
    assert [outcome["outcomes"] for outcome in written] == [["done"] * 5] * 2
    expected = before[0] + sum(outcome["events"] for outcome in written)
    rows = portal.query(
        "SELECT count(*), min(seq), max(seq), count(DISTINCT previous_hash) FROM audit_auditevent"
    )
    assert rows == [(expected, 1, expected, expected)], "no gap, no fork"
    assert watched["checks"] > 1
    assert watched["faults"] == [], "a check while others write finds nothing"
    assert f"{expected} rows, chain and seals sound" in portal.run("manage.py", "audit_verify")
    acts = portal.query("SELECT max(n) FROM (SELECT count(*) n FROM audit_auditevent GROUP BY act) a")
    assert acts == [(2,)], "an inner event shares its outer one's act"


@pytest.fixture(scope="module")
def raced(base_on_postgres, tmp_path_factory):
    """A portal in which all races were run, one after the other, and what they told."""
    portal = base_on_postgres.copy(tmp_path_factory.mktemp("races") / "portal", database="races")
    verbs = "race_decisions 3 + race_projects 8 + race_claims 4 10 + race_endings 30 + storm 4"
    return portal, portal.ask(*verbs.split(" "))


def test_of_two_decisions_at_once_exactly_one_wins(raced):
    portal, found = raced[0], raced[1]["race_decisions"]
    races = found["reviews"] + found["decisions"]
    assert len(found["reviews"]) == 3
    assert len(races) > 3, "no review passed, so no plan came to a decision"
    for race in races:
        assert sorted(race)[0] == "done", race
        assert sorted(race)[1].startswith("refused: "), race
    assert portal.query("SELECT count(*) FROM decisions_review") == [(3,)]
    decided = portal.query("SELECT count(*) FROM decisions_signoff WHERE decision <> ''")
    assert decided == [(len(found["decisions"]),)]


def test_who_opens_projects_at_once_gets_a_number_each(raced):
    found = raced[1]["race_projects"]
    assert found["outcomes"] == ["done"] * 8
    assert len(set(found["numbers"])) == 8


def test_a_reading_request_sees_the_database_at_one_moment(raced, base_on_sqlite, tmp_path):
    for portal in (raced[0], base_on_sqlite.copy(tmp_path / "sqlite")):
        found = portal.ask("read_one_state")
        assert found["outcomes"] == ["done"] * 4
        assert found["seen"] == [
            *("One state", "Before", "Before", "Changed"),
            *("Changed", "Changed!", "Once more"),
        ]
        assert found["kept"], "reading in one state is reading: the request's cache stays open"


def test_of_four_workers_that_take_a_job_one_gets_it(raced):
    assert raced[1]["race_claims"] == {"taken": [1] * 10}


@pytest.mark.usefixtures("no_deadlocks")
def test_two_hundred_questions_at_once_never_overspend(portal):
    found = portal.ask("race_questions", "200")
    assert found["outcomes"] == {"done": 200}
    became = found["became"]
    assert became["running"] == 20, "twenty twentieths"
    assert sum(became.values()) == 200
    # The twenty alike are one that was paid for, if it was among the first, and else all refused.
    assert became.get("repeated", 0) in (*range(20),)
    assert Decimal(found["charged"]) == 1
    assert Decimal(found["left"]) == 0
    assert found["faults"] == []


@pytest.mark.usefixtures("no_deadlocks")
def test_two_processes_that_are_given_a_job_do_it_once(portal):
    job_id = portal.ask("start", "chain", "0.001")["job"]
    workers = [portal.begin_driver("work", job_id) for _worker in range(2)]
    assert sorted(answer(worker)["status"] for worker in workers) == ["running", "succeeded"]
    assert portal.row(job_id) == ("succeeded", 1, 51)
    assert portal.query("SELECT DISTINCT attempts FROM jobs_jobitem WHERE job_id = %s", job_id) == [(1,)]


def test_a_job_ends_once_whoever_ends_it(raced):
    portal, found = raced[0], raced[1]["race_endings"]
    assert found["strange"] == []
    assert set(found["ends"]) == {"succeeded", "cancelled"}
    assert sum(found["ends"].values()) == 30
    ends = portal.query(
        "SELECT count(*), count(DISTINCT subject_id) FROM audit_auditevent "
        "WHERE action IN ('job.finished', 'job.cancelled') AND subject_id IN "
        "(SELECT id::text FROM jobs_job WHERE subject_id LIKE 'quick end %%')",
    )
    assert ends == [(30, 30)]


def test_a_storm_of_acts_leaves_no_deadlock(raced):
    portal, found = raced[0], raced[1]["storm"]
    assert found["strange"] == []
    assert found["counts"]["done"] > 20
    assert deadlocks(portal) == 0
    assert "chain and seals sound" in portal.run("manage.py", "audit_verify")


def test_a_lost_connection_to_the_database_costs_no_job(portal):
    """An administrator ends every connection in the middle of a job: it goes on, the result is the same."""
    job_id = portal.ask("start", "chain", "0.004")["job"]
    calm = portal.copy(portal.folder.parent / "calm", database=f"{portal.database}_calm")
    expected = calm.ask("undisturbed", job_id)
    portal.worker_start()
    try:
        for done in (5, 25):
            portal.wait(job_id, lambda row, done=done: row[2] >= done, 60)
            ended = portal.query(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            assert ended[0][0] >= 1
        portal.wait(job_id, lambda row: row[0] not in ("queued", "running"), 60)
    finally:
        portal.worker_kill()
    found = portal.ask("result", job_id)
    assert found["attempts"] > 1
    assert {**found, "attempts": 1} == {k: v for k, v in expected.items() if k != "seconds"}
