"""Robots, what each person chose, and what was told to whom."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedModel, GovernedRecord

from .enums import MessageKind, MessageStatus, Pace, Problem, RobotKind

# Who claimed a message and was not heard of for so long was lost; the next one offers it again.
CLAIM_LASTS = timedelta(minutes=15)


class Robot(GovernedRecord):
    """The robot of a group chat, set up by an administrator.

    ``sealed``: its address and secret, encrypted under the master key, in base 64; the address of a robot lets anybody write
    through it, so its host alone stands open. A robot that is removed keeps its row and loses what was sealed.
    """

    name = models.CharField(_("Name of the chat"), max_length=60)
    kind = models.CharField(_("Kind"), max_length=10, choices=RobotKind.choices)
    host = models.CharField(_("Host"), max_length=255)
    sealed = models.TextField(blank=True)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("name",)
        verbose_name = _("robot")
        constraints = [
            models.UniqueConstraint(
                fields=("name",), condition=Q(removed_at=None), name="messaging_robot_name_once"
            ),
            models.CheckConstraint(
                condition=(Q(removed_at=None) & ~Q(sealed="")) | (Q(removed_at__isnull=False) & Q(sealed="")),
                name="messaging_robot_removed_whole",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=RobotKind.values) & ~Q(name="") & ~Q(host=""),
                name="messaging_robot_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def subject(self) -> Subject:
        return Subject("robot", str(self.pk), self.name)

    @property
    def context(self) -> str:
        """What its address is encrypted for: in another row it does not open."""
        return f"robot {self.pk}"


class MessageChoice(GovernedModel):
    """When and how somebody is written to; who never chose has no row. By mail, unless a robot is named."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True, related_name="message_choice"
    )
    pace = models.CharField(_("When"), max_length=10, choices=Pace.choices)
    robot = models.ForeignKey(Robot, on_delete=models.PROTECT, related_name="+", null=True)

    class Meta:
        verbose_name = _("choice of messages")
        constraints = [
            models.CheckConstraint(condition=Q(pace__in=Pace.values), name="messaging_pace_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_pace_display()}"


class Message(models.Model):
    """That somebody is to be told something, and whether they were: never the words, which are made when it is sent.

    ``key`` is SHA-256 of what it is about, ``holder`` whose task it is. What is told once is told no second time, whatever way
    it went: the database holds one row for it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    holder = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(_("Kind"), max_length=10, choices=MessageKind.choices)
    key = models.CharField(max_length=64)
    made_at = models.DateTimeField()
    status = models.CharField(
        _("Outcome"), max_length=8, choices=MessageStatus.choices, default=MessageStatus.WAITING
    )
    # The robot by which it goes or went; none: by mail.
    robot = models.ForeignKey(Robot, on_delete=models.PROTECT, related_name="+", null=True)
    problem = models.CharField(max_length=12, choices=Problem.choices, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField()
    # Who sends it just now: what is offered again after a loss bears the same number, by which a mailbox knows it.
    claim = models.UUIDField(null=True)
    claimed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-made_at",)
        verbose_name = _("message")
        indexes = [
            models.Index(fields=("status", "next_at"), name="messaging_due"),
            models.Index(fields=("-made_at",), name="messaging_newest"),
        ]
        constraints = [
            models.UniqueConstraint(fields=("recipient", "kind", "key"), name="messaging_told_once"),
            models.CheckConstraint(
                condition=Q(status="waiting", ended_at=None)
                | (~Q(status="waiting") & Q(ended_at__isnull=False)),
                name="messaging_ended_whole",
            ),
            models.CheckConstraint(
                condition=Q(status__in=MessageStatus.values) & Q(kind__in=MessageKind.values),
                name="messaging_words_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} → {self.recipient_id}"
