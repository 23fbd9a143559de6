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
