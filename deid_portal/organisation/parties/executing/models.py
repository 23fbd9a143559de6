"""The organisation that carries a project's processing out, and since when."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.governed import GovernedRecord
from projects.core.models import Project

from ..models import Party


class ExecutingParty(GovernedRecord):
    """Named by the planning manager; another one ends it, so that it stays known who answered when."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="carried_out")
    named_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    named_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-named_at",)
        verbose_name = _("organisation that carries a project out")
        constraints = [
            models.UniqueConstraint(
                fields=("project",), condition=Q(ended_at=None), name="executing_party_one_of_a_project"
            )
        ]

    def __str__(self) -> str:
        return f"{self.project} · {self.party}"
