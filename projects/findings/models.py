"""Findings, what was done about them, and the spot checks that find some of them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.models import Project
from projects.workflow import Stage

from .assessments.models import AssessmentDocument as AssessmentDocument
from .enums import CheckResult, FindingSeverity, FindingSource, FindingStatus, StepKind
from .inspected.models import ResultDeviation as ResultDeviation
from .inspected.models import ResultSample as ResultSample
from .received.models import ReceivedSample as ReceivedSample
from .received.models import RecipientRemedy as RecipientRemedy
from .received.models import SampleDeviation as SampleDeviation


class Finding(GovernedRecord):
    """A deviation in one project: who puts it right, by when, and how far that has come.

    ``origin_id`` is the row of the source in which it was found, where there is one. What was done stands in its steps.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="findings")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    source = models.CharField(_("Found in"), max_length=12, choices=FindingSource.choices)
    origin_id = models.UUIDField(null=True)
    stage = models.CharField(_("Step"), max_length=14, choices=Stage.choices)
    severity = models.CharField(_("Severity"), max_length=8, choices=FindingSeverity.choices)
    title = models.CharField(_("In one line"), max_length=120)
    description = models.TextField(_("What deviates from what"))
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    raised_at = models.DateTimeField(auto_now_add=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("Who puts it right"),
    )
    due_on = models.DateField(_("Due on"))
    status = models.CharField(
        _("State"), max_length=8, choices=FindingStatus.choices, default=FindingStatus.OPEN
    )
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-raised_at",)
        verbose_name = _("finding")
        indexes = [models.Index(fields=("status", "due_on"))]
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="finding_number_once_per_project"),
            models.CheckConstraint(
                condition=Q(status="closed", closed_by__isnull=False, closed_at__isnull=False)
                | (~Q(status="closed") & Q(closed_by=None, closed_at=None)),
                name="finding_closed_whole",
            ),
            models.CheckConstraint(
                condition=~Q(title="") & ~Q(description=""), name="finding_says_something"
            ),
            models.CheckConstraint(condition=Q(status__in=FindingStatus.values), name="finding_status_known"),
            models.CheckConstraint(condition=Q(source__in=FindingSource.values), name="finding_source_known"),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} F{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("finding", str(self.pk), str(self))

    @property
    def headline(self) -> str:
        """What deviates, in one line: as somebody wrote it, or, of what was found in a sample, its kind in the reader's language."""
        return gettext(self.title) if self.source in FindingSource.of_samples() else self.title

    @property
    def is_overdue(self) -> bool:
        """Whether it should be put right by now and is not."""
        return self.status == FindingStatus.OPEN and self.due_on < timezone.localdate()


class FindingStep(GovernedRecord):
    """One thing that was done about a finding; written once. ``owner`` and ``due_on`` are what was set with an assignment."""

    finding = models.ForeignKey(Finding, on_delete=models.PROTECT, related_name="steps")
    kind = models.CharField(_("Step"), max_length=12, choices=StepKind.choices)
    text = models.TextField(_("Text"))
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    due_on = models.DateField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("at",)
        verbose_name = _("step of a finding")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="finding_step_says_something"),
            models.CheckConstraint(condition=Q(kind__in=StepKind.values), name="finding_step_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.finding} · {self.get_kind_display()}"


class SpotCheck(GovernedRecord):
    """One draw of steps of released projects whose records an auditor looks through (T/ISC 0078 12.3 c).

    ``population`` lists what could have been drawn, as ``number/step``; :mod:`projects.findings.draw` draws the same again
    from it, ``seed`` and ``size``.
    """

    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"), unique=True)
    seed = models.CharField(_("Seed"), max_length=32)
    size = models.PositiveIntegerField(_("Steps drawn"))
    population = models.JSONField(default=list)
    reason = models.CharField(_("Reason"), max_length=500)
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    drawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("spot check")
        constraints = [
            models.CheckConstraint(condition=Q(size__gt=0) & ~Q(seed=""), name="spot_check_draws_something"),
        ]

    def __str__(self) -> str:
        return f"S{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("spot_check", str(self.pk), str(self))

    @property
    def project_id(self) -> uuid.UUID | None:
        """A draw is the organisation's and stands in no project's history; what it drew does."""
        return None


class CheckedStep(GovernedRecord):
    """One step of a project that a spot check has drawn, and what an auditor found in its records."""

    spot_check = models.ForeignKey(SpotCheck, on_delete=models.PROTECT, related_name="steps")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="spot_checks")
    stage = models.CharField(_("Step"), max_length=14, choices=Stage.choices)
    place = models.PositiveIntegerField()
    result = models.CharField(
        _("Result"), max_length=10, choices=CheckResult.choices, default=CheckResult.OPEN
    )
    remark = models.TextField(_("What was looked through"), blank=True)
    checked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    checked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("place",)
        verbose_name = _("checked step")
        constraints = [
            models.UniqueConstraint(
                fields=("spot_check", "project", "stage"), name="checked_step_drawn_once"
            ),
            models.CheckConstraint(
                condition=Q(result="open", remark="", checked_by=None, checked_at=None)
                | (~Q(result="open") & ~Q(remark="") & Q(checked_by__isnull=False, checked_at__isnull=False)),
                name="checked_step_whole_or_open",
            ),
            models.CheckConstraint(
                condition=Q(result__in=CheckResult.values), name="checked_step_result_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.spot_check} · {self.project.number} · {self.get_stage_display()}"

    @property
    def subject(self) -> Subject:
        return Subject("checked_step", str(self.pk), str(self))
