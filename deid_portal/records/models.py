"""What each post asks for, in versions, what is on record about each person, and which trainings are planned."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from deid_portal.organisation.proposals.models import Proposal, two_persons
from projects.core.deadlines import months_later
from techniques.core.canonical import canonical_hash

from .enums import AttendanceOutcome, RecordKind, TrainingStatus


@proven()
class PostCatalogue(Proposal):
    """One version of what each role asks for (6.2 a): ``posts`` is {role: {"technical": text, "confidentiality": text,
    "asks": [kind of record]}}."""

    posts = models.JSONField()

    class Meta:
        ordering = ("-number",)
        verbose_name = _("catalogue of posts")
        constraints = [
            *two_persons("post_catalogue"),
            models.CheckConstraint(condition=~Q(reason=""), name="post_catalogue_has_reason"),
        ]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> Subject:
        return Subject("post_catalogue", str(self.pk), str(self.number), self.content_hash)

    def hash_of_content(self) -> str:
        return canonical_hash([self.number, self.posts])


@proven(person="account")
class StaffRecord(GovernedRecord):
    """That a check, an agreement or a training of somebody took place; written once, and taken back with a reason.

    ``document_hash``: SHA-256 of the scan, in hexadecimal, where there is one; the paper itself lies where ``kept_at`` says.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="staff_records"
    )
    kind = models.CharField(_("Kind"), max_length=12, choices=RecordKind.choices)
    title = models.CharField(_("What it was"), max_length=120)
    done_on = models.DateField(_("On"))
    valid_until = models.DateField(_("Valid until and including"), null=True, blank=True)
    passed = models.BooleanField(_("Passed"))
    kept_at = models.CharField(_("Where the paper lies"), max_length=200)
    document_hash = models.CharField(_("SHA-256 of the scan"), max_length=64, blank=True)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)
    taken_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    taken_back_at = models.DateTimeField(null=True)
    taken_back_why = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("-done_on", "-recorded_at")
        verbose_name = _("record of staff")
        indexes = [models.Index(fields=("account", "kind", "valid_until"), name="staff_record_of_account")]
        constraints = [
            models.CheckConstraint(condition=~Q(title="") & ~Q(kept_at=""), name="staff_record_whole"),
            models.CheckConstraint(condition=Q(kind__in=RecordKind.values), name="staff_record_kind_known"),
            models.CheckConstraint(
                condition=Q(valid_until=None) | Q(valid_until__gte=F("done_on")),
                name="staff_record_ends_after_start",
            ),
            models.CheckConstraint(condition=~Q(account=F("recorded_by")), name="staff_record_by_another"),
            models.CheckConstraint(
                condition=Q(taken_back_by=None, taken_back_at=None, taken_back_why="")
                | (Q(taken_back_by__isnull=False, taken_back_at__isnull=False) & ~Q(taken_back_why="")),
                name="staff_record_taken_back_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account} · {self.title}"

    @property
    def subject(self) -> Subject:
        return Subject("staff_record", str(self.pk), str(self.account))

    @property
    def counts(self) -> bool:
        """Whether it is passed, not taken back, and neither over nor still to come."""
        today = timezone.localdate()
        lasts = self.valid_until is None or self.valid_until >= today
        return self.passed and self.taken_back_at is None and self.done_on <= today and lasts


class RecordScan(GovernedRecord):
    """The scan of the paper behind a record, in the encrypted store; written once. ``sha256``, in hexadecimal, and ``size`` in bytes
    are of the file that was received."""

    record = models.OneToOneField(StaffRecord, on_delete=models.PROTECT, related_name="scan")
    # The database refuses to delete the file; asking here as well would be a statement more for each file that goes.
    stored = models.ForeignKey("datasets.StoredFile", on_delete=models.DO_NOTHING, related_name="+")
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    kept_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kept_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-kept_at",)
        verbose_name = _("scan of a record")

    def __str__(self) -> str:
        return str(self.record)

    @property
    def is_destroyed(self) -> bool:
        """Whether the file is gone: with the record, when it was taken back."""
        return self.record.taken_back_at is not None


@proven()
class Training(GovernedRecord):
    """A training with its test that is planned for who holds ``roles`` (6.2 d); once it was held, who attended it.

    ``valid_months``: for how long a passed test counts, without end where it is None. ``repeat_months``: after how many months it is held
    again, None where nothing is said. ``document_hash``: SHA-256 of the scan of
    the list of attendance, in hexadecimal, where there is one.
    """

    title = models.CharField(_("Training"), max_length=120)
    teaches = models.TextField(_("What it teaches, and how that is tested"))
    roles = models.JSONField()
    held_on = models.DateField(_("On"))
    valid_months = models.PositiveSmallIntegerField(null=True, blank=True)
    repeat_months = models.PositiveSmallIntegerField(null=True, blank=True)
    planned_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    planned_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=10, choices=TrainingStatus.choices, default=TrainingStatus.PLANNED)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    closed_at = models.DateTimeField(null=True)
    cancelled_why = models.CharField(max_length=500, blank=True)
    kept_at = models.CharField(_("Where the list of attendance lies"), max_length=200, blank=True)
    document_hash = models.CharField(_("SHA-256 of the scan"), max_length=64, blank=True)

    class Meta:
        ordering = ("-held_on", "-planned_at")
        verbose_name = _("training")
        indexes = [models.Index(fields=("status", "held_on"), name="training_by_day")]
        constraints = [
            models.CheckConstraint(condition=~Q(title="") & ~Q(teaches=""), name="training_whole"),
            models.CheckConstraint(
                condition=Q(valid_months=None) | Q(valid_months__gte=1), name="training_counts_for_months"
            ),
            models.CheckConstraint(
                condition=Q(repeat_months=None) | Q(repeat_months__gte=1),
                name="training_repeats_after_months",
            ),
            models.CheckConstraint(
                condition=Q(
                    status=TrainingStatus.PLANNED,
                    closed_by=None,
                    closed_at=None,
                    cancelled_why="",
                    kept_at="",
                )
                | (
                    Q(
                        status=TrainingStatus.HELD,
                        closed_by__isnull=False,
                        closed_at__isnull=False,
                        cancelled_why="",
                    )
                    & ~Q(kept_at="")
                )
                | (
                    Q(
                        status=TrainingStatus.CANCELLED,
                        closed_by__isnull=False,
                        closed_at__isnull=False,
                        kept_at="",
                    )
                    & ~Q(cancelled_why="")
                ),
                name="training_closed_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def subject(self) -> Subject:
        return Subject("training", str(self.pk), self.title)

    @property
    def valid_until(self) -> date | None:
        """The last day on which a test that was passed counts."""
        return None if self.valid_months is None else months_later(self.held_on, self.valid_months)


@proven(person="account", many=True)
class Attendance(GovernedRecord):
    """What became of somebody whom a training was for; written once. ``record``: what it put on record, nothing of who was absent."""

    training = models.ForeignKey(Training, on_delete=models.PROTECT, related_name="attendance")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(_("Outcome"), max_length=8, choices=AttendanceOutcome.choices)
    record = models.OneToOneField(StaffRecord, on_delete=models.PROTECT, related_name="+", null=True)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("attendance")
        constraints = [
            models.UniqueConstraint(fields=("training", "account"), name="attendance_once"),
            models.CheckConstraint(
                condition=Q(outcome=AttendanceOutcome.ABSENT, record=None)
                | (Q(outcome__in=(AttendanceOutcome.PASSED, AttendanceOutcome.FAILED), record__isnull=False)),
                name="attendance_on_record",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.training} · {self.account}"
