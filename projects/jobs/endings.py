"""How a job ends: the status is written last, in the transaction that writes what follows from it."""

from __future__ import annotations

import logging
import secrets
import uuid
from collections.abc import Callable

from django.db import transaction
from django.utils import timezone, translation

from approvals.audit.recording import recording
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import Refused
from techniques.core.messages import EngineError, gettext_noop

from . import events
from .enums import ACTIVE, JobStatus
from .models import Job
from .registry import JobKind, kind_of

log = logging.getLogger(__name__)


def end_succeeded(job: Job, kind: JobKind) -> None:
    """Commit the kind's outcome and the job's end together. ``job`` is locked by the caller."""
    with recording(events.JOB_FINISHED, by=None, about=job, kind=job.kind):
        kind.finish(job)
        _close(job, JobStatus.SUCCEEDED, share=1.0)


def end_cancelled(job: Job) -> None:
    """End a job that somebody cancelled; its kind removes what was half done."""
    with recording(events.JOB_CANCELLED, by=None, about=job, kind=job.kind):
        _inform_kind(job, lambda kind: kind.cancelled(job))
        _close(job, JobStatus.CANCELLED)


def end_failed(job: Job, error: EngineError, *, internal: bool = False) -> None:
    """End a job that cannot go on, with the reason that its reader sees."""
    with recording(events.JOB_FAILED, by=None, about=job, kind=job.kind, code=error.code):
        _inform_kind(job, lambda kind: kind.failed(job, None if internal else error))
        job.error_code = error.code[:80]
        job.error_message = error.message
        job.error_params = {key: _plain(value) for key, value in error.params.items()}
        _close(job, JobStatus.FAILED)


def as_engine_error(error: BaseException) -> tuple[EngineError, bool]:
    """The error as a reader may see it, and whether it is an internal fault. An unexpected exception may carry a
    value in its text, so the reader gets a reference, the log gets the place in the code, and neither gets the text.
    """
    if isinstance(error, EngineError):
        return error, False
    if isinstance(error, Refused):
        verdict = error.verdict
        with translation.override(None):
            message = "" if verdict.reason is None else str(verdict.reason.label)
        return EngineError(verdict.code or "refused", message, **verdict.params), False
    reference = secrets.token_hex(4)
    log.error("internal fault, reference %s", reference, exc_info=error)
    message = gettext_noop("The work stopped because of an internal fault. Reference: %(reference)s")
    return EngineError("job.internal", message, reference=reference), True


def _inform_kind(job: Job, inform: Callable[[JobKind], None]) -> None:
    """A kind that fails while it cleans up must neither keep its job from ending nor leave its subject open.

    So the mark on the subject and the removal of half-done work succeed or fail each by itself.
    """
    for step in (inform, lambda kind: kind.clean(job)):
        _attempt(job, step)


def late_work_remove(job_id: uuid.UUID) -> None:
    """Remove what a worker wrote for a job that others had brought to its end meanwhile.

    While any job about the same subject is active nothing is removed: it may share the workspace.
    """
    with governed_act():
        job = Job.objects.get(pk=job_id)
        if not Job.objects.filter(subject_id=job.subject_id, status__in=ACTIVE).exists():
            _attempt(job, lambda kind: kind.clean(job))


def _attempt(job: Job, step: Callable[[JobKind], None]) -> None:
    try:
        with transaction.atomic():
            step(kind_of(job.kind))
    except Exception as error:
        log.error("job %s: cleaning up failed", job.pk, exc_info=error)  # noqa: TRY400


def _close(job: Job, status: JobStatus, share: float | None = None) -> None:
    job.status, job.finished_at = status, timezone.now()
    job.lease_owner, job.lease_until, job.estimate_seconds = "", None, None
    if share is not None:
        job.share = share
    job.save()


def _plain(value: object) -> str | int | float | bool | None:
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)


def stalled_error(job: Job) -> EngineError:
    text = gettext_noop(
        "The work was given up: its worker stopped %(attempts)s times in a row without finishing a "
        "single further part. Often the machine has too little memory for this data."
    )
    return EngineError("job.stalled", text, attempts=job.stalled_attempts)
