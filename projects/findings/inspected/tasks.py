"""Celery: rows that were read for a sample, of a result or in an enclave, are destroyed when their time is over."""

from __future__ import annotations

from celery import shared_task

from ..received.inside.services import received_expire
from .services import results_expire


@shared_task(name="findings.expire")  # type: ignore[untyped-decorator]
def expire() -> None:
    results_expire()
    received_expire()
