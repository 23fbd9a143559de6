"""What the clock asks of messages."""

from celery import shared_task

from .telling.collecting import collect
from .telling.delivering import deliver


@shared_task(name="messaging.run")  # type: ignore[untyped-decorator]
def run() -> None:
    """Find out what is to be told, and send it."""
    collect()
    deliver()
