"""Celery: what is destroyed leaves the store of the keys."""

from __future__ import annotations

from celery import shared_task

from .services import destroyed_leave_the_store


@shared_task(name="vault.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    destroyed_leave_the_store()
