"""What a worker does with a job: claim it, do its items in order, write its end."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.audit.rules import LogBroken
from approvals.audit.verify import stored_end_faults
from approvals.governance.serialization import serialize

from . import endings, events, lease
from .endings import stalled_error
from .enums import ItemStatus
from .memory import memory_give_back
from .models import Job, JobItem
from .registry import Interrupted, JobKind, kind_of

log = logging.getLogger(__name__)


def job_run(job_id: uuid.UUID | str) -> Job:
    """Run the job to its end, or do nothing when another worker has it or it has ended; returns the row.

    May be called for the same job any number of times, anywhere, at once: the claim decides.
    """
    key = uuid.UUID(str(job_id))
    faults = stored_end_faults()
    if faults:
        # Its end could not be recorded; the sweeper offers it when the log holds again.
        log.critical("job %s waits: %s", key, faults[0])
        return Job.objects.get(pk=key)
    owner = lease.claim(key)
    if owner is not None:
        _run_claimed(key, owner)
    return Job.objects.get(pk=key)


def _run_claimed(job_id: uuid.UUID, owner: str) -> None:
    kind: JobKind | None = None
    with lease.Lease(job_id, owner) as held:
        try:
            job = Job.objects.select_related("project", "requested_by").get(pk=job_id)
            if job.attempts > 1:
                _record_resumption(job)
            if job.stalled_attempts > settings.DEID_JOB_STALLED_ATTEMPTS:
                raise stalled_error(job)
            held.look()
            kind = kind_of(job.kind)
            _items_do(job, kind, held)
            with _still_owned(held, ends=True) as locked:
                if not locked.cancel_requested:
                    endings.end_succeeded(locked, kind)
                    return
            raise Interrupted
        except Interrupted:
            _end_interrupted(held)
        except LogBroken as broken:
            # Nothing can be recorded of it. The lease runs out; it is offered again when the log holds.
            log.critical("job %s waits: %s", job_id, broken.verdict.text)
        except (OperationalError, InterfaceError) as error:
            # The database is away or too busy: the row cannot be trusted to be written, so the lease
            # runs out and the sweeper offers the job again.
            log.warning("job %s: interrupted by the database (%s)", job_id, type(error).__name__)
        except Exception as error:  # noqa: BLE001  reported and logged in endings
            reported, internal = endings.as_engine_error(error)
            _end_with(held, lambda job: endings.end_failed(job, reported, internal=internal))
        finally:
            if kind is not None:
                kind.leave()
            memory_give_back()


@contextmanager
def _still_owned(held: lease.Lease, *, ends: bool = False) -> Iterator[Job]:
    """The job's row, locked in a transaction, while it is still ours; :class:`Interrupted` otherwise.

    The ``ends`` of a job is a governed act: it takes its turn before it locks the row.
    """
    with transaction.atomic():
        if ends:
            serialize()
        rows = lease.owned(held.job_id, held.owner)
        job = rows.select_for_update(of=("self",)).select_related("project", "requested_by").first()
        if job is None:
            held.lost = True
            raise Interrupted
        yield job


def _end_interrupted(held: lease.Lease) -> None:
    def end(job: Job) -> None:
        if job.cancel_requested:
            endings.end_cancelled(job)

    _end_with(held, end)


def _end_with(held: lease.Lease, end) -> None:  # type: ignore[no-untyped-def]
    try:
        with _still_owned(held, ends=True) as job:
            end(job)
    except Interrupted:
        log.warning("job %s: the lease was lost, another worker goes on", held.job_id)
        endings.late_work_remove(held.job_id)


def _record_resumption(job: Job) -> None:
    with recording(events.JOB_RESUMED, by=None, about=job, kind=job.kind, attempt=job.attempts):
        pass


def _items_do(job: Job, kind: JobKind, held: lease.Lease) -> None:
    items = list(job.items.all()) or _items_plan(job, kind, held)
    progress = _Progress(held, items)
    for item in items:
        if item.status == ItemStatus.DONE:
            continue
        held.look()
        # The attempt is counted before trying: an item that kills its worker leaves its trace.
        now = timezone.now()
        JobItem.objects.filter(pk=item.pk).update(
            status=ItemStatus.STARTED, attempts=F("attempts") + 1, started_at=now
        )
        output_hash = kind.run_item(job, item.key, progress.of(item)) or ""
        memory_give_back()
        with _still_owned(held) as locked:
            JobItem.objects.filter(pk=item.pk).update(
                status=ItemStatus.DONE, output_hash=output_hash, finished_at=timezone.now()
            )
            progress.done += item.weight
            locked.stalled_attempts = 0
            locked.share, locked.estimate_seconds = progress.share(), progress.estimate()
            locked.save(update_fields=["stalled_attempts", "share", "estimate_seconds"])


def _items_plan(job: Job, kind: JobKind, held: lease.Lease) -> list[JobItem]:
    """Ask the kind for the items, once."""
    specs = kind.items(job)
    if not specs:
        raise ValueError(f"job kind {job.kind} has no items")
    with _still_owned(held) as locked:
        JobItem.objects.bulk_create(
            JobItem(
                job=locked, position=i, key=s.key, title=str(s.title)[:200], params=s.params, weight=s.weight
            )
            for i, s in enumerate(specs)
        )
    return list(job.items.all())


class _Progress:
    """The share done by weight, and how long the rest will take at the pace since this worker began."""

    def __init__(self, held: lease.Lease, items: list[JobItem]) -> None:
        self.held = held
        self.total = sum(item.weight for item in items)
        self.done = sum(item.weight for item in items if item.status == ItemStatus.DONE)
        self.started, self.first_share = time.monotonic(), self.share()
        self.written = 0.0

    def share(self, within: float = 0.0) -> float:
        return min(1.0, (self.done + within) / self.total)

    def estimate(self, within: float = 0.0) -> float | None:
        """Seconds still needed, or None while there is too little to go by."""
        share, elapsed = self.share(within), time.monotonic() - self.started
        gained = share - self.first_share
        if gained <= 0.005 or elapsed < 2.0:
            return None
        return elapsed * (1.0 - share) / gained

    def of(self, item: JobItem):  # type: ignore[no-untyped-def]
        def tick(share: float) -> None:
            self.held.check()
            now = time.monotonic()
            if now - self.written >= lease.TICK_SECONDS:
                self.written = now
                within = item.weight * max(0.0, min(1.0, share))
                self.held.look(share=self.share(within), estimate_seconds=self.estimate(within))

        return tick
