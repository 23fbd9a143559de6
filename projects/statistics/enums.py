"""Vocabulary of tables of statistics."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class TableStatus(models.TextChoices):
    """What became of a table of statistics."""

    RUNNING = "running", _("Being made")
    OPEN = "open", _("Must not go out: a sensitive cell can be worked out")
    FAILED = "failed", _("Could not be made")
    PROTECTED = "protected", _("Waiting for the supervisor's review")
    REVIEWED = "reviewed", _("Waiting for senior management's signature")
    APPROVED = "approved", _("Signed: recipients may have it")
    REFUSED = "refused", _("Refused, or taken back")


WITH_A_FILE = (TableStatus.PROTECTED, TableStatus.REVIEWED, TableStatus.APPROVED, TableStatus.REFUSED)


RULES = {
    "minimum_contributors": _("Few contribute to it."),
    "dominance": _("A few contribute most of it."),
    "p_percent": _("The second largest contributor can estimate the largest too closely."),
    "prior_posterior": _("With what is already known, a contributor can be estimated too closely."),
    "zeros": _(
        "Everyone who contributes to it contributes nothing, and the cell reveals that of each of them."
    ),
}
"""Why a cell is sensitive, in words that say nothing of the rule's numbers."""
