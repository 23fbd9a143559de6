"""Content under a name."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord

from ..models import Project


class SavedContent(GovernedRecord):
    """What somebody kept of a project under a name, for themselves or for everybody who does the same work.

    ``project`` is where it comes from. The content is never changed; who saved it withdraws it.
    """

    name = models.CharField(_("Name"), max_length=120)
    content = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    of_organisation = models.BooleanField(default=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ("name", "saved_at")

    def __str__(self) -> str:
        return self.name

    @property
    def subject(self) -> Subject:
        return Subject(str(self._meta.model_name), str(self.pk), self.name, self.content_hash)


def name_once_per_person(kind: str) -> models.UniqueConstraint:
    """Nobody has two of a kind under one name, but for those that were withdrawn."""
    return models.UniqueConstraint(
        fields=("saved_by", "name"), condition=Q(withdrawn_at=None), name=f"{kind}_name_once_per_person"
    )
