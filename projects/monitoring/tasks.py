"""What the clock asks of monitoring."""

from celery import shared_task

from .services import reassessment_open_due


@shared_task(name="monitoring.open_due")  # type: ignore[untyped-decorator]
def open_due() -> int:
    """Open the re-assessments whose time has come."""
    return reassessment_open_due()
