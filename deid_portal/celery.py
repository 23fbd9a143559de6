"""The Celery application.

The broker only carries "look at job N": a job's truth is its row in ``projects.jobs``, because a
broker without a server loses the message of a worker that is killed.
"""

import gc
import os
from importlib import import_module
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init

from . import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deid_portal.settings")
# Django's checks load every page and form, which no worker needs: half the time of its start. `make check` runs them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
# Milliseconds until Arrow's pool (mimalloc) gives freed pages back, a second by itself: what one column or batch leaves in that time is
# added to the peak of the next. Processes of the web have it too, and nothing to give back.
os.environ.setdefault("MIMALLOC_PURGE_DELAY", "10")

broker.register()
app = Celery("deid_portal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect  # type: ignore[untyped-decorator]
@beat_init.connect  # type: ignore[untyped-decorator]
def _keys_first(**kwargs: Any) -> None:
    """A signal's receiver cannot stop Celery by an exception, but by ending the process."""
    from django.core.exceptions import ImproperlyConfigured

    from projects.vault.checks import require_keys

    try:
        require_keys()
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None


@worker_init.connect  # type: ignore[untyped-decorator]
def _engine_first(**kwargs: Any) -> None:
    """A process that does jobs is replaced after one of much memory. What nearly every job loads is loaded before they are made: they
    share it, and none spends half a second on it."""
    import_module("techniques.engines.joint")
    # No collection of a process writes into what it shares.
    gc.freeze()
