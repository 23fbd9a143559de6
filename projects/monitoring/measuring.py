"""Asking for the measurement of a released file."""

from __future__ import annotations

from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.jobs.models import Job
from projects.jobs.services import job_start
from techniques.core.messages import gettext_noop

from .models import Reassessment

MEASURE_JOB = "monitoring.measure"


def reassessment_measure_start(reassessment: Reassessment, *, by: Person) -> Job:
    return job_start(
        MEASURE_JOB,
        project=reassessment.project,
        subject=Subject("reassessment", str(reassessment.pk), str(reassessment)),
        title=gettext_noop("Measure the release again"),
        by=by,
    )
