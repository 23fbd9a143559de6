"""What an assessment comes to."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Conclusion(models.TextChoices):
    CONFORMS = "conforms", _("Conforms to what was to be assessed against")
    DEVIATES = "deviates", _("Deviates; what deviates stands in findings")
    UNCLEAR = "unclear", _("Cannot be judged by what there is to be seen")
