"""Projects, who is in them as what, and notifications."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedModel, GovernedRecord
from approvals.governance.proven import proven
from projects.workflow import STATES, Role, Stage, State

from .assessments.models import AssessmentOrder as AssessmentOrder
from .drafts.models import FormDraft as FormDraft
from .drafts.models import SavedForm as SavedForm
from .enums import ProjectMark, SharingType, Thread


@proven(project="pk", without=("title", "summary", "mark"))
class Project(GovernedRecord):
    """One data set on its way through the standard."""

    number = models.CharField(pgettext_lazy("serial", "Number"), max_length=20, unique=True, editable=False)
    title = models.CharField(_("Title"), max_length=120)
    summary = models.TextField(_("What the data will be used for"), blank=True)
    sharing_type = models.CharField(_("Sharing type"), max_length=12, choices=SharingType.choices, blank=True)
    mark = models.CharField(
        _("Confidentiality marking"),
        max_length=10,
        choices=ProjectMark.choices,
        default=ProjectMark.HOUSE,
        db_default=ProjectMark.HOUSE,
    )
    state = models.CharField(_("State"), max_length=30, choices=State.choices, default=State.OBJECTIVE_DRAFT)
    suspended_from = models.CharField(max_length=30, choices=State.choices, blank=True)
    state_since = models.DateTimeField(auto_now_add=True)
    # When a released project last came back: what was measured before does not answer for what has changed.
    reopened_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("project")
        indexes = [
            models.Index(fields=("-created_at",), name="project_by_age"),
            models.Index(fields=("-state_since",), name="project_by_state_since"),
        ]
        permissions = [
            ("plan_project", _("May plan the project")),
            ("execute_project", _("May execute the project")),
            ("supervise_project", _("May supervise the project")),
            ("approve_project", _("May approve for the project")),
            ("receive_project", _("May receive the project's release")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="suspended", suspended_from__gt="")
                | (~Q(state="suspended") & Q(suspended_from="")),
                name="project_suspension_remembers_its_state",
            )
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"

    @property
    def stage(self) -> Stage:
        """The stage that the project is in; a suspended project is in the stage it was suspended from."""
        return STATES[State(self.suspended_from or self.state)].stage

    @property
    def owner(self) -> Role | None:
        """The role that has to act; None where nobody has to."""
        return STATES[State(self.state)].owner

    @property
    def subject(self) -> Subject:
        return Subject("project", str(self.pk), str(self))

    @property
    def project_id(self) -> uuid.UUID:
        """Events about a project are in its own history."""
        return self.pk


def in_states(states: Iterable[State], project: str = "") -> Q:
    """Of rows that name a project by ``project``, of projects themselves where it is empty: it is in one of ``states``; a suspended
    one is where it was before."""
    lead, found = f"{project}__" if project else "", list(states)
    before = {f"{lead}state": State.SUSPENDED, f"{lead}suspended_from__in": found}
    return Q(**{f"{lead}state__in": found}) | Q(**before)


@proven(project="project")
class Membership(GovernedModel):
    """A person's role in a project.

    One row per person and project for all time: a role is ended, never exchanged. So who once
    executed can never review, approve or supervise the same project, whatever the rules in code
    become; a trigger keeps the role from being rewritten.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(_("Role"), max_length=12, choices=Role.choices)
    since = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("role", "since")
        verbose_name = _("membership")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "user"), name="membership_one_role_per_person_and_project"
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()}"

    @property
    def dialog_key(self) -> str:
        return str(self.pk)


class StageComment(GovernedRecord):
    """What a member has said about one step of a project, for the others in it; written once.

    ``mentioned`` are the accounts that it calls by ``@``: their keys, for a name may change.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="comments")
    thread = models.CharField(_("Step"), max_length=14, choices=Thread.choices)
    text = models.TextField(_("Comment"))
    mentioned = models.JSONField(default=list)
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    written_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("written_at",)
        verbose_name = _("comment")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="comment_says_something"),
            models.CheckConstraint(condition=Q(thread__in=Thread.values), name="comment_thread_known"),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} · {self.get_thread_display()}"


class Notification(models.Model):
    """A message to one person that something in a project wants their attention."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", null=True)
    action = models.CharField(max_length=80)
    actor = models.CharField(max_length=150, blank=True)
    reason = models.TextField(blank=True, default="")
    # What else the sentence of the action names: a date, a number of values.
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-at",)
        indexes = [
            models.Index(fields=("user", "read_at")),
            models.Index(fields=("user", "-at"), name="notification_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.action} → {self.user_id}"


class TourSeen(models.Model):
    """Somebody has been led round as one kind of person (``help/tours.py``), or wanted none of it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    audience = models.CharField(max_length=20)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=("user", "audience"), name="core_tour_seen_once")]

    def __str__(self) -> str:
        return f"{self.audience} → {self.user_id}"
