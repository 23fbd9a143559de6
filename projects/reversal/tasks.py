"""Celery: answers whose time is over are destroyed."""

from __future__ import annotations

from celery import shared_task

from .services import reversals_expire


@shared_task(name="reversal.expire")  # type: ignore[untyped-decorator]
def expire() -> None:
    reversals_expire()
