"""Stage reviews and sign-offs: what people decided about which content.

A decision knows its subject by kind, id and content hash. When the content changes, its hash does,
and the decision lapses: :attr:`SignOff.holds_for` compares.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven


def named(person: Any, in_stead_of: Any) -> str:
    """Who acted, in words: a deputy with the one on whose behalf it was."""
    if in_stead_of is None:
        return str(person)
    return gettext("%(deputy)s on behalf of %(member)s") % {"deputy": person, "member": in_stead_of}


class ReviewOutcome(models.TextChoices):
    """What a supervisor concludes about a stage."""

    PASSED = "passed", _("Passed")
    RETURNED = "returned", _("Returned for rework")


class ManagementOutcome(models.TextChoices):
    """What senior management concludes about the records of a stage."""

    SOUND = "sound", _("Complete and sound")
    DEVIATING = "deviating", _("Deviations were found")


class ItemAnswer(models.TextChoices):
    """What a supervisor says of one item of a checklist."""

    HOLDS = "holds", _("Holds")
    FAILS = "fails", _("Does not hold")
    NOT_APPLICABLE = "not_applicable", _("Not applicable")


class Decision(models.TextChoices):
    """What senior management decides."""

    APPROVED = "approved", _("Approved")
    RETURNED = "returned", _("Returned")
    REJECTED = "rejected", _("Rejected")


class FiveFields(GovernedRecord):
    """The mandatory fields that the record of a review has by GB/T 37964 5.6.1."""

    object = models.TextField(verbose_name=_("Object of the review"))
    time = models.DateTimeField(verbose_name=_("Time of the review"))
    process = models.TextField(verbose_name=_("Process of the review"))
    result = models.TextField(verbose_name=_("Result of the review"))
    measures = models.TextField(verbose_name=_("Measures taken"))

    class Meta:
        abstract = True


def _has_five_fields(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=~Q(object="") & ~Q(process="") & ~Q(result="") & ~Q(measures=""),
        name=f"{name}_has_its_five_fields",
    )


@proven(project="project_id")
class Review(FiveFields):
    """A stage review of its supervisor."""

    project_id = models.UUIDField(db_index=True)
    stage = models.CharField(max_length=30, verbose_name=_("Stage"))
    subject_kind = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=64)
    subject_hash = models.CharField(max_length=64)
    outcome = models.CharField(max_length=10, choices=ReviewOutcome.choices, verbose_name=_("Conclusion"))
    # What people had put into work that was returned (SHA-256): whether it comes back as it was.
    work_hash = models.CharField(max_length=64, blank=True, default="")
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reviewed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    # Whose deputy acted; nobody where the role was their own.
    in_stead_of = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-recorded_at",)
        verbose_name = _("stage review")
        # Among all projects those are sought whose work was returned last.
        indexes = [models.Index(fields=("outcome",), name="review_by_outcome")]
        constraints = [
            models.CheckConstraint(
                condition=~Q(reviewed_by=F("submitted_by")), name="review_not_of_own_work"
            ),
            _has_five_fields("review"),
            models.CheckConstraint(
                condition=Q(in_stead_of=None)
                | (~Q(in_stead_of=F("reviewed_by")) & ~Q(in_stead_of=F("submitted_by"))),
                name="review_in_stead_of_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.get_outcome_display()}"

    @property
    def reviewer_text(self) -> str:
        return named(self.reviewed_by, self.in_stead_of)


@proven(project="project_id")
class ManagementReview(FiveFields):
    """What senior management found in the records of a stage that its supervisor had passed (5.6.1); written once.

    It moves nothing. ``subject_hash`` is what was judged: of a stage that changed since, the review is of an earlier version.
    """

    project_id = models.UUIDField(db_index=True)
    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="by_management")
    subject_hash = models.CharField(max_length=64, verbose_name=_("Content hash"))
    outcome = models.CharField(max_length=10, choices=ManagementOutcome.choices, verbose_name=_("Conclusion"))
    reviewed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-recorded_at",)
        verbose_name = _("review by senior management")
        constraints = [
            _has_five_fields("managementreview"),
            models.CheckConstraint(
                condition=Q(outcome__in=ManagementOutcome.values), name="managementreview_outcome_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.get_outcome_display()}"

    @property
    def stage(self) -> str:
        return self.review.stage


@proven(project="project_id")
class ChecklistRecord(GovernedRecord):
    """A checklist as it was answered with one review; written once.

    ``rows`` are its items in order: texts (``zh``, ``en``), ``clause``, ``obligatory``, ``answer`` (an :class:`ItemAnswer`, or
    empty) and ``reason``; ``version`` and ``checklist_hash`` say which checklist it was. ``against`` counts the obligatory items
    without an answer or that do not hold.
    """

    project_id = models.UUIDField(db_index=True)
    review = models.OneToOneField(Review, on_delete=models.PROTECT, related_name="checklist")
    version = models.PositiveIntegerField(_("Version"))
    checklist_hash = models.CharField(_("Content hash"), max_length=64)
    rows = models.JSONField()
    against = models.PositiveIntegerField()

    class Meta:
        ordering = ("review",)
        verbose_name = _("answered checklist")

    def __str__(self) -> str:
        return f"{self.review}"

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The rows in the reader's language: ``text``, ``clause``, ``obligatory``, ``answer`` in words, ``reason`` and ``tone``."""
        language = "zh" if (get_language() or "").startswith("zh") else "en"
        return [
            {
                "text": row[language],
                "clause": row["clause"],
                "obligatory": row["obligatory"],
                "answer": str(ItemAnswer(row["answer"]).label) if row["answer"] else _("no answer"),
                "reason": row["reason"],
                "tone": _TONES[row["answer"]],
            }
            for row in self.rows
        ]


