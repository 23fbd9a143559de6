"""Auxiliary information (GB/T 37964 4.2 c): keys and seeds that would help to undo the processing."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedModel
from projects.core.models import Project


class Secret(GovernedModel):
    """32 random bytes for one purpose of one project, wrapped by the master key: in this row, or in the store of the keys (custody).

    A destroyed secret keeps its row as the evidence of its destruction; its bytes are gone.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="secrets")
    purpose = models.CharField(_("Purpose"), max_length=120)
    # Empty where the bytes lie apart, and of what is destroyed.
    wrapped_key = models.BinaryField()
    apart = models.BooleanField(_("Lies in the store of the keys"), default=False, db_default=False)
    created_at = models.DateTimeField(_("Created"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    # Destruction is two persons' act: one proposes it, another carries it out. Keys destroyed before that was so have no proposal.
    proposed_at = models.DateTimeField(_("Destruction proposed"), null=True)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    proposed_why = models.TextField(_("Reason"), blank=True, default="")
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
            models.CheckConstraint(
                condition=Q(proposed_at=None, proposed_by=None, proposed_why="")
                | (Q(proposed_at__isnull=False, proposed_by__isnull=False) & ~Q(proposed_why="")),
                name="secret_proposal_whole_or_absent",
            ),
            models.CheckConstraint(
                condition=Q(proposed_by=None) | Q(destroyed_by=None) | ~Q(destroyed_by=F("proposed_by")),
                name="secret_destroyed_by_a_second_person",
            ),
        ]

    def __str__(self) -> str:
        return self.purpose

    @property
    def is_destroyed(self) -> bool:
        return self.destroyed_at is not None

    @property
    def is_proposed(self) -> bool:
        """Whether its destruction waits for a second person."""
        return self.proposed_at is not None and not self.is_destroyed

    @property
    def context(self) -> str:
        """What the wrapped bytes are bound to."""
        return f"secret:{self.pk}:{self.project_id}:{self.purpose}"

    @property
    def subject(self) -> Subject:
        return Subject("secret", str(self.pk), self.purpose)
