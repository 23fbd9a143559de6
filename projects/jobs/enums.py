"""Vocabulary about jobs."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class JobStatus(models.TextChoices):
    """Where a job stands; the last three are final."""

    QUEUED = "queued", pgettext_lazy("job", "Queued")
    RUNNING = "running", pgettext_lazy("job", "Running")
    SUCCEEDED = "succeeded", _("Finished")
    FAILED = "failed", pgettext_lazy("job", "Failed")
    CANCELLED = "cancelled", pgettext_lazy("job", "Cancelled")


class ItemStatus(models.TextChoices):
    """Where one item of a job stands. A started item of a lost worker is started again."""

    WAITING = "waiting", pgettext_lazy("job", "Waiting")
    STARTED = "started", pgettext_lazy("job", "Running")
    DONE = "done", _("Finished")


ACTIVE = (JobStatus.QUEUED, JobStatus.RUNNING)
