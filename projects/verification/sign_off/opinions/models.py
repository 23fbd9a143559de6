"""An external assessor is asked about one measured result, and answers once."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.models import Project


class Fitness(models.TextChoices):
    """Whether the result is of use for what it is meant for."""

    FIT = "fit", pgettext_lazy("of a result", "Fit for the purpose")
    LIMITED = "limited", pgettext_lazy("of a result", "Fit within limits")
    UNFIT = "unfit", pgettext_lazy("of a result", "Not fit for the purpose")


class UtilityOpinion(GovernedRecord):
    """One question to one external assessor about the result that ``verification`` has measured, and the answer: of the very
    content that who signs approves. Asked once of each assessor; what was asked and answered stays."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="utility_opinions")
    verification = models.ForeignKey(
        "verification.Verification", on_delete=models.PROTECT, related_name="opinions"
    )
    assessor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    question = models.TextField(_("What it is to be judged for"))
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    verdict = models.CharField(_("Verdict"), max_length=8, choices=Fitness.choices, blank=True)
    reason = models.TextField(_("Reason"), blank=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-asked_at",)
        verbose_name = _("outside review of usefulness")
        constraints = [
            models.UniqueConstraint(fields=("verification", "assessor"), name="opinion_asked_once"),
            models.CheckConstraint(condition=~Q(question=""), name="opinion_asks_something"),
            models.CheckConstraint(
                condition=Q(verdict="", reason="", answered_at=None)
                | (Q(verdict__in=Fitness.values, answered_at__isnull=False) & ~Q(reason="")),
                name="opinion_given_whole_or_absent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verification} · {self.assessor}"

    @property
    def subject(self) -> Subject:
        return Subject("utility_opinion", str(self.pk), str(self), self.verification.content_hash)
