"""Vocabulary of reversal."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ReversalStatus(models.TextChoices):
    """How far a request has come."""

    WAITING = "waiting", _("Waiting for a second person")
    REFUSED = "refused", _("Refused")
    LAPSED = "lapsed", _("Lapsed, the project went back or was withdrawn")
    RUNNING = "running", _("Approved, under way")
    READY = "ready", _("The answer can be read")
    FAILED = "failed", _("Failed")
    ENDED = "ended", _("Ended, the answer is destroyed")


class WayBack(models.TextChoices):
    """How the values are got back; the engine's ``techniques.catalogue.technique.WayBack`` with labels."""

    DECRYPTION = "decryption", _("Decryption with the key in the vault")
    MAPPING_TABLE = "mapping_table", _("Look-up in the mapping table in the vault")
    RECOMPUTATION = "recomputation", _("Deriving the source's pseudonyms anew and comparing")
    RECOMBINATION = "recombination", _("Putting secret shares together, by the numbers of the rows")
