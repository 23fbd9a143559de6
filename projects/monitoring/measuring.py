"""Asking for the measurement of a released file."""

from __future__ import annotations

from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.jobs.enums import ACTIVE
from projects.jobs.models import Job
from projects.jobs.services import job_start
from techniques.core.messages import gettext_noop

from .models import Reassessment

MEASURE_JOB = "monitoring.measure"


def reassessment_measure_start(reassessment: Reassessment, *, by: Person, by_portal: bool = False) -> Job:
    return job_start(
        MEASURE_JOB,
        project=reassessment.project,
        subject=Subject("reassessment", str(reassessment.pk), str(reassessment)),
        title=gettext_noop("Measure the release again"),
        by=by,
        by_portal=by_portal,
    )


def reassessment_measure_due(reassessment: Reassessment, *, by: Person) -> None:
    """The portal has it measured again for ``by``, unless that is under way."""
    waiting = Job.objects.filter(kind=MEASURE_JOB, subject_id=str(reassessment.pk), status__in=ACTIVE)
    if not waiting.exists():
        reassessment_measure_start(reassessment, by=by, by_portal=True)
