"""Requests to fetch a file, what was decided about each, and every fetch; each row is written once."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project

from .enums import FetchState

APPROVAL_HOLDS = timedelta(days=7)
"""How long after the decision the one fetch may be made that an approval is for."""


@proven(project="project", many=True)
class FetchRequest(GovernedRecord):
    """One recipient wants to fetch one file of a release, once, for a ``purpose``; ``file`` is its place among ``Release.files``.

    What became of it is said by other rows: :class:`FetchDecision`, then :class:`Fetch`.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="fetch_requests")
    release = models.ForeignKey("releases.Release", on_delete=models.PROTECT, related_name="fetch_requests")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    file = models.PositiveSmallIntegerField(_("File"))
    purpose = models.CharField(_("What it is needed for"), max_length=500)
    requested_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("request to fetch")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "number"), name="fetch_request_number_once_per_project"
            ),
            models.CheckConstraint(condition=~Q(purpose=""), name="fetch_request_has_purpose"),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} G{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("fetch_request", str(self.pk), str(self), self.release.files[self.file]["sha256"])

    @property
    def file_name(self) -> str:
        return str(self.release.files[self.file]["file_name"])

    @property
    def decided(self) -> FetchDecision | None:
        return getattr(self, "decision", None)

    @property
    def fetched(self) -> Fetch | None:
        return getattr(self, "fetch", None)

    @property
    def state(self) -> FetchState:
        """What its rows say now."""
        decision = self.decided
        if decision is None:
            return FetchState.WAITING
        if not decision.approved:
            return FetchState.REFUSED
        if self.fetched is not None:
            return FetchState.FETCHED
        if not self.is_agreed:
            return FetchState.LAPSED
        return FetchState.APPROVED if decision.holds else FetchState.OVER

    @property
    def is_agreed(self) -> bool:
        """Whether the agreement under which it was approved was in force as long as the approval; lists read it along as ``agreed``."""
        along: bool | None = getattr(self, "agreed", None)
        return still_agreed(FetchRequest.objects.filter(pk=self.pk)).exists() if along is None else along


def still_agreed(found: QuerySet[FetchRequest]) -> QuerySet[FetchRequest]:
    """Those of ``found`` whose approval did not end with its agreement: that of the recipient which was recorded when it was given.

    A recipient has one agreement at a time, so an earlier one had ended by then, and a later one was recorded after it.
    """
    return found.filter(
        Q(project__agreements__ended_at=None)
        | Q(project__agreements__ended_at__gt=F("decision__holds_until")),
        project__agreements__recipient=F("recipient"),
        project__agreements__recorded_at__lte=F("decision__decided_at"),
    )


@proven(project="request__project", many=True)
class FetchDecision(GovernedRecord):
    """The supervisor's word about a request; an approval serves one fetch until ``holds_until``, and ends with the agreement it was given under."""

    request = models.OneToOneField(FetchRequest, on_delete=models.PROTECT, related_name="decision")
    approved = models.BooleanField(_("Decision"))
    reason = models.CharField(_("Reason"), max_length=500)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()
    holds_until = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-decided_at",)
        verbose_name = _("decision on a request to fetch")
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="fetch_decision_has_reason"),
            models.CheckConstraint(
                condition=Q(approved=True, holds_until__isnull=False, holds_until__gt=models.F("decided_at"))
                | Q(approved=False, holds_until=None),
                name="fetch_decision_ends_if_approved",
            ),
        ]

    def __str__(self) -> str:
        return str(self.request)

    @property
    def holds(self) -> bool:
        return self.holds_until is not None and timezone.now() <= self.holds_until


class Fetch(GovernedRecord):
    """One file that the portal handed to a recipient: when, by which agreement, and by which approval where one was needed.

    ``sha256`` is of what this recipient got, of shares of their own file.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="fetches")
    delivery = models.ForeignKey("releases.Delivery", on_delete=models.PROTECT, related_name="fetches")
    file = models.PositiveSmallIntegerField(_("File"))
    sha256 = models.CharField(max_length=64)
    agreement = models.ForeignKey(
        "releases.Agreement", on_delete=models.PROTECT, related_name="fetches", null=True
    )
    request = models.OneToOneField(FetchRequest, on_delete=models.PROTECT, related_name="fetch", null=True)
    fetched_at = models.DateTimeField()

    class Meta:
        ordering = ("-fetched_at",)
        verbose_name = _("fetch")
        constraints = [
            models.CheckConstraint(condition=~Q(sha256=""), name="fetch_says_what"),
        ]

    def __str__(self) -> str:
        return self.file_name

    @property
    def subject(self) -> Subject:
        return Subject("fetch", str(self.pk), str(self), self.sha256)

    @property
    def release_id(self) -> uuid.UUID:
        return self.delivery.release_id

    @property
    def file_name(self) -> str:
        return str(self.delivery.release.files[self.file]["file_name"])
