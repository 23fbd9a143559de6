"""Vocabulary of verification (GB/T 37964 5.5)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

# Kinds of jobs: a result is measured, and the approval report about it written.
MEASURE_JOB = "verification.measure"
APPROVAL_JOB = "verification.approval_pdf"
SIGNED_JOB = "verification.signed_pdf"
# What the signed approval report is about, as documents know it.
SIGNED_SUBJECT = "signoff"


class CheckKind(models.TextChoices):
    """The checks of the gate, in the order in which the gate table shows them."""

    RESIDUAL = "residual", _("No direct identifier is left in the result")
    K = "k", _("Every equivalence class has at least k records")
    MAX_RISK = "max_risk", _("Maximum re-identification risk")
    AVERAGE_RISK = "average_risk", _("Average re-identification risk")
    OVERALL = "overall", _("Overall risk: data risk times the probability of an attempt")
    DIVERSITY = "diversity", _("Every equivalence class is varied in its sensitive attributes")
    CLOSENESS = (
        "closeness",
        _("Every equivalence class is close to the whole table in its sensitive attributes"),
    )
    SUPPRESSION = "suppression", _("Suppressed records stay below the limit")
    UTILITY = "utility", _("Usefulness stays above the minimum")
    JOIN = "join", _("Rows that refer to another table still find their counterpart")
    JOINED = "joined", _("Every equivalence class of the joined tables has at least k persons")
    INTEGRITY = "integrity", _("The measured file is the file that the run wrote")
