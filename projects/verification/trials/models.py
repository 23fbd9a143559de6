"""What the executor had measured of a run before handing it over."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.core.models import Project
from projects.jobs.models import JobResult
from projects.processing.models import Run

from ..reports.gate import CheckResult, Measurement, checks_of


class Trial(JobResult):
    """The checks of the gate on one run's result while the data are still being processed.

    It answers nothing: the gate, reviews and sign-offs know verifications alone, and a trial has no field that says whether
    it passed. ``checks`` and ``report`` are those of a measurement, without the search for remedies.
    """

    letter = "T"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="trials")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="trials")
    number = models.PositiveIntegerField(_("Trial"))
    checks = models.JSONField(default=list)
    report = models.JSONField(default=dict)
    targets_hash = models.CharField(max_length=64)

    class Meta(JobResult.Meta):
        verbose_name = _("trial")

    @property
    def results(self) -> list[CheckResult]:
        """The checks with what was measured."""
        return checks_of(self.checks)

    @property
    def measurement(self) -> Measurement:
        """Everything that was measured, read anew at each call."""
        return Measurement.model_validate({"checks": self.checks, "report": self.report})

    @property
    def missed(self) -> int:
        """How many checks do not meet their target, those that could not run among them."""
        return sum(result.passed is not True for result in self.results)
