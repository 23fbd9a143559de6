"""Putting "look at job N" on the broker. The message may be lost; the sweeper puts it there again."""

from __future__ import annotations

import logging
import uuid

from celery import current_app
from django.utils import timezone

from .models import Job

log = logging.getLogger(__name__)


def publish(job_id: uuid.UUID) -> bool:
    """Offer the job to the workers; False when the broker cannot be reached just now."""
    Job.objects.filter(pk=job_id).update(offered_at=timezone.now())
    try:
        current_app.send_task("jobs.run", args=[str(job_id)], retry=False)
    except Exception as error:  # noqa: BLE001  whatever the transport raises: the sweeper tries again
        log.warning("job %s could not be offered (%s); the sweeper will", job_id, type(error).__name__)
        return False
    return True