_TONES = {
    "": "neutral",
    ItemAnswer.HOLDS: "ok",
    ItemAnswer.FAILS: "fail",
    ItemAnswer.NOT_APPLICABLE: "neutral",
}


@proven(project="project_id")
class SignOff(GovernedRecord):
    """A request to senior management to sign one content, and their decision about exactly that content."""

    project_id = models.UUIDField(db_index=True)
    subject_kind = models.CharField(max_length=40, verbose_name=_("Kind"))
    subject_id = models.CharField(max_length=64)
    subject_label = models.CharField(max_length=200)
    subject_hash = models.CharField(max_length=64, verbose_name=_("Content hash"))
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    submitted_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(
        max_length=10, choices=Decision.choices, blank=True, verbose_name=_("Decision")
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    # Whose deputy acted; nobody where the role was their own.
    in_stead_of = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True, verbose_name=_("Reason"))
    # What is approved although a scale that has to be reached refuses it: why. Empty where there was nothing to accept;
    # None while undecided, and of what was decided before that was asked.
    acceptance = models.TextField(null=True, verbose_name=_("Why it is accepted"))
    # The same of what other releases tell together with what is approved.
    related_acceptance = models.TextField(null=True, verbose_name=_("Why it is accepted"))
    # Which other releases that is about, by their ids; what comes later was not accepted.
    related_accepted = models.JSONField(null=True)
    # As that of a review.
    work_hash = models.CharField(max_length=64, blank=True, default="")
    lapsed_at = models.DateTimeField(null=True)
    lapsed_why = models.CharField(max_length=200, blank=True)
    # How many different people have to approve this content; fixed when it is submitted.
    needed = models.PositiveSmallIntegerField(_("Signatures needed"), default=1)
    # What asks for as many where it is more than one; None of what was submitted before that was kept.
    needed_by = models.JSONField(null=True)

    class Meta:
        ordering = ("-submitted_at",)
        verbose_name = _("sign-off")
        indexes = [models.Index(fields=("decision",), name="signoff_by_decision")]
        constraints = [
            models.CheckConstraint(
                condition=Q(decision="", decided_by=None, decided_at=None, reason="")
                | (~Q(decision="") & Q(decided_by__isnull=False, decided_at__isnull=False) & ~Q(reason="")),
                name="signoff_decision_whole_or_absent",
            ),
            models.CheckConstraint(
                condition=Q(acceptance=None)
                | Q(acceptance="") & ~Q(decision="")
                | Q(decision=Decision.APPROVED),
                name="signoff_accepts_with_an_approval",
            ),
            models.CheckConstraint(
                condition=Q(related_acceptance=None)
                | Q(related_acceptance="") & ~Q(decision="")
                | Q(decision=Decision.APPROVED),
                name="signoff_accepts_related_with_an_approval",
            ),
            models.CheckConstraint(
                condition=Q(lapsed_at=None, lapsed_why="") | (Q(lapsed_at__isnull=False) & ~Q(lapsed_why="")),
                name="signoff_lapse_whole_or_absent",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("submitted_by")),
                name="signoff_not_of_own_work",
            ),
            models.CheckConstraint(
                condition=Q(in_stead_of=None)
                | (
                    Q(decided_by__isnull=False)
                    & ~Q(in_stead_of=F("decided_by"))
                    & ~Q(in_stead_of=F("submitted_by"))
                ),
                name="signoff_in_stead_of_another",
            ),
            models.CheckConstraint(condition=Q(needed__gte=1), name="signoff_needs_somebody"),
            models.UniqueConstraint(
                fields=("project_id", "subject_kind"),
                condition=Q(decision="", lapsed_at=None),
                name="signoff_one_open_per_subject_kind",
            ),
        ]

    def __str__(self) -> str:
        decided = self.get_decision_display() or _("open")
        return f"{self.subject_label}: {decided}"

    @property
    def subject(self) -> Subject:
        """What is signed."""
        return Subject(self.subject_kind, self.subject_id, self.subject_label, self.subject_hash)

    @property
    def is_open(self) -> bool:
        return not self.decision and self.lapsed_at is None

    @property
    def decider_text(self) -> str:
        return named(self.decided_by, self.in_stead_of)

    @property
    def signers_text(self) -> str:
        """Who decided, by name: of an approval that several had to sign all of them, in the order in which they did."""
        if self.decided_by is None:
            return ""
        several = self.needed > 1 and self.decision == Decision.APPROVED
        before = self.signatures.select_related("signed_by", "in_stead_of") if several else ()
        return _(", ").join([*(one.signer_text for one in before), self.decider_text])

    def holds_for(self, content_hash: str) -> bool:
        """Whether this is a current approval of exactly this content."""
        return (
            self.decision == Decision.APPROVED
            and self.lapsed_at is None
            and self.subject_hash == content_hash
        )


