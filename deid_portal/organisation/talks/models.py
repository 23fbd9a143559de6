"""Talks, who took part in them, which projects they concern, what was corrected, and what follows from them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.models import Project

from ..policies.models import Policy
from .enums import CounterpartKind


class Talk(GovernedRecord):
    """A talk with somebody outside, as the planning manager wrote it down; never changed, corrected beside.

    ``document_hash``: SHA-256 of the scan, in hexadecimal, where there is one; the paper itself lies where ``kept_at`` says.
    """

    kind = models.CharField(_("Counterpart is"), max_length=10, choices=CounterpartKind.choices)
    counterpart = models.CharField(_("Counterpart"), max_length=120)
    held_on = models.DateField(pgettext_lazy("a date", "Day"))
    topic = models.CharField(_("Subject of the talk"), max_length=120)
    outcome = models.TextField(_("What was said and agreed"))
    policy = models.ForeignKey(Policy, on_delete=models.PROTECT, related_name="+", null=True)
    kept_at = models.CharField(_("Where the document lies"), max_length=200, blank=True)
    document_hash = models.CharField(_("SHA-256 of the scan"), max_length=64, blank=True)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-held_on", "-recorded_at")
        verbose_name = _("talk with somebody outside")
        indexes = [models.Index(fields=("kind", "held_on"), name="talk_by_kind_and_day")]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=CounterpartKind.values), name="talk_kind_known"),
            models.CheckConstraint(
                condition=~Q(counterpart="") & ~Q(topic="") & ~Q(outcome=""), name="talk_whole"
            ),
            models.CheckConstraint(
                condition=Q(document_hash="") | ~Q(kept_at=""), name="talk_document_lies_somewhere"
            ),
        ]

    def __str__(self) -> str:
        return self.topic

    @property
    def subject(self) -> Subject:
        return Subject("talk", str(self.pk), self.topic)

    @property
    def project_id(self) -> None:
        """A talk is the organisation's and stands in no project's history."""


class TalkParticipant(GovernedRecord):
    """Who of the portal's people took part; written with the talk."""

    talk = models.ForeignKey(Talk, on_delete=models.PROTECT, related_name="participants")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("pk",)
        verbose_name = _("participant of a talk")
        constraints = [models.UniqueConstraint(fields=("talk", "account"), name="talk_participant_once")]

    def __str__(self) -> str:
        return f"{self.talk} · {self.account}"


class TalkProject(GovernedRecord):
    """A project that a talk concerns; written with the talk."""

    talk = models.ForeignKey(Talk, on_delete=models.PROTECT, related_name="projects")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("pk",)
        verbose_name = _("project that a talk concerns")
        constraints = [models.UniqueConstraint(fields=("talk", "project"), name="talk_project_once")]

    def __str__(self) -> str:
        return f"{self.talk} · {self.project}"


class TalkCorrection(GovernedRecord):
    """What of a talk was written down wrongly, and how it was; written once."""

    talk = models.ForeignKey(Talk, on_delete=models.PROTECT, related_name="corrections")
    text = models.TextField(_("What is right"))
    reason = models.CharField(_("Reason"), max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("at",)
        verbose_name = _("correction of a talk")
        constraints = [
            models.CheckConstraint(condition=~Q(text="") & ~Q(reason=""), name="talk_correction_whole")
        ]

    def __str__(self) -> str:
        return f"{self.talk} · {self.at:%Y-%m-%d}"


class FollowUp(GovernedRecord):
    """What is to be done after a talk, by whom and by when; closed once, with what came of it."""

    talk = models.ForeignKey(Talk, on_delete=models.PROTECT, related_name="follow_ups")
    what = models.CharField(_("What is to be done"), max_length=500)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("Owner")
    )
    due_on = models.DateField(_("Due on"))
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(auto_now_add=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    closed_at = models.DateTimeField(null=True)
    result = models.TextField(_("What came of it"), blank=True)

    class Meta:
        ordering = ("due_on", "added_at")
        verbose_name = _("follow-up of a talk")
        indexes = [models.Index(fields=("closed_at", "due_on"), name="follow_up_open_by_day")]
        constraints = [
            models.CheckConstraint(condition=~Q(what=""), name="follow_up_says_what"),
            models.CheckConstraint(
                condition=Q(closed_by=None, closed_at=None, result="")
                | (Q(closed_by__isnull=False, closed_at__isnull=False) & ~Q(result="")),
                name="follow_up_closed_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.what

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def is_overdue(self) -> bool:
        """Whether it should have been done by now."""
        return self.is_open and self.due_on < timezone.localdate()
