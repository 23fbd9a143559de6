"""Impact assessments as they were laid down and decided."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project

from .content import Content
from .enums import Outcome

YEARS_KEPT = 3
"""Article 56: report and record are kept for at least three years."""


@proven(project="project")
class ImpactAssessment(GovernedRecord):
    """One assessment of a project: ``content`` is :class:`.content.Content` as JSON, ``occasions`` why it was asked for, and
    ``about`` a hash of what it is about: sharing type, grade and recipients. It is laid down by one person and decided by another.

    ``recipients`` are their accounts' names; None of one from before they were kept beside the hash."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="impact_assessments")
    number = models.PositiveIntegerField(_("Assessment"))
    content = models.JSONField()
    occasions = models.JSONField(default=list)
    about = models.CharField(max_length=64)
    recipients = models.JSONField(null=True)
    content_hash = models.CharField(_("Content hash"), max_length=64)
    outcome = models.CharField(max_length=12, choices=Outcome.choices, default=Outcome.WAITING)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("impact assessment")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="impact_number_once_per_project"),
            models.UniqueConstraint(
                fields=("project",), condition=Q(outcome=Outcome.WAITING), name="impact_one_waiting"
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("made_by")), name="impact_second_person"
            ),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.WAITING, decided_by=None, decided_at=None)
                | (
                    Q(outcome__in=(Outcome.CONCLUDED, Outcome.TURNED_DOWN))
                    & Q(decided_by__isnull=False, decided_at__isnull=False)
                    & ~Q(reason="")
                ),
                name="impact_decided_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} I{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("impact_assessment", str(self.pk), str(self), self.content_hash)

    @property
    def answers(self) -> Content:
        return Content.model_validate(self.content)

    @property
    def kept_until(self) -> date:
        """The first day on which the law no longer asks for it."""
        day = timezone.localtime(self.decided_at or self.made_at).date()
        # The 29th of February has no day of its own three years later.
        return day.replace(year=day.year + YEARS_KEPT, day=min(day.day, 28) if day.month == 2 else day.day)
