"""Vocabulary of findings (GB/T 37964 5.6.1, 6.1 c; T/ISC 0078 12.3 c, d)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class FindingSource(models.TextChoices):
    """In which act it was found."""

    REVIEW = "review", _("Review of a stage")
    ASSESSMENT = "assessment", _("Audit or external assessment")
    SPOT_CHECK = "spot_check", _("Spot check")
    REASSESSMENT = "reassessment", _("Re-assessment of the release")
    RECEIVED = "received", _("Sample checked by a recipient")
    RESULT = "result", _("Sample of the result that the supervisor looked through")
    MANAGEMENT = "management", _("Review by senior management")
    OTHER = "other", _("Day-to-day work")

    @classmethod
    def of_samples(cls) -> tuple[FindingSource, ...]:
        """Whose titles are kinds of what was found, and are translated."""
        return (cls.RECEIVED, cls.RESULT)


class FindingSeverity(models.TextChoices):
    """How much hangs on it."""

    MINOR = "minor", pgettext_lazy("of a finding", "Minor")
    MAJOR = "major", pgettext_lazy("of a finding", "Major")
    CRITICAL = "critical", pgettext_lazy("of a finding", "Critical")


class FindingStatus(models.TextChoices):
    """How far it has come."""

    OPEN = "open", _("To be put right")
    ACTED = "acted", _("Put right, its effect to be checked")
    CLOSED = "closed", _("Closed, the effect was checked")


class StepKind(models.TextChoices):
    """What was done about a finding."""

    ASSIGNED = "assigned", _("Owner and day set")
    ACTION = "action", _("Corrective action")
    EFFECTIVE = "effective", _("Checked: effective")
    INEFFECTIVE = "ineffective", _("Checked: not effective")


class CheckResult(models.TextChoices):
    """What a spot check of one step found."""

    OPEN = "open", _("To be checked")
    SOUND = "sound", _("Complete and sound")
    DEVIATING = "deviating", _("A finding was raised")
