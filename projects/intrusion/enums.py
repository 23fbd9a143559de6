"""Vocabulary of intruder tests."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

PDF_JOB = "intrusion.report_pdf"
REPORT = "intruder_test_report"


class Knowledge(models.TextChoices):
    """Who the testers stand for."""

    OUTSIDER = "outsider", _("Competent outsiders with what everybody can find (5.5.2 d)")
    INSIDER = "insider", _("Insiders with internal data (5.5.2 e)")


class Certainty(models.TextChoices):
    """How sure an invited tester is of a claim."""

    GUESS = "guess", pgettext_lazy("certainty", "A guess")
    LIKELY = "likely", pgettext_lazy("certainty", "Likely")
    SURE = "sure", pgettext_lazy("certainty", "Sure")


class ClaimVerdict(models.TextChoices):
    """What became of a claim."""

    WAITING = "waiting", _("Waits to be checked")
    RIGHT = "right", _("Right: that is the person")
    WRONG = "wrong", _("Wrong")
