"""Celery: keep the store tidy."""

from __future__ import annotations

from typing import Any

from celery import current_app, shared_task
from celery.signals import worker_ready

from .store.sweeping import store_sweep


@shared_task(name="datasets.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    store_sweep()


@worker_ready.connect  # type: ignore[untyped-decorator]
def sweep_at_start(**kwargs: Any) -> None:
    """A worker that starts may follow one that was killed."""
    try:
        current_app.send_task("datasets.sweep", retry=False)
    except Exception:  # noqa: BLE001  the beat will ask again
        return
