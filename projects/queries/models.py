"""The account of a data set: what was granted, and every question with what it cost."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project
from projects.datasets.models import Dataset
from techniques.models.differential_privacy.loss import PLACES

from .enums import Exhaustion, GrantStatus, QueryStatus
from .local.models import LocalEstimate as LocalEstimate


@proven(project="project")
class Grant(GovernedRecord):
    """An amount of ε for the answers from a data set, or of it for one ``recipient``: proposed by one person, granted by another.

    The first grant to a data set opens its account; ``delta``, ``composition``, ``neighbours``, ``part`` and ``exhaustion`` are its
    alone. Further ones add to the ε of the data set or of a recipient. ``part`` is the column whose values tell apart parts that share
    nobody (parallel composition), "" where there is none.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="grants")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="grants")
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    # In thousand millionths: a whole number reads the same wherever it is written.
    nano_epsilon = models.BigIntegerField("ε · 10⁹")
    delta = models.FloatField("δ", default=0.0)
    composition = models.CharField(_("How costs add up"), max_length=10, default="sequential")
    neighbours = models.CharField(_("What is compared"), max_length=10, default="add_remove")
    part = models.CharField(_("Parts that share nobody"), max_length=512, blank=True)
    exhaustion = models.CharField(
        _("When it is spent"), max_length=4, choices=Exhaustion.choices, default=Exhaustion.STOP
    )
    reason = models.CharField(_("Reason"), max_length=500)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(
        _("State"), max_length=8, choices=GrantStatus.choices, default=GrantStatus.WAITING
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.CharField(_("Reason"), max_length=500, blank=True)

    class Meta:
        ordering = ("number",)
        verbose_name = _("budget of answers")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="grant_number_once_per_project"),
            models.CheckConstraint(condition=Q(nano_epsilon__gt=0) & Q(delta__gte=0) & Q(delta__lt=1), name="grant_amount"),
            models.CheckConstraint(condition=Q(decided_by=None) | ~Q(decided_by=F("proposed_by")), name="grant_second_person"),
            models.CheckConstraint(
                condition=Q(status="waiting", decided_by=None, decided_at=None, decision_reason="")
                | (~Q(status="waiting") & Q(decided_by__isnull=False, decided_at__isnull=False) & ~Q(decision_reason="")),
                name="grant_decided_whole",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="grant_has_reason"),
            models.CheckConstraint(condition=Q(status__in=GrantStatus.values), name="grant_status_known"),
            models.CheckConstraint(condition=Q(exhaustion__in=Exhaustion.values), name="grant_exhaustion_known"),
            models.CheckConstraint(
                condition=Q(composition__in=("sequential", "zcdp"), neighbours__in=("add_remove", "change")),
                name="grant_counting_known",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.project.number} B{self.number}"

    @property
    def epsilon(self) -> Decimal:
        """The amount."""
        return self.nano_epsilon * PLACES

    @property
    def subject(self) -> Subject:
        return Subject("grant", str(self.pk), str(self), "")


@proven(project="project", many=True)
class Query(GovernedRecord):
    """A recipient's question to a data set, what it costs, and its answer; a refused one too.

    ``question`` is :class:`techniques.models.differential_privacy.question.Question` as JSON, ``loss`` its charge, ``answer``
    what left. A question that was asked before is ``same_as`` the one that was paid for.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="queries")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="queries")
    release_id = models.UUIDField()
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    question = models.JSONField()
    question_hash = models.CharField(max_length=64)
    person_key = models.JSONField(default=list)
    loss = models.JSONField()
    status = models.CharField(_("State"), max_length=8, choices=QueryStatus.choices)
    same_as = models.ForeignKey("self", on_delete=models.PROTECT, related_name="repeats", null=True)
    answer = models.JSONField(null=True)
    failed_code = models.CharField(max_length=80, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("question")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="query_number_once_per_project"),
            models.UniqueConstraint(
                fields=("dataset", "question_hash"), condition=Q(status__in=("running", "answered")), name="query_paid_for_once"
            ),
            models.CheckConstraint(condition=Q(status__in=QueryStatus.values), name="query_status_known"),
            models.CheckConstraint(
                condition=Q(status="answered", answer__isnull=False, answered_at__isnull=False)
                | (~Q(status="answered") & Q(answer=None, answered_at=None)),
                name="query_answer_only_when_charged",
            ),
            models.CheckConstraint(
                condition=Q(status="repeated", same_as__isnull=False) | (~Q(status="repeated") & Q(same_as=None)),
                name="query_repeats_another",
            ),
            models.CheckConstraint(
                condition=(Q(status="failed") & ~Q(failed_code="")) | (~Q(status="failed") & Q(failed_code="")),
                name="query_failure_says_why",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.project.number} Q{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("query", str(self.pk), str(self), self.question_hash)

    @property
    def paid(self) -> Query:
        """The question that was paid for: this one, or the one that it repeats."""
        return self.same_as or self
