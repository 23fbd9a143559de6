"""Vocabulary of releases."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class DeliveryStatus(models.TextChoices):
    """How far one delivery to one recipient has come."""

    VERIFYING = "verifying", _("The seal is being verified")
    READY = "ready", _("Ready to be fetched")
    FETCHED = "fetched", _("Fetched")
    REFUSED = "refused", _("Refused: the seal is broken")
    EXPIRED = "expired", _("Expired")


class TermsChanged(models.TextChoices):
    """What of a release that was signed a change of its recipients would alter."""

    RECIPIENT = "recipient", _("A recipient who was not named when the release was signed")
    AGAIN = "again", _("A new agreement with a recipient whose agreement was ended")
    PURPOSE = "purpose", _("Another purpose")
    TERM = "term", _("A longer term")


class ChangeOutcome(models.TextChoices):
    """What became of a change that was proposed."""

    WAITING = "waiting", _("Waiting for senior management")
    APPROVED = "approved", _("Approved")
    REFUSED = "refused", _("Refused")
    REPLACED = "replaced", _("Replaced by a later proposal")
