"""Reading jobs."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from approvals.governance.person import Person
from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.core.selectors import visible_projects

from .models import Job


def visible_jobs(user: Person) -> QuerySet[Job]:
    """Jobs of the projects that ``user`` may see, and those that they asked for outside any project."""
    if not user.is_authenticated or not user.is_active:
        return Job.objects.none()
    return Job.objects.filter(
        Q(project__in=visible_projects(user).values("pk")) | Q(project=None, requested_by=user)
    ).select_related("project", "requested_by")


def job_get(user: Person, job_id: uuid.UUID) -> Job:
    """The job if ``user`` may see it; else ``Job.DoesNotExist``."""
    return visible_jobs(user).get(pk=job_id)


def jobs_of(project: Project) -> QuerySet[Job]:
    return Job.objects.filter(project=project).select_related("requested_by", "project")


def latest_jobs(project: Project, kinds: Iterable[str], subject_id: Any) -> dict[str, Job]:
    """The youngest job of each kind about one subject, with one statement."""
    about = Job.objects.filter(project=project, kind=OuterRef("kind"), subject_id=str(subject_id))
    jobs = jobs_of(project).filter(kind__in=list(kinds), pk=Subquery(about.values("pk")[:1]))
    return {job.kind: job for job in jobs}


@cached_read
def jobs_about(project: Project, kinds: tuple[str, ...]) -> dict[str, uuid.UUID]:
    """Subject → the youngest job of these kinds about it, for a list of subjects."""
    jobs = Job.objects.filter(project=project, kind__in=kinds).order_by("created_at")
    return dict(jobs.values_list("subject_id", "pk"))


def latest_job(project: Project, kind: str, subject_id: Any = None) -> Job | None:
    """The youngest job of ``kind`` in ``project``, about ``subject_id`` when given."""
    jobs = jobs_of(project).filter(kind=kind)
    if subject_id is not None:
        jobs = jobs.filter(subject_id=str(subject_id))
    return jobs.first()
