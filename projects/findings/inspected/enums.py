"""Vocabulary of the samples of a result that the supervisor looks through (T/ISC 0078 8.1 c)."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ..enums import FindingSeverity

READ_JOB = "findings.result_sample"


class SampleUnit(models.TextChoices):
    """What is drawn: a person with all their rows where the run knows whose rows are whose, else a record."""

    RECORD = "record", pgettext_lazy("drawn from a result", "Records")
    PERSON = "person", pgettext_lazy("drawn from a result", "Persons")


class InspectionOutcome(models.TextChoices):
    """How far a sample of a result has come."""

    READING = "reading", _("Its records are being read")
    OPEN = "open", _("To be looked through")
    NOTHING = "nothing", _("Nothing was found")
    FOUND = "found", _("Something was found")
    FAILED = "failed", pgettext_lazy("sample of a result", "Its records could not be read")


class InspectionKind(models.TextChoices):
    """What may be found in the records of a result."""

    NAMED = "named", _("A value that names somebody")
    COMBINATION = "combination", _("A combination of values by which somebody is recognised")
    DAMAGED = "damaged", _("A value that is wrong or damaged")
    UNFIT = "unfit", _("A value that does not serve the purpose")

    @property
    def severity(self) -> FindingSeverity:
        """How much hangs on it until somebody of the project knows more."""
        if self is InspectionKind.NAMED:
            return FindingSeverity.CRITICAL
        return FindingSeverity.MAJOR if self is InspectionKind.COMBINATION else FindingSeverity.MINOR
