"""Vocabulary of the register of organisations."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class PartyKind(models.TextChoices):
    """What an organisation is to us."""

    OWN = "own", _("Our own organisation")
    RECIPIENT = "recipient", _("Recipient of results")
    PROCESSOR = "processor", _("Processor on our behalf")
    PARTNER = "partner", _("Partner")
