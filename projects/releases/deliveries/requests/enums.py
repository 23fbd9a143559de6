"""Vocabulary of requests to fetch a file."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

SLIP_JOB = "releases.slip_pdf"
SLIP = "delivery_slip"


class FetchState(models.TextChoices):
    """How far a request has come, as its rows say."""

    WAITING = "waiting", _("Waiting for the supervisor")
    APPROVED = "approved", pgettext_lazy("a fetch", "Approved, not fetched yet")
    FETCHED = "fetched", _("Fetched")
    OVER = "over", pgettext_lazy("a fetch", "Approved; not fetched in time")
    LAPSED = "lapsed", pgettext_lazy("a fetch", "Approved; ended with its agreement")
    REFUSED = "refused", _("Refused")
