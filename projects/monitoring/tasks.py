"""What the clock asks of monitoring."""

from celery import shared_task

from .afterwards.services import later_end_all, later_open_due
from .services import reassessment_open_due


@shared_task(name="monitoring.open_due")  # type: ignore[untyped-decorator]
def open_due() -> int:
    """Open the re-assessments whose time has come, of releases in force and of those that have ended with copies out; end those of
    which none is out any more."""
    later_end_all()
    return reassessment_open_due() + later_open_due()
