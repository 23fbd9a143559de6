"""Incidents, and each thing that was done about them."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project
from projects.monitoring.models import LaterReassessment, Reassessment

from .enums import IncidentAct, IncidentKind, IncidentSeverity, IncidentVerdict


@proven(project="project")
class Incident(GovernedRecord):
    """Something that went wrong with data of one project. ``stopped``: nobody receives its release for the time being.

    What was done stands in its steps; ``reassessment`` is the look back that a confirmed one has opened.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="incidents")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    kind = models.CharField(_("What happened"), max_length=16, choices=IncidentKind.choices)
    severity = models.CharField(_("Severity"), max_length=8, choices=IncidentSeverity.choices)
    description = models.TextField(_("Description"))
    noticed_at = models.DateTimeField(_("Noticed"))
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    raised_at = models.DateTimeField(auto_now_add=True)
    verdict = models.CharField(
        _("State"), max_length=10, choices=IncidentVerdict.choices, default=IncidentVerdict.OPEN
    )
    stopped = models.BooleanField(_("Deliveries are stopped"), default=False)
    reassessment = models.OneToOneField(
        Reassessment, on_delete=models.PROTECT, null=True, related_name="incident"
    )
    # The re-assessment of copies of an ended release that has led to it.
    later = models.OneToOneField(
        LaterReassessment, on_delete=models.PROTECT, null=True, related_name="incident"
    )
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-raised_at",)
        verbose_name = _("incident")
        indexes = [models.Index(fields=("closed_at", "raised_at"))]
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="incident_number_once_per_project"),
            models.CheckConstraint(condition=~Q(description=""), name="incident_says_something"),
            models.CheckConstraint(condition=Q(kind__in=IncidentKind.values), name="incident_kind_known"),
            models.CheckConstraint(
                condition=Q(severity__in=IncidentSeverity.values), name="incident_severity_known"
            ),
            models.CheckConstraint(
                condition=Q(closed_by=None, closed_at=None)
                | (Q(closed_by__isnull=False, closed_at__isnull=False, stopped=False) & ~Q(verdict="open")),
                name="incident_closed_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} E{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("incident", str(self.pk), str(self))

    @property
    def authority_by(self) -> datetime:
        """When the authority is to know of it; the law says at once, the organisation in how many hours."""
        return self.raised_at + timedelta(hours=settings.DEID_INCIDENT_AUTHORITY_HOURS)

    @property
    def persons_by(self) -> datetime:
        """The same of the persons concerned."""
        return self.raised_at + timedelta(hours=settings.DEID_INCIDENT_PERSONS_HOURS)


@proven(project="incident__project", many=True)
class IncidentStep(GovernedRecord):
    """One thing that was done about an incident; written once."""

    incident = models.ForeignKey(Incident, on_delete=models.PROTECT, related_name="steps")
    act = models.CharField(max_length=10, choices=IncidentAct.choices)
    text = models.TextField(_("Text"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("at",)
        verbose_name = _("step of an incident")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="incident_step_says_something"),
            models.CheckConstraint(condition=Q(act__in=IncidentAct.values), name="incident_step_act_known"),
        ]

    def __str__(self) -> str:
        return f"{self.incident} · {self.get_act_display()}"
