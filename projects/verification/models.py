"""What was measured on the written result file, and whether the gate let it pass."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedModel
from projects.core.models import Project
from projects.processing.models import Run

from .comparison.report import CandidateResult
from .gate.report import CheckResult, Measurement, checks_of


class Verification(GovernedModel):
    """One measurement of one run's result against the targets of step 1; never changed once complete.

    ``checks`` is the gate table and ``report`` holds the full measurements, as JSON that is hashed;
    :attr:`results` and :attr:`measurement` read them. ``content_hash``
    covers the checks, the report, the result's SHA-256, the recipe's hash and the targets' hash.
    ``ended_at`` is also set when the measurement broke off; then ``passed`` stays None for good.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="verifications")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="verifications")
    number = models.PositiveIntegerField(_("Verification"))
    job_id = models.UUIDField(null=True)
    checks = models.JSONField(default=list)
    report = models.JSONField(default=dict)
    targets_hash = models.CharField(max_length=64)
    passed = models.BooleanField(null=True)
    content_hash = models.CharField(max_length=64, blank=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(auto_now_add=True)
    measured_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("verification")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "number"), name="verification_number_once_per_project"
            ),
            models.CheckConstraint(
                condition=Q(passed=None, content_hash="", measured_at=None)
                | (Q(passed__isnull=False, measured_at__isnull=False) & ~Q(content_hash="")),
                name="verification_whole_or_absent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} V{self.number}"

    @property
    def results(self) -> list[CheckResult]:
        """The gate table."""
        return checks_of(self.checks)

    @property
    def measurement(self) -> Measurement:
        """Everything that was measured, read anew at each call."""
        return Measurement.model_validate({"checks": self.checks, "report": self.report})

    @property
    def subject(self) -> Subject:
        return Subject("verification", str(self.pk), str(self), self.content_hash)


class Comparison(GovernedModel):
    """Candidate runs, each measured by the checks of the gate, and which of them goes forward (5.4.3, 5.5).

    ``run_ids`` are the candidates in the order of the page, ``results`` what was measured of each as JSON, read by
    :attr:`candidates`; ``content_hash`` covers results and targets. Measured once, chosen from once.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="comparisons")
    number = models.PositiveIntegerField(_("Comparison"))
    run_ids = models.JSONField()
    targets_hash = models.CharField(max_length=64)
    results = models.JSONField(default=list)
    content_hash = models.CharField(_("Content hash"), max_length=64, blank=True)
    job_id = models.UUIDField(null=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(auto_now_add=True)
    measured_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    chosen_run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+", null=True)
    choice_reason = models.TextField(blank=True)
    chosen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    chosen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("comparison")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="comparison_number_once_per_project"),
            models.CheckConstraint(
                condition=Q(measured_at=None, content_hash="")
                | (Q(measured_at__isnull=False) & ~Q(content_hash="")),
                name="comparison_whole_or_absent",
            ),
            models.CheckConstraint(
                condition=Q(chosen_run=None, chosen_by=None, chosen_at=None, choice_reason="")
                | (
                    Q(chosen_run__isnull=False, chosen_by__isnull=False, chosen_at__isnull=False)
                    & Q(measured_at__isnull=False)
                    & ~Q(choice_reason="")
                ),
                name="comparison_choice_whole_or_absent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} C{self.number}"

    @property
    def candidates(self) -> list[CandidateResult]:
        """What was measured of each candidate."""
        return [CandidateResult.model_validate(one) for one in self.results]

    @property
    def subject(self) -> Subject:
        return Subject("comparison", str(self.pk), str(self), self.content_hash)
