"""Scans of a data set, what each method found, the executor's verdict per column, and whose rows a table holds."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.objective.enums import Classification

from .enums import ColumnRole, Method, RoundStatus, Severity


class IdentificationRound(GovernedRecord):
    """One application of the look-up and the rules to every row of one data set.

    ``report`` is what both methods found, per column: counts, rates and row numbers, never values.
    """

    project = models.ForeignKey("core.Project", on_delete=models.PROTECT, related_name="rounds")
    dataset = models.ForeignKey("datasets.Dataset", on_delete=models.PROTECT, related_name="+")
    dataset_sha256 = models.CharField(max_length=64)
    number = models.PositiveIntegerField(verbose_name=pgettext_lazy("serial", "Number"))
    status = models.CharField(max_length=10, choices=RoundStatus.choices, default=RoundStatus.RUNNING)
    report = models.JSONField(default=dict)
    report_hash = models.CharField(max_length=64, blank=True)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("identification round")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="identification_round_numbered"),
            models.UniqueConstraint(
                fields=("project",), condition=Q(status="running"), name="identification_one_round_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(status="running", finished_at=None, report_hash="")
                | Q(status__in=("failed", "cancelled"), finished_at__isnull=False, report_hash="")
                | (Q(status="finished", finished_at__isnull=False) & ~Q(report_hash="")),
                name="identification_round_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dataset.label} · {self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("identification_round", str(self.pk), str(self), self.report_hash)


class MethodPart(models.Model):
    """What one method found in a running round: the unit of restart, gathered when the round finishes.

    It ticks along with the job, so it is not governed; the finished round's report is.
    """

    round = models.ForeignKey(IdentificationRound, on_delete=models.CASCADE, related_name="parts")
    method = models.CharField(max_length=10, choices=Method.choices)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(auto_now_add=True)
    report = models.JSONField()

    class Meta:
        ordering = ("finished_at",)
        constraints = [models.UniqueConstraint(fields=("round", "method"), name="identification_part_once")]

    def __str__(self) -> str:
        return f"{self.round_id}: {self.method}"


class ColumnVerdict(GovernedRecord):
    """The executor's verdict about one column in the light of one round (5.3.4).

    A changed verdict is a new row; the former one stays and is marked as superseded.
    ``provenance`` holds what the look-up and the rules said when the verdict was given, ``overrules``
    the findings that the verdict sets aside.
    """

    project = models.ForeignKey("core.Project", on_delete=models.PROTECT, related_name="+")
    dataset = models.ForeignKey("datasets.Dataset", on_delete=models.PROTECT, related_name="+")
    round = models.ForeignKey(IdentificationRound, on_delete=models.PROTECT, related_name="verdicts")
    # As long as the readers of tables let a name be (techniques.tables.limits).
    column = models.CharField(max_length=512, verbose_name=_("Column"))
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=ColumnRole.choices, verbose_name=_("Role"))
    kind = models.CharField(max_length=40, blank=True, verbose_name=_("Kind"))
    severity = models.CharField(
        max_length=10, blank=True, choices=Severity.choices, verbose_name=_("Harm when it becomes known")
    )
    # As the data of the project are graded, where nobody said otherwise.
    grade = models.CharField(
        max_length=10, blank=True, choices=Classification.choices, verbose_name=_("Grade of the column")
    )
    reason = models.TextField(verbose_name=_("Reason"))
    accepted = models.BooleanField(default=False, verbose_name=_("Suggestion accepted"))
    overrules = models.JSONField(default=list, blank=True)
    provenance = models.JSONField(default=dict)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)
    superseded_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("position", "-decided_at")
        verbose_name = _("column verdict")
        constraints = [
            models.UniqueConstraint(
                fields=("round", "column"),
                condition=Q(superseded_at=None),
                name="identification_one_verdict_per_column",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="identification_verdict_has_reason"),
            models.CheckConstraint(
                condition=Q(role__in=ColumnRole.values), name="identification_verdict_role_known"
            ),
            models.CheckConstraint(
                condition=Q(severity="") | Q(role=ColumnRole.SENSITIVE, severity__in=Severity.values),
                name="identification_verdict_severity_of_sensitive",
            ),
            models.CheckConstraint(
                condition=Q(grade="")
                | (
                    Q(grade__in=Classification.values)
                    & ~Q(role=ColumnRole.SENSITIVE, grade=Classification.GENERAL)
                ),
                name="identification_verdict_grade_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.column}: {self.role_said}"

    @property
    def role_said(self) -> str:
        """The role in the reader's words, with the harm that a sensitive attribute does and the grade, where somebody said so."""
        said = (self.get_role_display(), self.get_severity_display(), self.get_grade_display())
        return " · ".join(filter(None, said))


class PersonCount(models.Model):
    """How many rows there are of a person by a key that somebody asked for: numbers, never a value.

    A job counts it beside what the scan itself has counted; what was decided by it is governed, it is not.
    """

    round = models.ForeignKey(IdentificationRound, on_delete=models.CASCADE, related_name="person_counts")
    counted = models.JSONField()
    counted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("counted_at", "pk")

    def __str__(self) -> str:
        return f"{self.round_id}: {', '.join(self.counted['columns'])}"


@proven(project="project")
class PersonKey(GovernedRecord):
    """The executor's word on whose rows a table holds, in the light of one round (B.1).

    Rows with the same values in ``columns`` are of one person; without columns one row is one person. ``counted`` is
    what was counted by them when that was decided (:class:`.persons.counts.Counted`). A changed decision is a new row;
    the former one stays and is marked as superseded.
    """

    project = models.ForeignKey("core.Project", on_delete=models.PROTECT, related_name="+")
    dataset = models.ForeignKey("datasets.Dataset", on_delete=models.PROTECT, related_name="+")
    round = models.ForeignKey(IdentificationRound, on_delete=models.PROTECT, related_name="person_keys")
    columns = models.JSONField(default=list, blank=True)
    counted = models.JSONField(default=dict, blank=True)
    reason = models.TextField(verbose_name=_("Reason"))
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)
    superseded_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-decided_at",)
        verbose_name = _("decision whose rows a table holds")
        constraints = [
            models.UniqueConstraint(
                fields=("round",),
                condition=Q(superseded_at=None),
                name="identification_one_person_key_per_round",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="identification_person_key_has_reason"),
        ]

    def __str__(self) -> str:
        return ", ".join(self.columns)

    @property
    def subject(self) -> Subject:
        return Subject("person_key", str(self.pk), str(self.dataset.label), "")
