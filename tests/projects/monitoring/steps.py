"""A change that is reported, and the re-assessment that it leads to."""

from __future__ import annotations

from django.utils import timezone

from projects.monitoring.enums import ChangeKind
from projects.monitoring.models import Reassessment
from projects.monitoring.services import change_report


def reported(monitored, people, kind=ChangeKind.SYSTEM) -> Reassessment:
    """Measured by the time that this returns."""
    made = change_report(
        monitored.project,
        kind=kind,
        description="New servers.",
        happened_on=timezone.localdate(),
        by=people.planner,
    )
    monitored.run_jobs()
    made.refresh_from_db()
    return made
