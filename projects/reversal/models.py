"""Requests to get values back, from the question to the destruction of the answer."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.datasets.tables.names import column_label
from projects.processing.models import Run

from .enums import ReversalStatus, WayBack


@proven(project="project", many=True)
class ReversalRequest(GovernedRecord):
    """One person's request for values of one column of a run, and a second person's decision.

    ``table`` is the name of the run's table, empty where it has a single one.
    ``asked`` and ``answer`` are encrypted files; their plaintext begins with random bytes, so that their
    hashes tell nothing of the few values in them. Triggers (``projects.reversal.triggers``) keep the request and the
    decision unchanged, and the two persons different.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="reversals")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="reversals")
    table = models.CharField(_("Table"), max_length=40, blank=True)
    column = models.CharField(_("Column"), max_length=512)
    way = models.CharField(_("Way back"), max_length=16, choices=WayBack.choices)
    asked = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+")
    values_count = models.PositiveIntegerField(_("Values"))
    reason = models.CharField(_("Reason"), max_length=500)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(
        _("State"), max_length=10, choices=ReversalStatus.choices, default=ReversalStatus.WAITING
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.CharField(_("Reason"), max_length=500, blank=True)
    job_id = models.UUIDField(null=True)
    failed_code = models.CharField(max_length=80, blank=True)
    answer = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+", null=True)
    found_count = models.PositiveIntegerField(null=True)
    readable_until = models.DateTimeField(null=True)
    reads = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("reversal")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="reversal_number_once_per_project"),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("asked_by")), name="reversal_second_person"
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=("waiting", "lapsed"), decided_by=None, decided_at=None, decision_reason=""
                )
                | (
                    ~Q(status__in=("waiting", "lapsed"))
                    & Q(decided_by__isnull=False, decided_at__isnull=False)
                    & ~Q(decision_reason="")
                ),
                name="reversal_decided_whole",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=("ready", "ended"),
                    answer__isnull=False,
                    found_count__isnull=False,
                    readable_until__isnull=False,
                )
                | (
                    ~Q(status__in=("ready", "ended"))
                    & Q(answer=None, found_count=None, readable_until=None, reads=0)
                ),
                name="reversal_answer_only_when_done",
            ),
            models.CheckConstraint(
                condition=(Q(status="failed") & ~Q(failed_code=""))
                | (~Q(status="failed") & Q(failed_code="")),
                name="reversal_failure_says_why",
            ),
            models.CheckConstraint(
                condition=~Q(reason="") & Q(values_count__gt=0), name="reversal_has_reason"
            ),
            models.CheckConstraint(
                condition=Q(status__in=ReversalStatus.values), name="reversal_status_known"
            ),
            models.CheckConstraint(condition=Q(way__in=WayBack.values), name="reversal_way_known"),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} V{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("reversal", str(self.pk), str(self), self.asked.sha256)

    @property
    def place(self) -> str:
        """The column, with its table where the run has several."""
        return column_label(self.table, self.column)

    @property
    def is_over(self) -> bool:
        """Whether the time in which the answer may be read is over."""
        return self.readable_until is not None and timezone.now() >= self.readable_until
