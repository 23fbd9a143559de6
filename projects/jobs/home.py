"""What of the jobs stands on a person's home page: those that they asked for and that are going on."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from projects.core.tasks_registry import Running, running_provider

from .enums import ACTIVE
from .models import Job

SHOWN = 10


@running_provider
def my_running_jobs(user: Any) -> list[Running]:
    jobs = Job.objects.filter(requested_by=user, status__in=ACTIVE).select_related("project")[:SHOWN]
    return [
        Running(
            title=job.title_text,
            url=reverse("jobs:detail", kwargs={"job_id": job.pk}),
            project=str(job.project or ""),
            percent=job.percent,
        )
        for job in jobs
    ]
