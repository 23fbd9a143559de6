"""Vocabulary of live masking."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Scene(models.TextChoices):
    """The scenes in which single values are shown to people."""

    LIVE_DISPLAY = "live_display", _("Live display in an application")
    OPERATIONS = "operations", _("Operations and maintenance")
