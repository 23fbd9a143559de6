"""Vocabulary of the records of staff."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.workflow import Role

ROLES = (Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT)
"""The roles whose holders the catalogue of posts may ask something of; who only receives is bound by the agreement."""


class RecordKind(models.TextChoices):
    """What is recorded about a person (6.2 b to d)."""

    BACKGROUND = "background", _("Background check")
    AGREEMENT = "agreement", _("Confidentiality agreement")
    TRAINING = "training", _("Training with a test")


class TrainingStatus(models.TextChoices):
    PLANNED = "planned", _("Planned")
    HELD = "held", _("Held")
    CANCELLED = "cancelled", _("Cancelled")


class AttendanceOutcome(models.TextChoices):
    """What is recorded of somebody whom a training was for."""

    PASSED = "passed", _("Passed the test")
    FAILED = "failed", _("Did not pass the test")
    ABSENT = "absent", _("Was absent")
