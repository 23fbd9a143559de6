"""Celery: keep the store tidy, and the drafts."""

from __future__ import annotations

from typing import Any

from celery import current_app, shared_task
from celery.signals import worker_ready

from projects.core.drafts.services import drafts_expire

from .store.sweeping import store_sweep


@shared_task(name="datasets.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    """What was begun and never finished: files, and drafts of forms."""
    store_sweep()
    drafts_expire()


@worker_ready.connect  # type: ignore[untyped-decorator]
def sweep_at_start(**kwargs: Any) -> None:
    """A worker that starts may follow one that was killed."""
    try:
        current_app.send_task("datasets.sweep", retry=False)
    except Exception:  # noqa: BLE001  the beat will ask again
        return
