"""Orders of outside assessments."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven

from .enums import Conclusion


@proven(project="project")
class AssessmentOrder(GovernedRecord):
    """An external assessor is to assess a project: by it they see the project, until the day ``until`` or until it is ended.

    ``covers`` and ``until`` stay as they were ordered; ``conclusion`` and ``report`` are written once, by the assessor.
    ``again_months``: so long after it another one is due, never where it is None.
    """

    project = models.ForeignKey("core.Project", on_delete=models.PROTECT, related_name="assessments")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    assessor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("External assessor"),
    )
    covers = models.TextField(_("What is to be assessed, and against what"))
    until = models.DateField(_("Until"))
    again_months = models.PositiveSmallIntegerField(
        _("Months until it is assessed again"), null=True, blank=True
    )
    ordered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    ordered_at = models.DateTimeField(auto_now_add=True)
    conclusion = models.CharField(_("Conclusion"), max_length=8, choices=Conclusion.choices, blank=True)
    report = models.TextField(_("Report"), blank=True)
    reported_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    end_reason = models.CharField(_("Reason"), max_length=500, blank=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("order of an assessment")
        indexes = [models.Index(fields=("assessor", "ended_at"))]
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="assessment_number_once_per_project"),
            models.CheckConstraint(condition=~Q(covers=""), name="assessment_covers_something"),
            models.CheckConstraint(
                condition=Q(again_months=None) | Q(again_months__gte=1), name="assessment_again_after_months"
            ),
            models.CheckConstraint(
                condition=Q(conclusion="", report="", reported_at=None)
                | (Q(conclusion__in=Conclusion.values, reported_at__isnull=False) & ~Q(report="")),
                name="assessment_reported_whole_or_not",
            ),
            models.CheckConstraint(
                condition=Q(ended_by=None, ended_at=None, end_reason="")
                | (Q(ended_by__isnull=False, ended_at__isnull=False) & ~Q(end_reason="")),
                name="assessment_ended_whole_or_not",
            ),
            models.CheckConstraint(
                condition=~Q(ordered_by=F("assessor")), name="assessment_ordered_by_another"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} E{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("assessment", str(self.pk), str(self))

    @property
    def is_in_force(self) -> bool:
        return self.ended_at is None and self.until >= localdate()
