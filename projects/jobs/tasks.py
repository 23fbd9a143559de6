"""Celery: fetch by id, call a service."""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app, shared_task
from celery.signals import worker_ready

from .services import job_run, jobs_sweep

log = logging.getLogger(__name__)


@shared_task(name="jobs.run")  # type: ignore[untyped-decorator]
def run(job_id: str) -> None:
    job_run(job_id)


@shared_task(name="jobs.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    jobs_sweep()


@worker_ready.connect  # type: ignore[untyped-decorator]
def sweep_at_start(**kwargs: Any) -> None:
    """What was lost while no worker and no beat ran is found at once."""
    try:
        current_app.send_task("jobs.sweep", retry=False)
    except Exception as error:  # noqa: BLE001  the beat will ask again
        log.warning("the first sweep could not be asked for (%s)", type(error).__name__)
