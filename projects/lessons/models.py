"""Looks back at projects."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.models import Project

TEXTS = ("risk", "usefulness", "efficiency", "went_well", "to_change")


class Lesson(GovernedRecord):
    """A look back at one project after its release: how risk, usefulness and efficiency came out, what went well, and what is to
    be changed by whom. Written once; a later look back is another one."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="lessons")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    risk = models.TextField(_("Re-identification risk"))
    usefulness = models.TextField(_("Usefulness of the result"))
    efficiency = models.TextField(_("Efficiency of the work"))
    went_well = models.TextField(_("What went well"))
    to_change = models.TextField(_("What is to be changed"))
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("Who changes it"),
    )
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-recorded_at",)
        verbose_name = _("look back")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="lesson_number_once_per_project"),
            models.CheckConstraint(
                condition=~Q(risk="")
                & ~Q(usefulness="")
                & ~Q(efficiency="")
                & ~Q(went_well="")
                & ~Q(to_change=""),
                name="lesson_says_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} L{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("lesson", str(self.pk), str(self))
