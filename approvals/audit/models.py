"""The audit log: append-only and hash-chained.

No foreign keys, so that the log outlives what it logs. Database triggers (migration 0002) refuse
UPDATE and DELETE as well; the chain finds whoever goes round them.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.governed import GovernanceBypassed


class AppendOnlyQuerySet(models.QuerySet["AuditEvent"]):
    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise GovernanceBypassed("the audit log is append-only")

    update = delete = bulk_create = bulk_update = _refuse


class AuditEvent(models.Model):
    """One act: who did what to which subject, when, why, with which facts."""

    seq = models.PositiveBigIntegerField(primary_key=True, verbose_name=pgettext_lazy("serial", "Number"))
    at = models.DateTimeField(verbose_name=_("Time"))
    act = models.UUIDField(verbose_name=_("User action"), db_index=True)
    actor_id = models.CharField(max_length=40, blank=True)
    actor = models.CharField(max_length=150, verbose_name=_("Who"))
    action = models.CharField(max_length=80, verbose_name=_("Action"))
    project_id = models.UUIDField(null=True)
    subject_kind = models.CharField(max_length=40, blank=True)
    subject_id = models.CharField(max_length=64, blank=True)
    subject = models.CharField(max_length=200, blank=True, verbose_name=_("Subject"))
    subject_hash = models.CharField(max_length=64, blank=True)
    reason = models.TextField(blank=True, verbose_name=_("Reason"))
    facts = models.JSONField(default=dict)
    # What the rows that give permission were left as by this act: label → {"fields", "digests": id → SHA-256, "" when
    # the row was removed}.
    rows = models.JSONField(default=dict)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    # Empty in rows from before rows were sealed one by one.
    seal = models.CharField(max_length=64, blank=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ("-seq",)
        verbose_name = _("audit event")
        # Each filter of the log is answered, counted and put in order from its index alone (selectors.py).
        indexes = [
            models.Index(fields=("at", "seq"), name="audit_by_time"),
            models.Index(fields=("actor", "seq"), name="audit_by_actor"),
            models.Index(fields=("action", "seq"), name="audit_by_action"),
            models.Index(fields=("project_id", "seq"), name="audit_by_project"),
        ]

    def __str__(self) -> str:
        return f"#{self.seq} {self.action}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        raise GovernanceBypassed("the audit log is written by recording() only")

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        raise GovernanceBypassed("the audit log is append-only")


class AuditHead(models.Model):
    """The end of the chain, sealed with a key that the database does not hold.

    Without it, cutting rows off the end of the chain would leave no trace.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)
    seal = models.CharField(max_length=64)
    # Of the master key that the log was begun under, to tell a wrong key from a log that was touched.
    key_check = models.CharField(max_length=64, blank=True)
    # {"shape", "buckets": {number: digest}} of the rows that give permission, and the seal over it and this end.
    state = models.JSONField(default=dict)
    state_seal = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="audit_head_is_single")]

    def __str__(self) -> str:
        return f"#{self.seq}"


class AuditState(models.Model):
    """One bucket of digests: ``units`` is {"label owner": keyed digest of the rows} (:mod:`approvals.audit.state`)."""

    number = models.PositiveSmallIntegerField(primary_key=True)
    units = models.JSONField(default=dict)

    def __str__(self) -> str:
        return str(self.number)


class AuditCheck(models.Model):
    """A check of the whole chain that goes on in short slices; ticks, so it is a plain model.

    ``seq`` and ``hash`` say how far it has come; ``faults`` is a list of ``{"kind", "params"}``.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)
    until = models.PositiveBigIntegerField()
    rows = models.PositiveBigIntegerField(default=0)
    faults = models.JSONField(default=list)
    # The row that somebody had written down, if any: the log must still have it.
    expected_seq = models.PositiveBigIntegerField(null=True)
    expected_hash = models.CharField(max_length=64, blank=True)
    # Over all of the above, so that nobody without the key writes a verdict.
    seal = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("-started_at",)
        constraints = [
            models.CheckConstraint(
                condition=models.Q(expected_seq=None, expected_hash="")
                | (models.Q(expected_seq__isnull=False) & ~models.Q(expected_hash="")),
                name="audit_check_expects_both_or_nothing",
            )
        ]

    def __str__(self) -> str:
        return f"{self.seq}/{self.until}"

    @property
    def percent(self) -> int:
        return 100 if self.finished_at or not self.until else min(99, self.seq * 100 // self.until)
