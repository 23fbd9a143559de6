"""Owning a job: a lease that must be renewed, so that a killed worker's job becomes free again.

The clocks of machines that share a database must agree to well within ``DEID_JOB_LEASE_SECONDS``.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from .enums import JobStatus
from .models import Job
from .registry import Interrupted

log = logging.getLogger(__name__)

# How soon a request to cancel is noticed (seconds).
WATCH_SECONDS = 1.0
# How often the share is written at most (seconds).
TICK_SECONDS = 1.0


def _until(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.DEID_JOB_LEASE_SECONDS)


def claimable(now: datetime) -> Q:
    """Jobs that a worker may take: queued ones, and running ones whose worker let the lease run out."""
    return Q(status=JobStatus.QUEUED) | lost(now)


def lost(now: datetime) -> Q:
    """Running jobs whose lease is over, or lies further ahead than any was given: the clock was set back since."""
    over = Q(lease_until__lt=now) | Q(lease_until__gt=_until(_until(now)))
    return Q(status=JobStatus.RUNNING) & over


def claim(job_id: uuid.UUID) -> str | None:
    """Take the job with one conditional UPDATE; the owner's name, or None when somebody else has it."""
    owner = f"{socket.gethostname()[:60]}:{os.getpid()}:{secrets.token_hex(8)}"
    now = timezone.now()
    taken = (
        Job.objects.filter(claimable(now), pk=job_id)
        .order_by()
        .update(
            status=JobStatus.RUNNING,
            lease_owner=owner,
            lease_until=_until(now),
            heartbeat_at=now,
            started_at=Coalesce(F("started_at"), Value(now)),
            attempts=F("attempts") + 1,
            stalled_attempts=F("stalled_attempts") + 1,
        )
    )
    return owner if taken else None


def owned(job_id: uuid.UUID, owner: str):  # type: ignore[no-untyped-def]
    """The job's row as long as ``owner`` owns it."""
    return Job.objects.filter(pk=job_id, status=JobStatus.RUNNING, lease_owner=owner)


class Lease:
    """A claimed job: keeps the lease alive from a thread of its own and knows when to stop.

    ``with Lease(job_id, owner) as lease: … lease.check()``
    """

    def __init__(self, job_id: uuid.UUID, owner: str) -> None:
        self.job_id, self.owner = job_id, owner
        self.cancel_requested = False
        self.lost = False
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Lease:
        # Inside a transaction nobody else sees the row: there is nothing to keep alive.
        if not connection.in_atomic_block:
            self._thread = threading.Thread(target=self._beat, name=f"heart-{self.job_id}", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def check(self) -> None:
        """Raise :class:`Interrupted` when the job was cancelled or lost."""
        if self.cancel_requested or self.lost:
            raise Interrupted

    def look(self, **values: float | None) -> None:
        """Write ``values`` into the row, read what people and other workers did to it, then check."""
        rows = owned(self.job_id, self.owner)
        if values and not rows.update(**values):
            self.lost = True
        else:
            self._read()
        self.check()

    def _read(self) -> None:
        row = owned(self.job_id, self.owner).values_list("cancel_requested", flat=True).first()
        if row is None:
            self.lost = True
        elif row:
            self.cancel_requested = True

    def _beat(self) -> None:
        """Thread: renew every DEID_JOB_HEARTBEAT_SECONDS, look for a request to cancel more often."""
        renewed = time.monotonic()
        pause = min(WATCH_SECONDS, settings.DEID_JOB_HEARTBEAT_SECONDS)
        try:
            while not self._stop.wait(pause):
                try:
                    if time.monotonic() - renewed >= settings.DEID_JOB_HEARTBEAT_SECONDS:
                        now = timezone.now()
                        kept = owned(self.job_id, self.owner).update(
                            heartbeat_at=now, lease_until=_until(now)
                        )
                        self.lost = self.lost or not kept
                        renewed = time.monotonic()
                    self._read()
                except DatabaseError as error:
                    # One missed beat is no loss; the lease outlives several.
                    log.warning("job %s: heartbeat missed (%s)", self.job_id, type(error).__name__)
                    connection.close()
        finally:
            connection.close()
