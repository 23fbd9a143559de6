"""Vocabulary of monitoring and review (GB/T 37964 5.6)."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ChangeKind(models.TextChoices):
    """The changes that call for a re-assessment: GB/T 37964 5.6.2 a–d and 4.2 a, T/ISC 0078 11.1 c and d."""

    RECIPIENT = "recipient", _("The users of the data changed")
    SYSTEM = "system", _("The target system changed")
    ENVIRONMENT = "environment", _("The security environment changed")
    NEW_DATA = "new_data", _("New de-identified data were published")
    PROCESSING = "processing", _("A new processing activity began")
    RULES = "rules", _("Laws, standards or policies changed")
    INCIDENT = "incident", _("An incident happened")
    SEAL = "seal", _("The released data are not what was sealed")
    IDENTIFIERS = "identifiers", _("Identifiers were added to the released data")
    ROLLBACK = "rollback", _("De-identification was undone for some of the data")


class ReassessmentOutcome(models.TextChoices):
    """What a re-assessment concludes."""

    KEEP = "keep", _("The risk is still acceptable: keep the release")
    SUSPEND = "suspend", _("Suspend the release")
    VERIFY = "verify", _("Verify again")
    PROCESS = "process", _("Process again")


class AmendmentKind(models.TextChoices):
    """What of the yardstick of a live release an amendment replaces (5.6.2)."""

    TARGETS = "targets", _("Risk targets")
    SURROUNDINGS = "surroundings", _("Surroundings of the data")
    COLUMNS = "columns", _("What columns are")


class AmendmentOutcome(models.TextChoices):
    """Where an amendment stands; only an approved one counts."""

    WAITING = "waiting", _("Awaits its review")
    REVIEWED = "reviewed", _("Awaits its decision")
    APPROVED = "approved", _("Approved")
    REFUSED = "refused", _("Refused")
    REPLACED = "replaced", _("Replaced by a later proposal")
    LAPSED = "lapsed", _("Lapsed: the re-assessment was concluded first")


OPEN_AMENDMENTS = (AmendmentOutcome.WAITING, AmendmentOutcome.REVIEWED)
