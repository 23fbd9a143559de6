"""The site: settings, URLs, accounts and the organisation around the projects."""

from .celery import app as celery_app

__all__ = ["celery_app"]