@proven(project="project_id")
class Signature(GovernedRecord):
    """An approval of one content by one of several people who have to sign it; the last of them decides the sign-off itself.

    It counts for as long as its sign-off is open or approved: a return, a rejection or another content voids it.
    """

    project_id = models.UUIDField(db_index=True)
    signoff = models.ForeignKey(SignOff, on_delete=models.PROTECT, related_name="signatures")
    subject_hash = models.CharField(max_length=64, verbose_name=_("Content hash"))
    signed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    # Whose deputy acted; nobody where the role was their own.
    in_stead_of = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    signed_at = models.DateTimeField(auto_now_add=True)
    reason = models.TextField(verbose_name=_("Reason"))
    # As those of the sign-off.
    acceptance = models.TextField(null=True, verbose_name=_("Why it is accepted"))
    related_acceptance = models.TextField(null=True, verbose_name=_("Why it is accepted"))
    related_accepted = models.JSONField(null=True)

    class Meta:
        ordering = ("signed_at",)
        verbose_name = _("signature")
        constraints = [
            models.UniqueConstraint(fields=("signoff", "signed_by"), name="signature_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="signature_has_reason"),
            models.CheckConstraint(
                condition=Q(in_stead_of=None) | ~Q(in_stead_of=F("signed_by")),
                name="signature_in_stead_of_another",
            ),
        ]

    def __str__(self) -> str:
        return self.signer_text

    @property
    def signer_text(self) -> str:
        return named(self.signed_by, self.in_stead_of)


@proven(project="project_id")
class Justification(GovernedRecord):
    """Why work that a review or a decision returned is submitted again as it was; written once, with the submission.

    It is part of the content that is judged from then on, so that content has another hash than what was returned.
    """

    project_id = models.UUIDField(db_index=True)
    review = models.OneToOneField(Review, on_delete=models.PROTECT, null=True, related_name="justification")
    signoff = models.OneToOneField(SignOff, on_delete=models.PROTECT, null=True, related_name="justification")
    text = models.TextField(verbose_name=_("Justification"))
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("given_at",)
        verbose_name = _("justification")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="justification_says_something"),
            models.CheckConstraint(
                condition=Q(review=None, signoff__isnull=False) | Q(review__isnull=False, signoff=None),
                name="justification_of_one_return",
            ),
        ]

    def __str__(self) -> str:
        return self.text
