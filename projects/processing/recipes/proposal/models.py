"""What trying the suggestion on the data gave."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.core.models import Project
from projects.datasets.models import Dataset
from projects.jobs.models import JobResult


class Proposal(JobResult):
    """The suggested recipe of one table as it was tried on a data set.

    ``suggested`` is the recipe before it was tried, ``basis_hash`` what it says whatever the language of its reasons: a suggestion with another
    one has not been tried. ``result`` is the engine's (:class:`techniques.anonymization.proposal.Proposal`): figures, names of columns and
    settings, no value of the data.
    """

    letter = "S"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="proposals")
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="proposals")
    number = models.PositiveIntegerField(_("Suggestion"))
    suggested = models.JSONField()
    basis_hash = models.CharField(max_length=64)
    result = models.JSONField(default=dict)

    class Meta(JobResult.Meta):
        verbose_name = _("suggestion tried on the data")
