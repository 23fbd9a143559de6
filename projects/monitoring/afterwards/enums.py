"""Vocabulary of re-assessments after a release has ended."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

LATER_MEASURE_JOB = "monitoring.measure_later"


class LaterOutcome(models.TextChoices):
    """What a re-assessment of the copies that are out concludes."""

    NOTHING = "nothing", _("Nothing to do until the next re-assessment")
    RECALL = "recall", _("Ask the recipients again to destroy or return their copies")
    INCIDENT = "incident", _("Report an incident")
    ENDED = "ended", _("Ended by itself")


CONCLUSIONS = [(one.value, one.label) for one in LaterOutcome if one != LaterOutcome.ENDED]
"""What a person may conclude."""
NONE_LEFT = gettext_noop("No copy is out any more: the destruction of every one was stated.")
"""The reason of what ends by itself, as it is kept."""


class Question(models.TextChoices):
    """What no figure shows, and the supervisor answers with yes or no."""

    DATA = "data", _("Have other data about these persons become known since?")
    TECHNIQUES = "techniques", _("Are there new techniques of re-identification?")
    SURROUNDINGS = "surroundings", _("Have the surroundings of the recipients changed?")
    MISUSE = "misuse", _("Are there signs of misuse?")
