"""A version that waits for a second person, is in force, was turned down or was replaced."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord


class ProposalStatus(models.TextChoices):
    PROPOSED = "proposed", _("Waiting for a second person")
    IN_FORCE = "in_force", _("In force")
    TURNED_DOWN = "turned_down", _("Turned down")
    REPLACED = "replaced", _("Replaced by a later version")


class Proposal(GovernedRecord):
    """One version. It is proposed by one person and put in force by another; what it says never changes."""

    number = models.PositiveIntegerField(_("Version"))
    content_hash = models.CharField(max_length=64)
    status = models.CharField(max_length=12, choices=ProposalStatus.choices, default=ProposalStatus.PROPOSED)
    reason = models.CharField(_("Reason"), max_length=500)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    decision_reason = models.CharField(max_length=500, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)

    class Meta(GovernedRecord.Meta):
        abstract = True

    @property
    def status_text(self) -> str:
        """Where the version stands, in words."""
        return str(ProposalStatus(self.status).label)

    @property
    def by_management(self) -> bool:
        """Whether senior management decides about it, and not another one of those who propose."""
        return False

    @property
    def subject(self) -> Subject:
        """What decisions and events about the version call it."""
        raise NotImplementedError

    def hash_of_content(self) -> str:
        """SHA-256, in hexadecimal, of what the version says."""
        raise NotImplementedError


def two_persons(prefix: str, *name: str) -> list[models.BaseConstraint]:
    """What the database holds of versions: one in force and one waiting for each ``name`` (of all, where there is none), and
    two different people. ``prefix`` begins the names of the constraints."""
    each = name or ("status",)
    in_force, proposed = ProposalStatus.IN_FORCE, ProposalStatus.PROPOSED
    return [
        models.UniqueConstraint(fields=(*name, "number"), name=f"{prefix}_version_once"),
        models.UniqueConstraint(fields=each, condition=Q(status=in_force), name=f"{prefix}_one_in_force"),
        models.UniqueConstraint(fields=each, condition=Q(status=proposed), name=f"{prefix}_one_proposed"),
        models.CheckConstraint(
            condition=Q(decided_by=None) | ~Q(decided_by=F("made_by")), name=f"{prefix}_second_person"
        ),
        models.CheckConstraint(
            condition=Q(status=proposed, decided_by=None, decided_at=None)
            | (
                ~Q(status=proposed)
                & Q(decided_by__isnull=False, decided_at__isnull=False)
                & ~Q(decision_reason="")
            ),
            name=f"{prefix}_decided_whole",
        ),
        models.CheckConstraint(condition=Q(status__in=ProposalStatus.values), name=f"{prefix}_status_known"),
    ]
