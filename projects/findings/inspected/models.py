"""Samples of a result that the supervisor looks through, and what was found in them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.datasets.tables.names import titled
from projects.processing.models import Run

from .enums import InspectionKind, InspectionOutcome, SampleUnit


class ResultSample(GovernedRecord):
    """A draw among the records, or persons, of what a run wrote of one table, and what the supervisor found in it.

    :func:`projects.findings.draw.rows_drawn` draws the same again from ``population``, ``seed`` and ``size``; ``sha256`` is of the result.
    ``looked``: of how many of them supervisors were shown every row that is kept, on the ``pages_seen`` (from 1). The draw is in random
    order, so these are a draw themselves, and the report is about them. No value stands in the row: ``content`` is an encrypted file with the rows that were drawn, destroyed at ``kept_until`` or with the
    report, and written anew from the result when somebody has them read again.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="result_samples")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    of_table = models.CharField(_("Table"), max_length=200, blank=True)
    sha256 = models.CharField(max_length=64)
    asked = models.PositiveIntegerField(_("How many to draw"), null=True)
    seed = models.CharField(_("Seed"), max_length=32)
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    drawn_at = models.DateTimeField(auto_now_add=True)
    unit = models.CharField(max_length=6, choices=SampleUnit.choices, blank=True)
    population = models.PositiveBigIntegerField(null=True)
    size = models.PositiveIntegerField(null=True)
    # The database itself refuses: a PROTECT is one more statement for whoever clears a workspace.
    content = models.OneToOneField(StoredFile, on_delete=models.DO_NOTHING, related_name="+", null=True)
    kept_until = models.DateTimeField(null=True)
    # Of persons with many rows, or values that are long, only the beginning is shown.
    is_cut = models.BooleanField(default=False)
    looked_at = models.DateTimeField(null=True)
    pages_seen = models.JSONField(default=list)
    looked = models.PositiveIntegerField(default=0)
    outcome = models.CharField(
        _("Result"), max_length=8, choices=InspectionOutcome.choices, default=InspectionOutcome.READING
    )
    found = models.PositiveIntegerField(null=True)
    remark = models.TextField(_("What was looked at, and how"), blank=True)
    reported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    reported_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("sample of a result")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "number"), name="result_sample_number_once_per_project"
            ),
            models.UniqueConstraint(
                fields=("run",),
                condition=Q(outcome__in=("reading", "open")),
                name="result_sample_one_open",
            ),
            models.CheckConstraint(
                condition=~Q(seed="") & ~Q(sha256="") & (Q(asked=None) | Q(asked__gt=0)),
                name="result_sample_draws_something",
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=("reading", "failed"), unit="", population=None, size=None)
                | Q(
                    outcome__in=("open", "nothing", "found"),
                    unit__in=SampleUnit.values,
                    size__gt=0,
                    size__lte=F("population"),
                    looked__lte=F("size"),
                ),
                name="result_sample_read_whole",
            ),
            models.CheckConstraint(
                condition=Q(
                    outcome__in=("reading", "failed", "open"),
                    found=None,
                    remark="",
                    reported_by=None,
                    reported_at=None,
                )
                | (
                    (Q(outcome="nothing", found=0) | Q(outcome="found", found__gt=0, found__lte=F("looked")))
                    & Q(
                        reported_by__isnull=False,
                        reported_at__isnull=False,
                        looked_at__isnull=False,
                        looked__gt=0,
                    )
                    & ~Q(remark="")
                ),
                name="result_sample_reported_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} C{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("result_sample", str(self.pk), str(self), self.sha256)

    @property
    def place(self) -> str:
        """The run, with the name of its table where there are several."""
        return titled(self.of_table, str(self.run))

    @property
    def is_kept(self) -> bool:
        """Whether the rows that were drawn lie ready to be looked at."""
        return self.content is not None and self.content.destroyed_at is None


class ResultDeviation(GovernedRecord):
    """One thing that the supervisor found in a sample, with the finding of the project that it became; written once."""

    sample = models.ForeignKey(ResultSample, on_delete=models.PROTECT, related_name="deviations")
    kind = models.CharField(_("What was found"), max_length=11, choices=InspectionKind.choices)
    text = models.TextField(_("Description"))
    ticket = models.OneToOneField(
        "findings.Finding", on_delete=models.PROTECT, related_name="result_deviation"
    )

    class Meta:
        ordering = ("ticket__number",)
        verbose_name = _("what was found in a sample of a result")
        constraints = [
            models.UniqueConstraint(fields=("sample", "kind"), name="result_deviation_once_per_kind"),
            models.CheckConstraint(
                condition=Q(kind__in=InspectionKind.values) & ~Q(text=""), name="result_deviation_says_what"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sample} · {self.get_kind_display()}"

    @property
    def subject(self) -> Subject:
        return Subject("result_deviation", str(self.pk), str(self.ticket))

    @property
    def project_id(self) -> uuid.UUID:
        return self.ticket.project_id
