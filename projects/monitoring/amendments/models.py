"""An amendment of what a live release is measured by, from its proposal to its decision."""

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

from ..enums import OPEN_AMENDMENTS, AmendmentKind, AmendmentOutcome

_OPEN = Q(outcome__in=OPEN_AMENDMENTS)
_UNREVIEWED = Q(reviewed_by=None, reviewed_at=None, review="")
_REVIEWED = Q(reviewed_by__isnull=False, reviewed_at__isnull=False) & ~Q(review="")
_UNDECIDED = Q(decided_by=None, decided_at=None, decision="")
_DECIDED = Q(decided_by__isnull=False, decided_at__isnull=False) & ~Q(decision="")


def _person(**more: Any) -> Any:
    return models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", **more)


@proven(project="project")
class Amendment(GovernedRecord):
    """What re-assessments measure by in place of what was signed (5.6.2): the planning manager proposes it within an open
    re-assessment, the supervisor reviews it, senior management decides. What was signed stays as it is.

    ``content`` is by kind: risk targets as JSON; answers about the surroundings with what follows from them; a list of {table,
    column, role}. ``former`` is what it replaces, written alike. ``content_hash`` covers all that is judged.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="amendments")
    reassessment = models.ForeignKey(
        "monitoring.Reassessment", on_delete=models.PROTECT, related_name="amendments"
    )
    number = models.PositiveIntegerField(_("Amendment"))
    kind = models.CharField(_("What is amended"), max_length=12, choices=AmendmentKind.choices)
    content = models.JSONField()
    former = models.JSONField()
    why = models.TextField(_("Why"))
    content_hash = models.CharField(max_length=64)
    outcome = models.CharField(
        max_length=10, choices=AmendmentOutcome.choices, default=AmendmentOutcome.WAITING
    )
    proposed_by = _person()
    proposed_at = models.DateTimeField(auto_now_add=True)
    review = models.TextField(_("Result of the review"), blank=True)
    reviewed_by = _person(null=True)
    reviewed_at = models.DateTimeField(null=True)
    decision = models.TextField(_("Reason for the decision"), blank=True)
    decided_by = _person(null=True)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("number",)
        verbose_name = _("amendment")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="amendment_number_once_per_project"),
            models.UniqueConstraint(
                fields=("project", "kind"), condition=_OPEN, name="amendment_one_open_of_each_kind"
            ),
            models.CheckConstraint(condition=Q(kind__in=AmendmentKind.values), name="amendment_kind_known"),
            models.CheckConstraint(condition=~Q(why=""), name="amendment_with_a_reason"),
            models.CheckConstraint(
                condition=(Q(reviewed_by=None) | ~Q(reviewed_by=F("proposed_by")))
                & (Q(decided_by=None) | (~Q(decided_by=F("proposed_by")) & ~Q(decided_by=F("reviewed_by")))),
                name="amendment_by_three_persons",
            ),
            models.CheckConstraint(
                condition=(Q(outcome=AmendmentOutcome.WAITING) & _UNREVIEWED & _UNDECIDED)
                | (Q(outcome=AmendmentOutcome.REVIEWED) & _REVIEWED & _UNDECIDED)
                | (Q(outcome=AmendmentOutcome.APPROVED) & _REVIEWED & _DECIDED)
                | (Q(outcome=AmendmentOutcome.REFUSED) & _REVIEWED & (_DECIDED | _UNDECIDED))
                | (
                    Q(outcome__in=(AmendmentOutcome.REPLACED, AmendmentOutcome.LAPSED))
                    & _UNDECIDED
                    & (_REVIEWED | _UNREVIEWED)
                ),
                name="amendment_judged_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} A{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("amendment", str(self.pk), str(self), self.content_hash)

    @property
    def is_open(self) -> bool:
        return self.outcome in OPEN_AMENDMENTS
