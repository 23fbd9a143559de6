"""Samples of released files that recipients check, what they found in them, and what they did about it."""

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

from .enums import DeviationKind, RemedyKind, RemedyState, SampleOutcome


class ReceivedSample(GovernedRecord):
    """Row numbers that were drawn for a recipient from a file that they fetched, and their report about these rows.

    :func:`projects.findings.draw.rows_drawn` draws the same again from ``rows``, ``seed`` and ``size``; no value of a row is
    ever read, unless it is drawn ``inside`` an enclave, where nobody has a copy. ``file`` is the place in ``Release.files``.

    Inside, whole ``persons`` are drawn, of so many, where the run knows whose rows are whose; ``shown_rows`` lie in the encrypted
    ``content`` until ``kept_until`` or the report, and ``looked`` of those drawn were shown whole on ``pages_seen`` (from 1).
    """

    release = models.ForeignKey("releases.Release", on_delete=models.PROTECT, related_name="samples")
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    file = models.PositiveIntegerField(_("File"))
    rows = models.PositiveBigIntegerField(_("Rows"))
    size = models.PositiveIntegerField(_("Rows drawn"))
    seed = models.CharField(_("Seed"), max_length=32)
    drawn_at = models.DateTimeField(auto_now_add=True)
    inside = models.BooleanField(default=False)
    persons = models.PositiveBigIntegerField(null=True)
    # The database itself refuses: a PROTECT is one more statement for whoever clears a workspace.
    content = models.OneToOneField(StoredFile, on_delete=models.DO_NOTHING, related_name="+", null=True)
    kept_until = models.DateTimeField(null=True)
    is_cut = models.BooleanField(default=False)
    shown_rows = models.PositiveIntegerField(default=0)
    pages_seen = models.JSONField(default=list)
    looked = models.PositiveIntegerField(default=0)
    outcome = models.CharField(
        _("Result"), max_length=8, choices=SampleOutcome.choices, default=SampleOutcome.OPEN
    )
    checked_on = models.DateField(_("Checked on"), null=True)
    checked = models.PositiveIntegerField(_("Rows looked through"), null=True)
    reported_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-drawn_at",)
        verbose_name = _("sample of a recipient")
        constraints = [
            models.UniqueConstraint(fields=("release", "number"), name="sample_number_once_per_release"),
            models.UniqueConstraint(
                fields=("release", "recipient"),
                condition=Q(outcome__in=("reading", "open")),
                name="sample_one_open",
            ),
            models.CheckConstraint(
                condition=Q(size__gt=0, size__lte=F("rows")) & ~Q(seed=""), name="sample_draws_something"
            ),
            models.CheckConstraint(
                condition=Q(
                    outcome__in=("reading", "open", "failed"), checked_on=None, checked=None, reported_at=None
                )
                | Q(
                    outcome__in=("nothing", "found"),
                    checked_on__isnull=False,
                    checked__gt=0,
                    checked__lte=F("size"),
                    reported_at__isnull=False,
                ),
                name="sample_reported_whole_or_open",
            ),
            models.CheckConstraint(
                condition=Q(inside=True)
                | Q(
                    outcome__in=("open", "nothing", "found"),
                    persons=None,
                    content=None,
                    kept_until=None,
                    shown_rows=0,
                    looked=0,
                ),
                name="sample_read_in_an_enclave_only",
            ),
            models.CheckConstraint(
                condition=Q(inside=False) | Q(checked=None) | Q(checked__lte=F("looked")),
                name="sample_inside_reported_as_seen",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.release} P{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("received_sample", str(self.pk), str(self))

    @property
    def project_id(self) -> uuid.UUID:
        return self.release.project_id

    @property
    def project(self) -> Project:
        return self.release.project

    @property
    def file_name(self) -> str:
        return str(self.release.files[self.file]["file_name"])

    @property
    def population(self) -> int:
        """Among how many was drawn."""
        return self.rows if self.persons is None else self.persons

    @property
    def drawn(self) -> int:
        return min(self.size, self.population)

    @property
    def is_kept(self) -> bool:
        """Whether the rows that were drawn inside lie ready to be looked at."""
        return self.content is not None and self.content.destroyed_at is None


class SampleDeviation(GovernedRecord):
    """One thing that a recipient found in a sample, with the finding of the project that it became; written once."""

    sample = models.ForeignKey(ReceivedSample, on_delete=models.PROTECT, related_name="deviations")
    kind = models.CharField(_("What was found"), max_length=10, choices=DeviationKind.choices)
    text = models.TextField(_("Description"))
    ticket = models.OneToOneField("findings.Finding", on_delete=models.PROTECT, related_name="deviation")

    class Meta:
        ordering = ("ticket__number",)
        verbose_name = _("what a recipient found")
        constraints = [
            models.UniqueConstraint(fields=("sample", "kind"), name="deviation_once_per_kind"),
            models.CheckConstraint(
                condition=Q(kind__in=DeviationKind.values) & ~Q(text=""), name="deviation_says_what"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sample} · {self.get_kind_display()}"

    @property
    def subject(self) -> Subject:
        return Subject("sample_deviation", str(self.pk), str(self.ticket))

    @property
    def project_id(self) -> uuid.UUID:
        return self.ticket.project_id


class RecipientRemedy(GovernedRecord):
    """What a recipient says that they did with the data; the supervisor confirms it, or asks again with a reason.

    ``stead_reason`` is empty unless the planning manager stated it in the recipient's stead.
    """

    deviation = models.ForeignKey(SampleDeviation, on_delete=models.PROTECT, related_name="remedies")
    kind = models.CharField(_("What was done with the data"), max_length=8, choices=RemedyKind.choices)
    text = models.TextField(_("Description"))
    done_on = models.DateField(_("Done on"))
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)
    stead_reason = models.CharField(
        _("Why you state it in the recipient's stead"), max_length=500, blank=True, default=""
    )
    state = models.CharField(max_length=9, choices=RemedyState.choices, default=RemedyState.WAITING)
    reason = models.CharField(_("Reason"), max_length=500, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("recorded_at",)
        verbose_name = _("remedy of a recipient")
        constraints = [
            models.UniqueConstraint(
                fields=("deviation",), condition=~Q(state="again"), name="recipient_remedy_one_current"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=RemedyKind.values) & ~Q(text=""), name="recipient_remedy_says_what"
            ),
            models.CheckConstraint(
                condition=~Q(kind="unclear", stead_reason=""), name="recipient_remedy_unclear_in_stead"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", reason="", decided_by=None, decided_at=None)
                | (
                    Q(state__in=("confirmed", "again"), decided_by__isnull=False, decided_at__isnull=False)
                    & ~Q(reason="")
                ),
                name="recipient_remedy_decided_whole",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("recorded_by")),
                name="recipient_remedy_second_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deviation} · {self.get_kind_display()}"
