"""Celery: what queries found is destroyed when its time is over."""

from __future__ import annotations

from celery import shared_task

from .services import queries_expire


@shared_task(name="enclave.expire")  # type: ignore[untyped-decorator]
def expire() -> None:
    queries_expire()
