"""Long work as rows: the row is the truth, the broker's message only says "look at it".

Rows tick (heartbeat, share), so they are plain models; start, end and resumption leave audit
events through ``services.py``.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.models import Project
from techniques.core.messages import filled

from .enums import ACTIVE, ItemStatus, JobStatus


class Job(models.Model):
    """One piece of long work about one subject, asked for by one person.

    ``title`` and ``error_message`` are untranslated message ids; ``title_text`` and ``error_text``
    are what a reader sees. ``share`` is 0…1. ``stalled_attempts`` counts the times a worker took the job up since an
    item was last finished; a job that keeps killing its worker is given up.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=60)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="jobs", null=True)
    subject_kind = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=64)
    subject_label = models.CharField(max_length=200, blank=True)
    title = models.CharField(max_length=200, verbose_name=_("Title"))
    params = models.JSONField(default=dict)
    status = models.CharField(
        max_length=10, choices=JobStatus.choices, default=JobStatus.QUEUED, verbose_name=_("State")
    )
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True)
    lease_owner = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    stalled_attempts = models.PositiveIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    cancelled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    share = models.FloatField(default=0.0)
    estimate_seconds = models.FloatField(null=True)
    error_code = models.CharField(max_length=80, blank=True)
    error_message = models.TextField(blank=True)
    error_params = models.JSONField(default=dict)

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("job")
        indexes = [models.Index(fields=("status", "lease_until"))]
        constraints = [
            models.CheckConstraint(
                condition=Q(lease_owner="", lease_until=None)
                | (~Q(lease_owner="") & Q(lease_until__isnull=False)),
                name="job_lease_whole_or_absent",
            ),
            models.CheckConstraint(
                condition=Q(status__in=ACTIVE, finished_at=None)
                | (~Q(status__in=ACTIVE) & Q(finished_at__isnull=False, lease_owner="")),
                name="job_finished_when_final",
            ),
            models.CheckConstraint(
                condition=(Q(status="failed") & ~Q(error_code="")) | (~Q(status="failed") & Q(error_code="")),
                name="job_error_only_when_failed",
            ),
            models.UniqueConstraint(
                fields=("kind", "subject_id"),
                condition=Q(status__in=ACTIVE),
                name="job_one_active_per_kind_and_subject",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE

    @property
    def is_stopping(self) -> bool:
        """A person asked to cancel it and its worker has not let go yet."""
        return self.is_active and self.cancel_requested

    @property
    def title_text(self) -> str:
        return gettext(self.title) if self.title else self.kind

    @property
    def error_text(self) -> str:
        """Why the job failed, in the reader's language."""
        if not self.error_message:
            return ""
        text = gettext(self.error_message)
        params = dict(self.error_params)
        if isinstance(params.get("columns"), str):
            # The engine knows no language, and joins what it names by commas.
            params["columns"] = str(params["columns"]).replace(", ", gettext(", "))
        return filled(text, params) if params else text

    @property
    def state(self) -> str:
        """The word that the progress component knows."""
        if self.is_stopping:
            return "cancelling"
        return "done" if self.status == JobStatus.SUCCEEDED else self.status

    @property
    def estimate_text(self) -> str:
        """How long the rest will take, in words; empty while unknown."""
        if self.status != JobStatus.RUNNING or self.is_stopping:
            return ""
        if self.share >= 1.0:
            return gettext("the work is done and is being recorded")
        if self.estimate_seconds is None:
            return ""
        seconds = max(1, round(self.estimate_seconds))
        if seconds < 60:
            return ngettext("about %(n)s second left", "about %(n)s seconds left", seconds) % {"n": seconds}
        minutes = round(seconds / 60)
        return ngettext("about %(n)s minute left", "about %(n)s minutes left", minutes) % {"n": minutes}

    @property
    def percent(self) -> int:
        """Whole per cent, rounded down; 100 means finished, so that a job that still runs has 99 at most."""
        most = 0.99 if self.is_active else 1.0
        return int(max(0.0, min(most, self.share)) * 100)

    @property
    def subject(self) -> Subject:
        """The job itself as the subject of an audit event."""
        return Subject("job", str(self.pk), self.subject_label or self.title)


class JobItem(models.Model):
    """The unit of restart: a finished item is never run again.

    The attempt is counted before trying; ``output_hash`` is recorded with the end. ``title`` is an
    untranslated message id with placeholders for ``params``, whose texts may be message ids themselves.
    """

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=200)
    title = models.CharField(max_length=200, blank=True)
    params = models.JSONField(default=dict)
    weight = models.FloatField(default=1.0)
    status = models.CharField(max_length=10, choices=ItemStatus.choices, default=ItemStatus.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    output_hash = models.CharField(max_length=128, blank=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("position",)
        constraints = [
            models.UniqueConstraint(fields=("job", "position"), name="jobitem_position_once"),
            models.UniqueConstraint(fields=("job", "key"), name="jobitem_key_once"),
            models.CheckConstraint(
                condition=Q(status="done", finished_at__isnull=False)
                | (~Q(status="done") & Q(finished_at=None, output_hash="")),
                name="jobitem_finished_when_done",
            ),
            models.CheckConstraint(condition=Q(weight__gt=0), name="jobitem_weight_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.job_id} {self.key}"

    @property
    def title_text(self) -> str:
        """What the item does, in the reader's language."""
        if not self.title:
            return self.key
        named = {k: gettext(v) if v and isinstance(v, str) else v for k, v in self.params.items()}
        return gettext(self.title) % named if named else gettext(self.title)


# Constraints of a job's result; each subclass has them under its own name.
NUMBERED_ONCE = models.UniqueConstraint(
    fields=("project", "number"), name="%(class)s_number_once_per_project"
)
WHOLE_OR_ABSENT = models.CheckConstraint(
    condition=Q(measured_at=None, content_hash="") | (Q(measured_at__isnull=False) & ~Q(content_hash="")),
    name="%(class)s_whole_or_absent",
)


class JobResult(GovernedRecord):
    """Base of a row that one job fills: numbered in its project, asked for, measured whole, or broken off.

    A subclass has ``project`` (in which its rows are numbered), ``number``, a ``content_hash`` that is empty until the
    job has measured, and its own constraints beside these. ``ended_at`` is also set when the job broke off; then
    ``measured_at`` stays None for good.
    """

    letter: ClassVar[str] = ""
    project: models.ForeignKey[Any, Project]
    project_id: uuid.UUID
    number: models.PositiveIntegerField[Any, int]

    job_id = models.UUIDField(null=True)
    content_hash = models.CharField(_("Content hash"), max_length=64, blank=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(auto_now_add=True)
    measured_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ("-number",)
        constraints = [NUMBERED_ONCE, WHOLE_OR_ABSENT]

    def __str__(self) -> str:
        return f"{self.project.number} {self.letter}{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject(str(self._meta.model_name), str(self.pk), str(self), self.content_hash)
