"""What happens after a release: re-assessments, and the changes that call for one (5.6.2)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from approvals.sentences import Sentence
from projects.core.models import Project
from projects.releases.models import Release

from .afterwards.models import LaterReassessment as LaterReassessment
from .amendments.models import Amendment as Amendment
from .enums import ChangeKind, ReassessmentOutcome
from .report import Remeasurement


class ChangeEvent(GovernedRecord):
    """Something changed that may change the risk; opens a re-assessment."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="changes")
    kind = models.CharField(_("What changed"), max_length=12, choices=ChangeKind.choices)
    description = models.TextField(_("Description"), blank=True)
    # Instead of a description, what the portal itself noticed: approvals.sentences.Sentence.
    noticed = models.JSONField(null=True, editable=False)
    happened_on = models.DateField(_("Date of the change"))
    reported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    reported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-reported_at",)
        verbose_name = _("change event")
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=ChangeKind.values), name="change_kind_known"),
            models.CheckConstraint(
                condition=(Q(noticed__isnull=True) & ~Q(description=""))
                | Q(noticed__isnull=False, description="", reported_by=None),
                name="change_described_or_noticed",
            ),
        ]

    def __str__(self) -> str:
        return str(self.get_kind_display())

    @property
    def said(self) -> str:
        """What changed: as somebody described it, or as the portal noticed it, in the reader's language."""
        return self.description if self.noticed is None else str(Sentence(**self.noticed))


class Reassessment(GovernedRecord):
    """One look back at a release: due, measured again, concluded by a supervisor."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="reassessments")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="reassessments")
    change = models.OneToOneField(
        ChangeEvent, on_delete=models.PROTECT, null=True, related_name="reassessment"
    )
    due_on = models.DateField(_("Due on"))
    opened_at = models.DateTimeField(null=True)
    measured_at = models.DateTimeField(null=True)
    measurement = models.JSONField(default=dict)
    # Whether what was measured meets every target; None while nothing is measured, and of what was before this was kept.
    met = models.BooleanField(null=True)
    outcome = models.CharField(
        _("Conclusion"), max_length=12, choices=ReassessmentOutcome.choices, blank=True
    )
    finding = models.TextField(_("Finding"), blank=True)
    concluded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    concluded_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("due_on",)
        verbose_name = _("re-assessment")
        # The board: what is not concluded, what is due first.
        indexes = [
            models.Index(fields=("due_on", "id"), condition=Q(concluded_at=None), name="reassessment_waiting")
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome="", finding="", concluded_by=None, concluded_at=None)
                | (
                    ~Q(outcome="")
                    & ~Q(finding="")
                    & Q(concluded_by__isnull=False, concluded_at__isnull=False)
                ),
                name="reassessment_conclusion_whole_or_absent",
            )
        ]

    def __str__(self) -> str:
        return f"{self.project.number} · {self.due_on}"

    @property
    def remeasured(self) -> Remeasurement:
        """What was measured; of one that was not measured yet, nothing."""
        return Remeasurement.model_validate(self.measurement)

    @property
    def meets_targets(self) -> bool:
        return self.measured_at is not None and self.remeasured.met

    @property
    def is_open(self) -> bool:
        return self.opened_at is not None and self.concluded_at is None

    @property
    def is_overdue(self) -> bool:
        return self.concluded_at is None and self.due_on < timezone.localdate()


@proven(project="project")
class RiskAcceptance(GovernedRecord):
    """Senior management accepts, until a day and with its reason, that a release stays although a re-assessment found targets
    not met. It is about one measurement, ends with the next conclusion about the release, and after its day nothing is received."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="risk_acceptances")
    reassessment = models.ForeignKey(Reassessment, on_delete=models.PROTECT, related_name="acceptances")
    measured_at = models.DateTimeField(_("Measured again"))
    until = models.DateField(_("Accepted until"))
    reason = models.TextField(_("Reason"))
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    accepted_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-accepted_at",)
        verbose_name = _("acceptance of a risk")
        constraints = [
            models.UniqueConstraint(
                fields=("reassessment", "measured_at"), name="risk_accepted_once_per_measurement"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="risk_accepted_with_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.reassessment} → {self.until}"
