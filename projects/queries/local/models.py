"""What was estimated from collected answers."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.jobs.models import JobResult


class LocalEstimate(JobResult):
    """The ``survey`` says how devices randomised what they sent, ``column`` where it stands in the file, ``person_key`` which columns
    say whose an answer is: none where each row is a person's.

    ``stored`` is the file, gone once it was read or the job broke off; ``result`` the engine's
    (:class:`techniques.models.local_privacy.reports.Findings`), with its sentences in ``statements``.
    """

    letter = "R"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="local_estimates")
    number = models.PositiveIntegerField(_("Estimate"))
    title = models.CharField(_("Title"), max_length=120)
    survey = models.JSONField()
    column = models.CharField(max_length=512)
    person_key = models.JSONField(default=list)
    stored = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True)
    result = models.JSONField(default=dict)

    class Meta(JobResult.Meta):
        verbose_name = _("estimate from randomised answers")
