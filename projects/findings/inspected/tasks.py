"""Celery: rows that were read for a sample of a result are destroyed when their time is over."""

from __future__ import annotations

from celery import shared_task

from .services import results_expire


@shared_task(name="findings.expire")  # type: ignore[untyped-decorator]
def expire() -> None:
    results_expire()
