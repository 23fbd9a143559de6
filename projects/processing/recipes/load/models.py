"""Measurements of the load of a recipe."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.core.models import Project
from projects.datasets.models import Dataset
from projects.jobs.models import JobResult


class LoadMeasurement(JobResult):
    """Time, processor, memory and space of one recipe version on samples of a table, and what that comes to on the whole.

    ``most_rows`` is the largest sample that was wanted, ``result`` the engine's figures with what the machine has; no value of the data.
    """

    letter = "B"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="load_measurements")
    recipe_version = models.ForeignKey(
        "processing.RecipeVersion", on_delete=models.PROTECT, related_name="load_measurements"
    )
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="load_measurements")
    number = models.PositiveIntegerField(_("Measurement of the load"))
    most_rows = models.PositiveIntegerField(_("Rows of the largest sample"))
    result = models.JSONField(default=dict)

    class Meta(JobResult.Meta):
        verbose_name = _("measurement of the load")
