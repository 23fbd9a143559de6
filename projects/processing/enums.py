"""Vocabulary of processing (GB/T 37964 5.4)."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class RunStatus(models.TextChoices):
    """How far a run of a recipe has come."""

    RUNNING = "running", _("Running")
    SUCCEEDED = "succeeded", _("Succeeded")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


class RunEngine(models.TextChoices):
    """Where a run takes place, in the words of ``deid run --engine``."""

    LOCAL = "local", _("On this server")
    SPARK = "spark", _("On the cluster")
