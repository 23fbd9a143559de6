"""A job's way from queued to its end, and everything that may happen to it in between."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused, Verdict
from deid_portal.accounts.services import user_create
from projects.core.rules import CoreReason
from projects.core.services import member_add, project_create
from projects.jobs import lease, publishing
from projects.jobs import services as job_services
from projects.jobs.enums import ItemStatus, JobStatus
from projects.jobs.models import Job, JobItem
from projects.jobs.registry import Interrupted, ItemSpec
from projects.jobs.selectors import job_get, latest_job, visible_jobs
from projects.jobs.services import job_cancel, job_run, job_start, jobs_sweep
from projects.workflow import Role
from techniques.core.messages import EngineError
from tests.approvals.governance.test_governance import raw_sql

pytestmark = pytest.mark.django_db


def actions(job):
    return list(
        AuditEvent.objects.filter(project_id=job.project_id).order_by("seq").values_list("action", flat=True)
    )


@pytest.fixture
def published(monkeypatch):
    sent = []
    monkeypatch.setattr(job_services, "publish", sent.append)
    return sent


def test_runs_items_in_order_and_ends_with_its_hashes(start, kind):
    job = job_run(start().pk)
    assert kind.calls == ["items", "one", "two", "finish"]
    assert (job.status, job.share, job.lease_owner, job.attempts) == (JobStatus.SUCCEEDED, 1.0, "", 1)
    assert [(i.status, i.output_hash, i.attempts) for i in job.items.all()] == [
        (ItemStatus.DONE, "hash-one", 1),
        (ItemStatus.DONE, "hash-two", 1),
    ]
    assert actions(job)[-2:] == ["job.started", "job.finished"]


def test_is_offered_on_commit_only(start, published, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        job = start()
    assert published == []
    for callback in callbacks:
        callback()
    assert job.pk in published


def test_a_broker_that_is_down_does_not_hurt(start, monkeypatch):
    def down(*args, **kwargs):
        raise ConnectionError("no broker")

    monkeypatch.setattr(publishing.current_app, "send_task", down)
    job = start()
    assert publishing.publish(job.pk) is False
    job.refresh_from_db()
    assert job.status == JobStatus.QUEUED


def test_second_claim_finds_the_job_taken(start):
    job = start()
    assert lease.claim(job.pk) is not None
    assert lease.claim(job.pk) is None


def test_an_ended_job_is_never_run_again(start, kind):
    job = job_run(start().pk)
    kind.calls.clear()
    job_run(job.pk)
    assert kind.calls == []


def test_takes_up_where_the_lost_worker_stopped(start, kind):
    job = start()
    dead = lease.claim(job.pk)
    JobItem.objects.create(
        job=job, position=0, key="one", status="done", output_hash="kept", finished_at=timezone.now()
    )
    JobItem.objects.create(job=job, position=1, key="two", weight=3, status="started", attempts=1)
    assert job_run(job.pk).status == JobStatus.RUNNING, "the lease has not run out"
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    job = job_run(job.pk)
    assert dead
    assert kind.calls == ["two", "finish"]
    assert [i.output_hash for i in job.items.all()] == ["kept", "hash-two"]
    assert "job.resumed" in actions(job)


def test_engine_error_reaches_the_reader_and_the_audit_log(start, kind):
    def fail(job, key, tick):
        raise EngineError("table.row.ragged", "Line %(line)s: wrong", line=7)

    kind.on_item = fail
    job = job_run(start().pk)
    assert (job.status, job.error_code, job.error_text) == (
        JobStatus.FAILED,
        "table.row.ragged",
        "Line 7: wrong",
    )
    assert kind.calls[-1] == ("failed", "table.row.ragged")
    assert actions(job)[-1] == "job.failed"


def test_unexpected_error_shows_a_reference_and_no_value(start, kind, caplog):
    def fail(job, key, tick):
        raise ValueError("secret-value-110101199003074514")

    kind.on_item = fail
    job = job_run(start().pk)
    assert job.status == JobStatus.FAILED
    assert job.error_code == "job.internal"
    assert "secret-value" not in job.error_text
    assert job.error_params["reference"] in caplog.text
    assert kind.calls[-1] == ("failed", None)


def test_refusal_in_finish_fails_the_job_and_rolls_back(start, kind, project):
    def refuse(job):
        Job.objects.filter(pk=job.pk).update(params={"half": "done"})
        raise Refused(Verdict(False, CoreReason.WRONG_STATE, {"state": "x"}))

    kind.on_finish = refuse
    job = job_run(start().pk)
    assert (job.status, job.error_code, job.params) == (JobStatus.FAILED, "wrong_state", {})


def test_a_job_that_still_records_its_end_is_not_shown_as_finished(start, kind):
    seen = []

    def look(job):
        now = Job.objects.get(pk=job.pk)
        seen.append((now.percent, now.estimate_text))

    kind.on_finish = look
    with override("en"):
        ended = job_run(start().pk)
    assert seen == [(99, "the work is done and is being recorded")]
    ended = Job.objects.get(pk=ended.pk)
    assert (ended.percent, ended.estimate_text) == (100, "")


def test_kind_that_fails_in_its_clean_up_still_lets_the_job_end(start, kind):
    def fail(*args):
        raise RuntimeError

    kind.on_item = kind.on_failed = fail
    assert job_run(start().pk).status == JobStatus.FAILED


def test_database_trouble_leaves_the_job_to_the_sweeper(start, kind):
    def fail(job, key, tick):
        raise OperationalError("database is locked")

    kind.on_item = fail
    job = job_run(start().pk)
    assert job.status == JobStatus.RUNNING
    assert job.lease_owner


def test_cancel_while_queued_ends_at_once(start, kind, people):
    job = job_cancel(start(), by=people.executor)
    assert job.status == JobStatus.CANCELLED
    assert kind.calls == ["cancelled"]
    assert job_run(job.pk).status == JobStatus.CANCELLED
    assert actions(job)[-2:] == ["job.cancel_requested", "job.cancelled"]


def test_cancel_while_running_stops_at_the_next_tick(start, kind, people, monkeypatch):
    monkeypatch.setattr(lease, "TICK_SECONDS", 0)

    def item(job, key, tick):
        tick(0.5)
        job_cancel(Job.objects.get(pk=job.pk), by=people.executor)
        tick(0.6)
        raise AssertionError("not reached")

    kind.on_item = item
    job = job_run(start().pk)
    assert job.status == JobStatus.CANCELLED
    assert kind.calls == ["items", "one", "cancelled"]
    assert job.share == pytest.approx(0.15)


def test_cancel_in_the_last_item_wins_over_success(start, kind, people):
    kind.on_item = lambda job, key, tick: (
        key == "two" and job_cancel(Job.objects.get(pk=job.pk), by=people.executor)
    )
    job = job_run(start().pk)
    assert job.status == JobStatus.CANCELLED
    assert "finish" not in kind.calls


def test_worker_that_lost_its_lease_writes_nothing(start, kind, monkeypatch):
    monkeypatch.setattr(lease, "TICK_SECONDS", 0)

    def item(job, key, tick):
        Job.objects.filter(pk=job.pk).update(
            lease_owner="another", lease_until=timezone.now() + timedelta(60)
        )
        tick(0.9)

    kind.on_item = item
    job = job_run(start().pk)
    assert (job.status, job.lease_owner, job.share) == (JobStatus.RUNNING, "another", 0.0)
    assert not job.items.filter(status=ItemStatus.DONE).exists()


def test_worker_that_lost_its_lease_without_a_tick_cannot_finish_an_item(start, kind):
    kind.on_item = lambda job, key, tick: Job.objects.filter(pk=job.pk).update(lease_owner="another")
    assert job_run(start().pk).items.filter(status=ItemStatus.DONE).count() == 0


ENDED = {"lease_owner": "", "lease_until": None, "finished_at": timezone.now()}


def woken_late(kind, start, meanwhile):
    """What the kind was called for by a worker that writes on after ``meanwhile(job)`` has happened to its job."""
    kind.clean = lambda job: kind.calls.append("cleaned")

    def item(job, key, tick):
        meanwhile(Job.objects.filter(pk=job.pk))

    kind.on_item = item
    job_run(start().pk)
    return kind.calls


@pytest.mark.parametrize("ended", [JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELLED])
def test_a_worker_that_wakes_after_the_end_removes_what_it_wrote(start, kind, ended):
    code = "gone" if ended == JobStatus.FAILED else ""
    calls = woken_late(kind, start, lambda job: job.update(status=ended, error_code=code, **ENDED))
    assert calls == ["items", "one", "cleaned"]


def test_a_worker_that_wakes_while_another_works_removes_nothing(start, kind):
    assert woken_late(kind, start, lambda job: job.update(lease_owner="another")) == ["items", "one"]


def test_a_worker_that_wakes_while_a_later_job_is_about_the_same_removes_nothing(start, kind):
    def again(job):
        job.update(status=JobStatus.SUCCEEDED, **ENDED)
        start()

    assert woken_late(kind, start, again) == ["items", "one"]


def test_an_item_that_kills_its_worker_is_given_up(start, kind, settings, published):
    settings.DEID_JOB_STALLED_ATTEMPTS = 3
    job = start()
    for _ in range(3):
        assert lease.claim(job.pk)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs_sweep()
    job.refresh_from_db()
    assert (job.status, job.error_code, job.error_params) == (
        JobStatus.FAILED,
        "job.stalled",
        {"attempts": 3},
    )


def test_progress_between_kills_keeps_a_job_alive(start, kind, settings, published):
    settings.DEID_JOB_STALLED_ATTEMPTS = 2
    kind.specs = [ItemSpec(f"item-{i}") for i in range(12)]

    def killed_after_one(job, key, tick):
        if kind.calls.count(key) == 1 and key != "item-0":
            Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
            raise OperationalError

    kind.on_item = killed_after_one
    job = start()
    for _ in range(12):
        job = job_run(job.pk)
        jobs_sweep()
    assert job.status == JobStatus.SUCCEEDED
    assert job.attempts == 12


def test_sweeper_offers_what_is_lost_and_nothing_else(start, published):
    queued, lost, running, dead = (start(f"s{i}") for i in range(4))
    now = timezone.now()
    long_ago = now - timedelta(hours=1)
    Job.objects.filter(pk=queued.pk).update(offered_at=now)
    Job.objects.filter(pk=lost.pk).update(offered_at=long_ago)
    for job in (running, dead):
        lease.claim(job.pk)
    Job.objects.filter(pk=dead.pk).update(lease_until=now - timedelta(seconds=1))
    published.clear()
    jobs_sweep()
    assert set(published) == {lost.pk, dead.pk}


def test_sweeper_ends_a_dead_job_that_was_to_be_cancelled(start, kind, people, published):
    job = start()
    lease.claim(job.pk)
    job_cancel(job, by=people.executor)
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs_sweep()
    job.refresh_from_db()
    assert job.status == JobStatus.CANCELLED


def test_one_active_job_per_kind_and_subject(start):
    start()
    with pytest.raises(Refused) as refused:
        start()
    assert refused.value.verdict.code == "job_already_active"


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("executor", ""),
        ("supervisor", "not_your_role"),
        ("outsider", "not_a_member"),
        ("superuser", "not_a_member"),
    ],
)
def test_who_may_cancel(start, people, who, code):
    job = start()
    if code:
        with pytest.raises(Refused) as refused:
            job_cancel(job, by=getattr(people, who))
        assert refused.value.verdict.code == code
        job.refresh_from_db()
        assert job.status == JobStatus.QUEUED
    else:
        assert job_cancel(job, by=getattr(people, who)).status == JobStatus.CANCELLED


def test_a_colleague_in_the_same_role_may_cancel_and_nobody_a_recipients_job(start, people, project):
    """An executor has no say in what a recipient, a supervisor or a planner asked for."""
    for who in ("recipient", "supervisor", "planner"):
        job = start(subject_id=who, by=getattr(people, who))
        with pytest.raises(Refused):
            job_cancel(job, by=people.executor)
        assert job_cancel(job, by=getattr(people, who)).status == JobStatus.CANCELLED
    member_add(project, user=people.outsider, role=Role.RECIPIENT, by=people.planner)
    job = start(subject_id="theirs", by=people.recipient)
    with pytest.raises(Refused) as refused:
        job_cancel(job, by=people.outsider)
    assert refused.value.verdict.code == "job_asked_by_another"
    second = user_create(username="second", password="correct-horse-battery", full_name="Second", by=None)
    member_add(project, user=second, role=Role.EXECUTOR, by=people.planner)
    assert job_cancel(start(subject_id="shared"), by=second).status == JobStatus.CANCELLED


def test_a_removal_that_fails_leaves_the_subject_marked(start, kind, project):
    def fail(*args):
        raise RuntimeError

    kind.on_item = kind.clean = fail
    kind.on_failed = lambda job: JobItem.objects.filter(job=job).update(title="marked")
    job = job_run(start().pk)
    assert job.status == JobStatus.FAILED
    assert {item.title for item in job.items.all()} == {"marked"}
    kind.on_item = lambda *args: None
    other = start(subject_id="other")
    kind.on_failed = fail
    kind.clean = lambda job: kind.calls.append("cleaned")
    kind.on_item = fail
    assert job_run(other.pk).status == JobStatus.FAILED
    assert kind.calls[-1] == "cleaned", "what is half done is removed even where the mark failed"


@pytest.mark.parametrize("how", ["finished", "failed", "cancelled", "lost", "database"])
def test_a_worker_keeps_nothing_of_a_job_it_lets_go(start, kind, how):
    left = []
    kind.leave = lambda: left.append(how)

    def end(job, key, tick):
        if how == "failed":
            raise RuntimeError
        if how == "database":
            raise OperationalError
        if how == "cancelled":
            raise Interrupted
        if how == "lost":
            Job.objects.filter(pk=job.pk).update(lease_owner="another")

    kind.on_item = end
    job_run(start().pk)
    assert left == [how]


def test_an_ended_job_cannot_be_cancelled(start, people):
    job = job_run(start().pk)
    with pytest.raises(Refused) as refused:
        job_cancel(job, by=people.executor)
    assert refused.value.verdict.code == "job_not_active"


def test_visibility(start, people, project, kind):
    job = start()
    assert job_get(people.auditor, job.pk) == job
    for name in ("outsider", "recipient", "superuser", "administrator"):
        assert not visible_jobs(getattr(people, name)).exists()
    assert latest_job(project, "test.scripted", "subject-1") == job
    assert latest_job(project, "test.scripted", "other") is None


def test_unknown_kind_fails_and_says_so(project, people):
    from approvals.governance.draft import Subject

    job = job_start("no.such", project=project, subject=Subject("x", "1"), title="x", by=people.executor)
    job = job_run(job.pk)
    assert (job.status, job.error_code) == (JobStatus.FAILED, "job.internal")


@pytest.mark.parametrize("status", [JobStatus.QUEUED, JobStatus.RUNNING])
def test_a_clock_that_was_set_back_leaves_no_job_behind(start, published, status):
    job = start()
    ahead = timezone.now() + timedelta(hours=3)
    running = {"lease_owner": "gone", "lease_until": ahead} if status == JobStatus.RUNNING else {}
    Job.objects.filter(pk=job.pk).update(status=status, offered_at=ahead, **running)
    published.clear()
    assert jobs_sweep() == 1
    assert published == [job.pk]
    assert lease.claim(job.pk)


def test_a_job_on_a_forged_project_waits_and_the_others_do_not_wait_for_it(start, published, people):
    another = project_create(title="Another", by=people.planner)
    forged, sound = start(), start("s2", project=another, by=people.planner)
    Job.objects.update(offered_at=None)
    published.clear()
    raw_sql("UPDATE core_project SET sharing_type = 'public' WHERE id = %s", forged.project_id.hex)
    jobs_sweep()
    assert published == [sound.pk]
    assert job_run(forged.pk).status == JobStatus.RUNNING, "nothing of its end could be recorded"
