"""Celery looks for the tasks of a package here."""

from .inspected import tasks  # noqa: F401
