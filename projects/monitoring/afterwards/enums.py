"""Vocabulary of re-assessments after a release has ended."""

from django.db import models
from django.utils.translation import gettext_lazy as _

LATER_MEASURE_JOB = "monitoring.measure_later"


class LaterOutcome(models.TextChoices):
    """What a re-assessment of the copies that are out concludes."""

    NOTHING = "nothing", _("Nothing to do until the next re-assessment")
    RECALL = "recall", _("Ask the recipients again to destroy or return their copies")
    INCIDENT = "incident", _("Report an incident")


class Question(models.TextChoices):
    """What no figure shows, and the supervisor answers with yes or no."""

    DATA = "data", _("Have other data about these persons become known since?")
    TECHNIQUES = "techniques", _("Are there new techniques of re-identification?")
    SURROUNDINGS = "surroundings", _("Have the surroundings of the recipients changed?")
    MISUSE = "misuse", _("Are there signs of misuse?")
