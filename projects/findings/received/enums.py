"""Vocabulary of the samples that recipients check (T/ISC 0078 11.2 e)."""

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ..enums import FindingSeverity

READ_JOB = "findings.received_sample"


class SampleOutcome(models.TextChoices):
    """How far a sample of a recipient has come; only those of an enclave are read by the portal."""

    READING = "reading", _("Its records are being read")
    OPEN = "open", _("To be reported")
    NOTHING = "nothing", _("Nothing was found")
    FOUND = "found", _("Something was found")
    FAILED = "failed", pgettext_lazy("sample of a result", "Its records could not be read")


class DeviationKind(models.TextChoices):
    """What a recipient found in a sample, or knows of the data that it was drawn from."""

    RECOGNISED = "recognised", _("Somebody was recognised")
    IDENTIFIER = "identifier", _("An identifier was left in")
    ADDED = "added", _("Identifiers were added to the data, or rows were assigned to persons")
    CONTENT = "content", _("The content is other than described")
    OTHER = "other", pgettext_lazy("found in a sample", "Something else")

    @property
    def severity(self) -> FindingSeverity:
        """How much hangs on it until somebody of the project knows more."""
        if self in (DeviationKind.RECOGNISED, DeviationKind.ADDED):
            return FindingSeverity.CRITICAL
        return FindingSeverity.MAJOR if self is DeviationKind.IDENTIFIER else FindingSeverity.MINOR


class RemedyKind(models.TextChoices):
    """What a recipient did with the data."""

    DELETED = "deleted", pgettext_lazy("by a recipient", "Deleted")
    TREATED = "treated", pgettext_lazy("by a recipient", "De-identified anew")
    RETURNED = "returned", pgettext_lazy("by a recipient", "Returned")
    KEPT = "kept", pgettext_lazy("by a recipient", "Left as they are, for the reason stated")
    UNCLEAR = "unclear", pgettext_lazy("by a recipient", "Not known: the recipient cannot be reached")

    @classmethod
    def of_recipient(cls) -> list[tuple[str, Promise]]:
        """What a recipient may say; that nothing is known is said by somebody else."""
        return [(one.value, one.label) for one in cls if one is not cls.UNCLEAR]


class RemedyState(models.TextChoices):
    """How far a remedy has come."""

    WAITING = "waiting", _("To be confirmed")
    CONFIRMED = "confirmed", _("Confirmed")
    AGAIN = "again", _("Asked again")
