"""What of the jobs stands on a person's home page: those that they asked for and that are going on."""

from __future__ import annotations

from django.urls import reverse

from approvals.governance.person import Person
from projects.core.tasks_registry import Running, running_provider

from .enums import ACTIVE
from .selectors import visible_jobs

SHOWN = 10


@running_provider
def my_running_jobs(user: Person) -> list[Running]:
    # A recipient may ask for a job whose page they do not see; it shows on the page of their delivery.
    jobs = visible_jobs(user).filter(requested_by=user, status__in=ACTIVE)[:SHOWN]
    return [
        Running(
            title=job.title_text,
            url=reverse("jobs:detail", kwargs={"job_id": job.pk}),
            project=str(job.project or ""),
            percent=job.percent,
        )
        for job in jobs
    ]
