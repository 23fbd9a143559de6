"""Celery: the anchor that leaves the machine by itself."""

from celery import shared_task

from .anchors import anchors_send


@shared_task(name="audit.anchor")  # type: ignore[untyped-decorator]
def anchor() -> None:
    anchors_send()
