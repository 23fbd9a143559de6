"""A row that a job fills: queued with its job, locked when the job is done, ended whole or broken off."""

from __future__ import annotations

from typing import Any, TypeVar

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from projects.core.models import Project

from .models import Job, JobResult
from .services import job_about

Result = TypeVar("Result", bound=JobResult)


def result_number(model: type[JobResult], project: Project) -> int:
    """The number that comes next in ``project``, from 1; the caller holds the project's lock."""
    rows: Any = model.objects
    last = rows.filter(project=project).order_by("-number").first()
    return last.number + 1 if last else 1


def result_queue(
    result: JobResult,
    job_kind: str,
    *,
    title: str,
    by: Person,
    params: dict[str, Any] | None = None,
    by_portal: bool = False,
) -> Job:
    job = job_about(result, job_kind, title=title, by=by, params=params, by_portal=by_portal)
    result.job_id = job.pk
    result.save()
    return job


def result_lock(result: Result, *related: str) -> Result:
    """``result`` as it stands in the database, locked, with its project."""
    rows: Any = type(result).objects
    found: Result = rows.select_for_update(of=("self",)).select_related("project", *related).get(pk=result.pk)
    return found


def result_end(result: JobResult) -> None:
    """What the job measured is in ``result`` and whole: keep it."""
    result.measured_at = result.ended_at = timezone.now()
    result.save()


def result_break_off(result: JobResult, action: str, *, code: str) -> None:
    """Record that the job failed or was cancelled, as ``action``: there is nothing, not even a part."""
    with recording(action, by=None, about=result, code=code):
        type(result).objects.filter(pk=result.pk).update(ended_at=timezone.now())
