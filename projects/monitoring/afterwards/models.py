"""Re-assessments of a release that has ended: one row each, kept as it was concluded."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.governance.governed import GovernedRecord
from projects.core.models import Project
from projects.releases.models import Release

from ..report import Remeasurement
from .enums import CONCLUSIONS, LaterOutcome


class LaterReassessment(GovernedRecord):
    """One re-assessment of a release that has ended and of which copies were out when it was opened.

    ``answers`` are {question: {"yes", "words"}}; ``found`` is :class:`.selectors.StillOut` as JSON, as it was at the conclusion. Both
    are empty until then; of one that ended by itself, with the last copy, nobody answered anything. ``met`` says whether what was measured meets every target, None where nothing was measured.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="later_reassessments")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="later_reassessments")
    due_on = models.DateField(_("Due on"))
    opened_at = models.DateTimeField(_("Opened"), auto_now_add=True)
    measured_at = models.DateTimeField(null=True)
    measurement = models.JSONField(default=dict)
    met = models.BooleanField(null=True)
    answers = models.JSONField(default=dict)
    found = models.JSONField(default=dict)
    outcome = models.CharField(_("Conclusion"), max_length=10, choices=LaterOutcome.choices, blank=True)
    reason = models.TextField(_("Reason"), blank=True)
    concluded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    concluded_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-opened_at",)
        verbose_name = _("re-assessment after the end of a release")
        indexes = [
            models.Index(fields=("due_on", "id"), condition=Q(concluded_at=None), name="later_waiting")
        ]
        constraints = [
            models.UniqueConstraint(
                fields=("release",), condition=Q(concluded_at=None), name="later_one_open_of_a_release"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", reason="", answers={}, found={}, concluded_by=None, concluded_at=None)
                | (
                    Q(
                        outcome__in=[value for value, _label in CONCLUSIONS],
                        concluded_by__isnull=False,
                        concluded_at__isnull=False,
                    )
                    & ~Q(reason="")
                    & ~Q(answers={})
                    & ~Q(found={})
                )
                | (
                    Q(outcome=LaterOutcome.ENDED, answers={}, concluded_by=None, concluded_at__isnull=False)
                    & ~Q(reason="")
                    & ~Q(found={})
                ),
                name="later_conclusion_whole_or_absent",
            ),
            models.CheckConstraint(
                condition=Q(measured_at=None, met=None) | Q(measured_at__isnull=False, met__isnull=False),
                name="later_measured_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} · {self.due_on}"

    @property
    def remeasured(self) -> Remeasurement:
        """What was measured; of one that was not measured, nothing."""
        return Remeasurement.model_validate(self.measurement)

    @property
    def reason_text(self) -> str:
        """Why it was concluded so, in the reader's language where the portal said it."""
        return gettext(self.reason) if self.outcome == LaterOutcome.ENDED else self.reason

    @property
    def is_overdue(self) -> bool:
        return self.concluded_at is None and self.due_on < timezone.localdate()
