"""Vocabulary about data sets."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class DatasetStatus(models.TextChoices):
    """The state of an uploaded file. Only a ready one is worked on."""

    UPLOADED = "uploaded", _("Uploaded, format to be confirmed")
    CHECKING = "checking", _("Being checked to its last row")
    READY = "ready", pgettext_lazy("data set", "Ready")
    REFUSED = "refused", pgettext_lazy("data set", "Refused")


# The kinds of jobs about data sets.
DETECT = "datasets.detect"
CHECK = "datasets.check"
JOIN_CHECK = "datasets.join_check"
