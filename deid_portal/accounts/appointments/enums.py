"""Vocabulary of appointments."""

from django.db import models
from django.utils.translation import gettext_lazy as _

WITH_ACCOUNT = "with_account"
"""The reason of an appointment that an administrator gave by making the account."""


class AppointmentStatus(models.TextChoices):
    """What two administrators have made of an appointment; whether it is in force today is a question of its days too."""

    WAITS = "waits", _("Waits for a second administrator")
    CONFIRMED = "confirmed", _("Confirmed")
    TURNED_DOWN = "turned_down", _("Turned down")
    ENDED = "ended", _("Ended before its day")


class Basis(models.TextChoices):
    """How an appointment came about."""

    GIVEN = "given", _("Given by an administrator")
    SET_UP = "set_up", _("Set up from the command line")
    TAKEN_OVER = "taken_over", _("Held before there were appointments")
