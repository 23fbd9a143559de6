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
    CHECKS = "checks", _("Fewer checks of samples by the recipient")
    COUNTRY = "country", _("A recipient in another country or region")
    APPROVAL = "approval", _("No approval of each fetch any more")


class CheckInterval(models.IntegerChoices):
    """How often a recipient checks samples of what they hold: on receipt and, but for the first, every so many months."""

    ON_RECEIPT = 0, _("On receipt only")
    QUARTER = 3, _("On receipt and every 3 months")
    HALF_YEAR = 6, _("On receipt and every 6 months")
    YEAR = 12, _("On receipt and every 12 months")


class ChangeOutcome(models.TextChoices):
    """What became of a change that was proposed."""

    WAITING = "waiting", _("Waiting for senior management")
    APPROVED = "approved", _("Approved")
    REFUSED = "refused", _("Refused")
    REPLACED = "replaced", _("Replaced by a later proposal")


class PublicationStatus(models.TextChoices):
    """How far a publication of a completely public release has come."""

    WAITING = "waiting", _("Waiting for the supervisor")
    REPLACED = "replaced", _("Replaced by a later proposal")
    REFUSED = "refused", _("Refused")
    VERIFYING = "verifying", _("The seal is being verified")
    LIVE = "live", _("Published")
    STOPPED = "stopped", _("Not published: the seal was not verified")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    LAPSED = "lapsed", _("Ended with its release before it was decided")


class Availability(models.TextChoices):
    """Whether the address of a publication hands anything out, and why not."""

    UP = "up", _("The files can be downloaded.")
    WITHDRAWN = "withdrawn", _("This publication has been withdrawn.")
    ENDED = "ended", _("The release has ended; its data are no longer handed out.")
    SUSPENDED = "suspended", _("The data are being examined and are not handed out at present.")
    BROKEN = "broken", _("What is stored is not what was published, so nothing is handed out.")
