"""Auxiliary information (GB/T 37964 4.2 c): keys and seeds that would help to undo the processing."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedModel
from projects.core.models import Project


class Secret(GovernedModel):
    """32 random bytes for one purpose of one project, wrapped by the master key.

    A destroyed secret keeps its row as the evidence of its destruction; its bytes are gone.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="secrets")
    purpose = models.CharField(_("Purpose"), max_length=120)
    wrapped_key = models.BinaryField()
    created_at = models.DateTimeField(_("Created"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    destroyed_at = models.DateTimeField(_("Destroyed"), null=True)
    destroyed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    destroyed_why = models.TextField(_("Reason"), blank=True)

    class Meta:
        ordering = ("created_at",)
        verbose_name = _("secret")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "purpose"),
                condition=Q(destroyed_at=None),
                name="secret_one_live_per_purpose",
            ),
            models.CheckConstraint(
                condition=Q(destroyed_at=None, destroyed_by=None, destroyed_why="")
                | (Q(destroyed_at__isnull=False, destroyed_by__isnull=False) & ~Q(destroyed_why="")),
                name="secret_destruction_whole_or_absent",
            ),
        ]

    def __str__(self) -> str:
        return self.purpose

    @property
    def is_destroyed(self) -> bool:
        return self.destroyed_at is not None

    @property
    def context(self) -> str:
        """What the wrapped bytes are bound to."""
        return f"secret:{self.pk}:{self.project_id}:{self.purpose}"

    @property
    def subject(self) -> Subject:
        return Subject("secret", str(self.pk), self.purpose)
