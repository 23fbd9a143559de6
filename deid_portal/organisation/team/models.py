"""Who has which duty in the organisation's team for personal information, since when and until when."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.workflow.posts import AppointedPost

from .enums import SUCCEEDED, TeamDuty


class TeamSeat(GovernedRecord):
    """One duty of one person. What it says never changes: it ends, with a reason, and another one is given.

    ``taken_at``: since when it counts. The head is proposed by somebody else and takes the seat by their own act; every other duty
    counts from when it is given.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="team_seats",
        verbose_name=_("Person"),
    )
    duty = models.CharField(_("Duty"), max_length=10, choices=TeamDuty.choices)
    named_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    named_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    end_reason = models.CharField(_("Reason"), max_length=500, blank=True)

    class Meta:
        ordering = ("named_at",)
        verbose_name = _("duty in the team for personal information")
        indexes = [models.Index(fields=("ended_at",), name="team_seat_by_end")]
        constraints = [
            models.CheckConstraint(condition=Q(duty__in=TeamDuty.values), name="team_seat_duty_known"),
            models.UniqueConstraint(
                fields=("account", "duty"), condition=Q(ended_at=None), name="team_seat_once"
            ),
            models.UniqueConstraint(
                fields=("duty",),
                condition=Q(duty=TeamDuty.HEAD, ended_at=None, taken_at__isnull=False),
                name="team_seat_one_head",
            ),
            models.UniqueConstraint(
                fields=("duty",),
                condition=Q(duty=TeamDuty.HEAD, ended_at=None, taken_at=None),
                name="team_seat_one_head_proposed",
            ),
            models.CheckConstraint(
                condition=Q(duty=TeamDuty.HEAD) | Q(taken_at__isnull=False), name="team_seat_head_alone_waits"
            ),
            models.CheckConstraint(
                condition=Q(ended_by=None, ended_at=None, end_reason="")
                | (Q(ended_by__isnull=False, ended_at__isnull=False) & ~Q(end_reason="")),
                name="team_seat_ended_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account} · {self.get_duty_display()}"

    @property
    def subject(self) -> Subject:
        return Subject("team_seat", str(self.pk), str(self.account))

    @property
    def project_id(self) -> None:
        """It is the organisation's and stands in no project's history."""

    @property
    def is_head(self) -> bool:
        return self.duty == TeamDuty.HEAD

    @property
    def waits(self) -> bool:
        """Whether somebody was proposed as head and has not decided yet."""
        return self.taken_at is None and self.ended_at is None

    @property
    def may_be_held(self) -> bool:
        """Whether its person can have it today: with an active account and, as head, the post of senior management."""
        return self.account.is_active and (not self.is_head or self.account.holds(AppointedPost.MANAGEMENT))

    @property
    def in_office(self) -> bool:
        """Whether it counts today."""
        return self.taken_at is not None and self.ended_at is None and self.may_be_held

    @property
    def why(self) -> str:
        """Why it ended, in words."""
        if self.end_reason == SUCCEEDED:
            return gettext("Somebody else took the lead")
        return self.end_reason
