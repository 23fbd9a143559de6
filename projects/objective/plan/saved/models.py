"""Target and plan under a name."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.models import Project


class SavedPlan(GovernedRecord):
    """What a project's target and plan say, for whoever may begin a project with it: who saved it, or every planning manager.

    ``content`` (:mod:`.answers`) has the choices and numbers, and those texts alone that the person who saved it picked. ``project`` is
    where it comes from. A saved plan is never changed; who saved it withdraws it.
    """

    name = models.CharField(_("Name"), max_length=120)
    content = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    of_organisation = models.BooleanField(_("For every planning manager"), default=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="saved_plans")
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("name", "saved_at")
        verbose_name = _("project template")
        constraints = [
            models.UniqueConstraint(
                fields=("saved_by", "name"),
                condition=Q(withdrawn_at=None),
                name="saved_plan_name_once_per_person",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def subject(self) -> Subject:
        return Subject("savedplan", str(self.pk), self.name, self.content_hash)
