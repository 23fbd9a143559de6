"""The only writer of jobs.

``job_start`` writes the row and, on commit, offers it to the workers; ``job_run`` is what a worker
does with it; ``jobs_sweep`` finds what was lost on the way.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.audit.rules import LogBroken
from approvals.audit.verify import stored_end_faults
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.models import Project

from . import events, rules
from .endings import end_cancelled, end_failed, stalled_error
from .enums import ACTIVE, JobStatus
from .lease import lost
from .models import Job
from .publishing import publish
from .runner import job_run

__all__ = ["job_cancel", "job_run", "job_start", "jobs_sweep"]

log = logging.getLogger(__name__)


class AboutProject(Protocol):
    """A row that jobs are about, in the project that it belongs to."""

    @property
    def subject(self) -> Subject: ...

    @property
    def project(self) -> Project: ...


def job_start(
    kind: str,
    *,
    project: Project | None,
    subject: Subject,
    title: Any,
    by: Person,
    params: dict[str, Any] | None = None,
    by_portal: bool = False,
) -> Job:
    """Queue a job of ``kind`` about ``subject``; the caller has checked its own rule. ``by_portal``: the portal starts it by
    itself, for ``by``, whose job it is; the log does not say that they did.

    ``title`` is a message id (``gettext_noop``) or a lazy translation; ``params`` small JSON without
    personal data. Denied while a job of the same kind about the same subject is active.
    """
    with recording(
        events.JOB_STARTED,
        by=None if by_portal else by,
        subject=Subject(subject.kind, subject.id, subject.label, subject.hash),
        project_id=project.pk if project else None,
        kind=kind,
    ) as event:
        if Job.objects.filter(kind=kind, subject_id=subject.id, status__in=ACTIVE).exists():
            deny(rules.JobReason.ALREADY_ACTIVE).require()
        with translation.override(None):
            message_id = str(title)
        job = Job.objects.create(
            kind=kind,
            project=project,
            subject_kind=subject.kind,
            subject_id=subject.id,
            subject_label=subject.label[:200],
            title=message_id[:200],
            params=params or {},
            requested_by=by,
        )
        event.facts["job"] = str(job.pk)
        transaction.on_commit(lambda: publish(job.pk))
        return job


def job_about(
    row: AboutProject,
    kind: str,
    *,
    title: Any,
    by: Person,
    params: dict[str, Any] | None = None,
    by_portal: bool = False,
) -> Job:
    """Queue a job about ``row``, which has a project and a subject."""
    about: dict[str, Any] = {"project": row.project, "subject": row.subject, "title": title}
    return job_start(kind, **about, params=params, by=by, by_portal=by_portal)


def job_cancel(job: Job, *, by: Person) -> Job:
    """Ask for a job to stop. A queued job is cancelled at once, a running one by its worker within seconds."""
    with governed_act():
        with recording(events.JOB_CANCEL_REQUESTED, by=by, about=job, kind=job.kind):
            job = Job.objects.select_for_update(of=("self",)).get(pk=job.pk)
            rules.may_cancel(by, job).require()
            job.cancel_requested, job.cancelled_by = True, by
            job.save(update_fields=["cancel_requested", "cancelled_by"])
        if job.status == JobStatus.QUEUED:
            end_cancelled(job)
    job.refresh_from_db()
    return job


def jobs_sweep() -> int:
    """Offer jobs again that may be lost, end those that cannot go on; returns how many jobs were touched.

    Queued jobs are offered again when their message is older than a lease, running ones when their
    lease ran out. None while the audit log does not hold. Works whatever was down meanwhile: everything is read from the rows.
    """
    if stored_end_faults():
        return 0
    now = timezone.now()
    lease = timedelta(seconds=settings.DEID_JOB_LEASE_SECONDS)
    # What lies further ahead than anybody writes it was written before the clock was set back.
    stale, ahead = now - lease, now + 2 * lease
    offered_long_ago = Q(offered_at=None) | Q(offered_at__lt=stale) | Q(offered_at__gt=ahead)
    waiting = Q(status=JobStatus.QUEUED) & offered_long_ago
    touched = 0
    for job in Job.objects.filter(waiting | lost(now)).order_by("created_at"):
        try:
            touched += _job_sweep(job, now, stale, ahead)
        except LogBroken as broken:
            # It waits; the others do not wait for it.
            log.critical("job %s is not offered again: %s", job.pk, broken.verdict.text)
    return touched


def _job_sweep(job: Job, now: datetime, stale: datetime, ahead: datetime) -> bool:
    with governed_act():
        fresh = Job.objects.select_for_update(of=("self",)).filter(pk=job.pk).first()
        if fresh is None or (fresh.status, fresh.lease_owner) != (job.status, job.lease_owner):
            return False
        if fresh.lease_until is not None and now <= fresh.lease_until <= ahead:
            return False
        explained_require(job.project_id, by=None)
        if fresh.cancel_requested:
            end_cancelled(fresh)
            return True
        if fresh.stalled_attempts >= settings.DEID_JOB_STALLED_ATTEMPTS:
            end_failed(fresh, stalled_error(fresh))
            return True
    offered = fresh.offered_at
    # Message and lease of a running job: a lost worker's job is offered at once, then once a lease.
    lately = offered is not None and stale <= offered <= ahead
    if not lately or (offered and fresh.lease_until and offered < fresh.lease_until):
        publish(fresh.pk)
    return True
