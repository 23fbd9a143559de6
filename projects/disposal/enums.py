"""Vocabulary about the disposal of data."""

from django.db import models
from django.utils.translation import gettext_lazy as _

DESTROY_JOB = "disposal.destroy"
CERTIFICATE_JOB = "disposal.certificate_pdf"


class DisposalOutcome(models.TextChoices):
    """From a proposal to the end. Between the keys and the last encrypted file lies a job, which a crash may interrupt."""

    WAITING = "waiting", _("Waiting for a second person")
    DESTROYING = "destroying", _("Keys destroyed, encrypted files are being removed")
    DESTROYED = "destroyed", _("Destroyed")
    KEPT = "kept", _("Kept")


OPEN = (DisposalOutcome.WAITING, DisposalOutcome.DESTROYING)
CARRIED_OUT = (DisposalOutcome.DESTROYING, DisposalOutcome.DESTROYED)
