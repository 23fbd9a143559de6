"""Disposals: what one person proposed to destroy, what another decided, and what was measured of the act."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project

from .enums import OPEN, DisposalOutcome


@proven(project="project")
class Disposal(GovernedRecord):
    """The destruction of data of an ended project, proposed by one person and decided by another.

    ``content`` is what lay there of its "kinds" when it was proposed: {"kinds": […], "files": [{"id", "code", "kind", "name", "size", "sha256"}], "keys": [{"id",
    "purpose"}]}, sizes and hashes of the plaintext; exactly that is destroyed. ``measured`` is what was found on the disk:
    {"before": {file: bytes or null}, "after": {file: whether it is still there},
    "staying": how much there was of what stays, "copies": [what each recipient had
    stated of theirs by then]}.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="disposals")
    number = models.PositiveIntegerField(_("Disposal"))
    content = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    reason = models.CharField(_("Reason"), max_length=500)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(auto_now_add=True)
    outcome = models.CharField(
        max_length=10, choices=DisposalOutcome.choices, default=DisposalOutcome.WAITING
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.CharField(max_length=500, blank=True)
    measured = models.JSONField(default=dict)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("disposal")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="disposal_number_once_per_project"),
            models.UniqueConstraint(
                fields=("project",), condition=Q(outcome__in=OPEN), name="disposal_one_open"
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=DisposalOutcome.values) & ~Q(reason=""), name="disposal_has_a_reason"
            ),
            # Who proposed may take it back, and never carries it out.
            models.CheckConstraint(
                condition=Q(decided_by=None)
                | Q(outcome=DisposalOutcome.KEPT)
                | ~Q(decided_by=F("proposed_by")),
                name="disposal_second_person",
            ),
            models.CheckConstraint(
                condition=Q(
                    outcome=DisposalOutcome.WAITING, decided_by=None, decided_at=None, decision_reason=""
                )
                | (
                    ~Q(outcome=DisposalOutcome.WAITING)
                    & Q(decided_by__isnull=False, decided_at__isnull=False)
                    & ~Q(decision_reason="")
                ),
                name="disposal_decided_whole",
            ),
            models.CheckConstraint(
                condition=Q(outcome=DisposalOutcome.DESTROYED, finished_at__isnull=False)
                | (~Q(outcome=DisposalOutcome.DESTROYED) & Q(finished_at=None)),
                name="disposal_finished_when_destroyed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} X{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("disposal", str(self.pk), str(self), self.content_hash)

    @property
    def kinds(self) -> list[str]:
        return list(self.content["kinds"])

    @property
    def files(self) -> list[dict[str, Any]]:
        return list(self.content["files"])

    @property
    def keys(self) -> list[dict[str, Any]]:
        return list(self.content["keys"])

    @property
    def is_waiting(self) -> bool:
        return self.outcome == DisposalOutcome.WAITING

    @property
    def is_destroying(self) -> bool:
        return self.outcome == DisposalOutcome.DESTROYING

    @property
    def is_destroyed(self) -> bool:
        return self.outcome == DisposalOutcome.DESTROYED
