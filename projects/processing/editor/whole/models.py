"""What became of a table under the entries of the editor."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.core.models import Project
from projects.datasets.models import Dataset, StoredFile
from projects.jobs.models import JobResult


class WholePreview(JobResult):
    """The recipe that a draft describes, carried out on the whole table before it is saved, and what was measured of that.

    ``recipe`` is the draft as the engine reads it and ``recipe_hash`` its hash. ``result`` has figures and no value of the
    data; ``rows`` are the few rows that are shown, masked already and encrypted all the same. Those of the newest preview
    of a table alone are kept, while the project is in processing.
    """

    letter = "W"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="whole_previews")
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="whole_previews")
    number = models.PositiveIntegerField(_("Preview"))
    recipe = models.JSONField()
    recipe_hash = models.CharField(max_length=64)
    result = models.JSONField(default=dict)
    rows = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True)

    class Meta(JobResult.Meta):
        verbose_name = _("preview of the whole result")
