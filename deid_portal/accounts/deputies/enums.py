"""Vocabulary of deputations."""

from django.db import models
from django.utils.translation import gettext_lazy as _

DEPUTISED = ("planner", "supervisor", "management")
"""The posts whose holders may have a deputy: those that a role in a project asks for."""


class DeputationStatus(models.TextChoices):
    """What people have made of a deputation; whether it is in force now is a question of its days too."""

    WAITS = "waits", _("Waits for an administrator")
    CONFIRMED = "confirmed", _("Confirmed")
    TURNED_DOWN = "turned_down", _("Turned down")
    ENDED = "ended", _("Ended before its day")


class DeputyTenure(models.TextChoices):
    """How a deputation stands now."""

    WAITS = "waits", _("Waits for an administrator")
    TO_COME = "to_come", _("Begins later")
    IN_FORCE = "in_force", _("In force")
    OVER = "over", _("Over")
    TURNED_DOWN = "turned_down", _("Turned down")
    ENDED = "ended", _("Ended before its day")
