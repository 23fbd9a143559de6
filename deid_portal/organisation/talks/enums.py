"""Vocabulary of the record of talks."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class CounterpartKind(models.TextChoices):
    """With whom was spoken."""

    AUTHORITY = "authority", _("Regulator or authority")
    TECHNICAL = "technical", _("Technical unit outside the organisation")
    PARTNER = "partner", _("Partner")
