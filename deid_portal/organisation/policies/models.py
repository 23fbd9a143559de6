"""Entries of the policy library, their versions, who acknowledged them, and the owner's reviews."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.datasets.models import StoredFile
from projects.objective.enums import NoticeKind, Regulation
from techniques.core.canonical import canonical_hash

from ..proposals.models import Proposal, ProposalStatus, two_persons
from .enums import PolicyKind


class Policy(GovernedRecord):
    """One entry: what it is, who answers for it, and by when it is looked through again. What it says stands in its versions.

    ``regulation`` is the law or standard of a project's target that the entry is about; ``every_project``: all projects rest on it.
    """

    title = models.CharField(_("Title"), max_length=120)
    kind = models.CharField(_("Kind"), max_length=10, choices=PolicyKind.choices)
    regulation = models.CharField(
        _("The law or standard named in targets"), max_length=12, choices=Regulation.choices, blank=True
    )
    every_project = models.BooleanField(_("Every project rests on it"), default=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("Owner")
    )
    # None until the first version is approved.
    review_on = models.DateField(_("Next review due on"), null=True)
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("kind", "title")
        verbose_name = _("entry of the policy library")
        indexes = [models.Index(fields=("owner", "review_on"), name="policy_review_of_owner")]
        constraints = [
            models.UniqueConstraint(fields=("title",), name="policy_title_once"),
            models.UniqueConstraint(
                fields=("regulation",), condition=~Q(regulation=""), name="policy_regulation_once"
            ),
            models.CheckConstraint(condition=~Q(title=""), name="policy_has_title"),
            models.CheckConstraint(condition=Q(kind__in=PolicyKind.values), name="policy_kind_known"),
            models.CheckConstraint(
                condition=Q(regulation="")
                | Q(regulation__in=[one for one in Regulation.values if one != Regulation.OTHER]),
                name="policy_regulation_known",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def subject(self) -> Subject:
        return Subject("policy", str(self.pk), self.title)

    @property
    def project_id(self) -> None:
        """An entry is the organisation's and stands in no project's history."""

    @property
    def is_overdue(self) -> bool:
        """Whether it should have been looked through by now."""
        return self.review_on is not None and self.review_on < timezone.localdate()


class PolicyVersion(Proposal):
    """One version: its text, its document or both. An internal policy is approved by senior management, everything else by
    another one of those who propose.

    ``concerns`` lists the posts whose people acknowledge it. ``document_*`` are of the file, which lies encrypted in the store.
    """

    policy = models.ForeignKey(Policy, on_delete=models.PROTECT, related_name="versions")
    edition = models.CharField(_("Edition"), max_length=60, blank=True)
    text = models.TextField(_("Text"), blank=True)
    stored = models.OneToOneField(StoredFile, on_delete=models.PROTECT, null=True, related_name="+")
    document_name = models.CharField(_("Document"), max_length=200, blank=True)
    document_kind = models.CharField(max_length=3, choices=NoticeKind.choices, blank=True)
    document_hash = models.CharField("SHA-256", max_length=64, blank=True)
    effective_on = models.DateField(_("Takes effect on"))
    review_on = models.DateField(_("To be reviewed by"))
    concerns = models.JSONField(_("To be acknowledged by"), default=list)

    class Meta:
        ordering = ("policy", "-number")
        verbose_name = _("version of an entry of the policy library")
        constraints = [
            *two_persons("policy", "policy"),
            models.CheckConstraint(condition=~Q(reason=""), name="policy_version_has_reason"),
            models.CheckConstraint(
                condition=~Q(text="") | Q(stored__isnull=False), name="policy_version_says_something"
            ),
            models.CheckConstraint(
                condition=Q(stored=None, document_name="", document_kind="", document_hash="")
                | (
                    Q(stored__isnull=False)
                    & ~Q(document_name="")
                    & Q(document_kind__in=NoticeKind.values)
                    & ~Q(document_hash="")
                ),
                name="policy_document_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.policy.title} · {self.edition or self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("policy_version", str(self.pk), str(self), self.content_hash)

    @property
    def project_id(self) -> None:
        """A version is the organisation's, as its entry is."""

    @property
    def by_management(self) -> bool:
        return self.policy.kind == PolicyKind.POLICY

    @property
    def content(self) -> list[Any]:
        """What makes two versions the same: everything but the number."""
        days = [self.effective_on.isoformat(), self.review_on.isoformat()]
        return [self.edition, self.text, self.document_hash, *days, list(self.concerns)]

    def hash_of_content(self) -> str:
        return canonical_hash([str(self.policy_id), self.number, *self.content])

    @property
    def status_text(self) -> str:
        """What is approved and not yet in effect is not in force yet."""
        if self.status == ProposalStatus.IN_FORCE and self.effective_on > timezone.localdate():
            said = _("Approved; takes effect on %(date)s")
            return str(said) % {"date": date_format(self.effective_on, "Y-m-d")}
        return super().status_text

    @property
    def values(self) -> Any:
        """What the table of versions shows of it."""
        return self.edition or "–"

    @property
    def file_name(self) -> str:
        """The name to save the document under; its ending says what the bytes are."""
        ending = f".{self.document_kind}"
        return (
            self.document_name if self.document_name.lower().endswith(ending) else self.document_name + ending
        )


class PolicyAcknowledgement(GovernedRecord):
    """That somebody whom a version concerns has read it; written once."""

    version = models.ForeignKey(PolicyVersion, on_delete=models.PROTECT, related_name="acknowledgements")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("at",)
        verbose_name = _("acknowledgement")
        constraints = [
            models.UniqueConstraint(fields=("version", "by"), name="policy_acknowledged_once"),
        ]

    def __str__(self) -> str:
        return f"{self.version} · {self.by}"


class PolicyReview(GovernedRecord):
    """That the owner looked an entry through, what came of it, and when the next look is due; written once."""

    policy = models.ForeignKey(Policy, on_delete=models.PROTECT, related_name="reviews")
    result = models.TextField(_("What was looked at, and what came of it"))
    next_on = models.DateField(_("Next review due on"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-at",)
        verbose_name = _("review of an entry of the policy library")
        constraints = [models.CheckConstraint(condition=~Q(result=""), name="policy_review_says_something")]

    def __str__(self) -> str:
        return f"{self.policy} · {self.at:%Y-%m-%d}"
