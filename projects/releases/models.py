"""What leaves the house: agreements, releases with their seal, and every delivery."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.countries import country_name
from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.jobs.models import NUMBERED_ONCE, WHOLE_OR_ABSENT, JobResult
from projects.processing.models import Run

from .deliveries.publications.models import Publication as Publication
from .deliveries.publications.models import PublicationDownloads as PublicationDownloads
from .deliveries.requests.models import Fetch as Fetch
from .deliveries.requests.models import FetchDecision as FetchDecision
from .deliveries.requests.models import FetchRequest as FetchRequest
from .enums import ChangeOutcome, CheckInterval, DeliveryStatus
from .relatives.outside.models import OutsideRelease as OutsideRelease

VERIFICATION_HOLDS = timedelta(hours=1)


@proven(project="project")
class Agreement(GovernedRecord):
    """A data use agreement with one recipient; without the three prohibitions it cannot exist (3.13)."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="agreements")
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="agreements"
    )
    organisation = models.CharField(_("Recipient organisation"), max_length=120)
    # ISO 3166-1; None: not stated, as in every agreement from before it was asked for.
    country = models.CharField(_("Country or region of the recipient"), max_length=2, null=True, blank=True)
    purpose = models.TextField(_("Permitted purpose"))
    prohibits_reidentification = models.BooleanField(_("The recipient does not re-identify anybody"))
    prohibits_linkage = models.BooleanField(_("The recipient does not link the data with outside data"))
    prohibits_onward_sharing = models.BooleanField(_("The recipient does not share the data onward"))
    signed_by = models.CharField(_("Signed by"), max_length=80)
    signed_on = models.DateField(_("Signed on"))
    valid_until = models.DateField(_("Valid until"))
    # None: nothing was agreed about it, as in every agreement from before it was asked, and where nothing is handed over.
    check_months = models.PositiveSmallIntegerField(
        _("Checks of samples by the recipient"), choices=CheckInterval.choices, null=True, blank=True
    )
    # None: nothing was agreed about it, as in every agreement from before it was asked, and where no file is handed to recipients alone.
    fetch_approval = models.BooleanField(_("Approval of each fetch"), null=True, blank=True)
    scan = models.ForeignKey(StoredFile, on_delete=models.PROTECT, null=True, related_name="+")
    scan_sha256 = models.CharField(max_length=64, blank=True)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-recorded_at",)
        verbose_name = _("agreement")
        constraints = [
            models.CheckConstraint(
                condition=Q(prohibits_reidentification=True, prohibits_linkage=True, prohibits_onward_sharing=True),
                name="agreement_has_the_three_prohibitions",
                violation_error_message=_("An agreement needs all three prohibitions."),
            ),
            models.CheckConstraint(
                condition=Q(valid_until__gte=models.F("signed_on")), name="agreement_ends_after_it_begins",
                violation_error_message=_("The agreement cannot end before it was signed."),
            ),
            models.UniqueConstraint(
                fields=("project", "recipient"), condition=Q(ended_at=None), name="agreement_one_in_force_per_recipient"
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.organisation} · {self.recipient}"

    @property
    def in_force(self) -> bool:
        return self.ended_at is None and self.signed_on <= timezone.localdate() <= self.valid_until

    @property
    def place(self) -> str:
        """The country or region in the reader's language; empty where none is stated."""
        return country_name(self.country)

    @property
    def is_accepted(self) -> bool:
        """Whether its recipient has accepted the terms in the portal."""
        return hasattr(self, "acceptance")


@proven(project="agreement__project")
class TermsAcceptance(GovernedRecord):
    """The recipient accepts the terms of an agreement in the portal, before anything is received; written once.

    ``terms_hash`` is what :func:`projects.releases.agreements.terms.terms_hash` gave of them at that moment.
    """

    agreement = models.OneToOneField(Agreement, on_delete=models.PROTECT, related_name="acceptance")
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    accepted_at = models.DateTimeField(auto_now_add=True)
    terms_hash = models.CharField(max_length=64)

    class Meta:
        ordering = ("-accepted_at",)
        verbose_name = _("acceptance of terms")

    def __str__(self) -> str:
        return str(self.agreement)


@proven(project="project")
class RecipientChange(GovernedRecord):
    """A change of what senior management signed about recipients: a new one, another purpose, a longer term or fewer checks (5.6.2 a).

    The planning manager proposes it with the signed agreement; approved, it becomes that agreement. ``terms`` is
    :class:`projects.releases.agreements.terms.Terms` as JSON and ``asks`` what it would alter; ``content_hash`` covers all of it.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="recipient_changes")
    number = models.PositiveIntegerField(_("Change"))
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asks = models.JSONField()
    terms = models.JSONField()
    scan = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+")
    scan_sha256 = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64)
    outcome = models.CharField(max_length=10, choices=ChangeOutcome.choices, default=ChangeOutcome.WAITING)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True)
    agreement = models.OneToOneField(Agreement, on_delete=models.PROTECT, null=True, related_name="change")
    # How many different people have to approve it; fixed when it is proposed.
    needed = models.PositiveSmallIntegerField(_("Signatures needed"), default=1)
    # What asks for as many where it is more than one.
    needed_by = models.JSONField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("change of recipients")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "number"), name="recipient_change_number_once_per_project"
            ),
            models.UniqueConstraint(
                fields=("project", "recipient"),
                condition=Q(outcome=ChangeOutcome.WAITING),
                name="recipient_change_one_waiting",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=models.F("proposed_by")),
                name="recipient_change_second_person",
            ),
            models.CheckConstraint(
                condition=Q(
                    outcome__in=(ChangeOutcome.WAITING, ChangeOutcome.REPLACED),
                    decided_by=None,
                    decided_at=None,
                    agreement=None,
                )
                | (
                    Q(outcome=ChangeOutcome.APPROVED, agreement__isnull=False)
                    | Q(outcome=ChangeOutcome.REFUSED, agreement=None)
                )
                & Q(decided_by__isnull=False, decided_at__isnull=False)
                & ~Q(reason=""),
                name="recipient_change_decided_whole",
            ),
            models.CheckConstraint(condition=Q(needed__gte=1), name="recipient_change_needs_somebody"),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} C{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("recipient_change", str(self.pk), str(self), self.content_hash)

    @property
    def signers_text(self) -> str:
        """Who decided, by name: of an approval that several had to sign all of them, in the order in which they did."""
        if self.decided_by is None:
            return ""
        several = self.needed > 1 and self.outcome == ChangeOutcome.APPROVED
        before = self.signatures.all() if several else ()
        return _(", ").join([*(one.signer_text for one in before), str(self.decided_by)])


@proven(project="project")
class ChangeSignature(GovernedRecord):
    """An approval of a change of recipients by one of several people who have to sign it; the last of them decides the change.

    Written once; it counts only as part of a change that was approved.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    change = models.ForeignKey(RecipientChange, on_delete=models.PROTECT, related_name="signatures")
    content_hash = models.CharField(_("Content hash"), max_length=64)
    signed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    signed_at = models.DateTimeField(auto_now_add=True)
    reason = models.CharField(_("Reason"), max_length=500)

    class Meta:
        ordering = ("signed_at",)
        verbose_name = _("signature")
        constraints = [
            models.UniqueConstraint(fields=("change", "signed_by"), name="change_signature_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="change_signature_has_reason"),
        ]

    def __str__(self) -> str:
        return self.signer_text

    @property
    def signer_text(self) -> str:
        return str(self.signed_by)


@proven(project="project")
class Release(GovernedRecord):
    """One approved result, handed out. The seal pins result, recipe and verification (T/ISC 0078 11.1 d).

    ``files`` are those of all tables in their order: [{"table", "file_name", "stored" (id), "sha256", "size", "rows",
    "notice"}]; the only table of a project has no name. The run keeps the stored files from being removed.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="releases")
    run_id = models.UUIDField(db_index=True)
    signoff_id = models.UUIDField()
    recipe_hash = models.CharField(max_length=64)
    verification_hash = models.CharField(max_length=64)
    seal = models.CharField(max_length=64)
    # SHA-256 over the files of all holders of secret shares; empty where the result is one file for everybody.
    shares_hash = models.CharField(max_length=64, blank=True)
    files = models.JSONField()
    released_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    released_at = models.DateTimeField(auto_now_add=True)
    seal_broken_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ("-released_at",)
        verbose_name = _("release")
        constraints = [
            models.UniqueConstraint(
                fields=("project",), condition=Q(ended_at=None), name="release_one_in_force_per_project"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_why="") | (Q(ended_at__isnull=False) & ~Q(ended_why="")),
                name="release_end_whole_or_absent",
            ),
        ]

    def __str__(self) -> str:
        return str(self.files[0]["file_name"])

    @property
    def in_force(self) -> bool:
        return self.ended_at is None and self.seal_broken_at is None

    @property
    def subject(self) -> Subject:
        return Subject("release", str(self.pk), str(self), self.seal)


@proven(project="release__project", many=True)
class Delivery(GovernedRecord):
    """One recipient fetching a release once: the seal is verified first, then the file may be fetched."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="deliveries")
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="deliveries"
    )
    status = models.CharField(max_length=10, choices=DeliveryStatus.choices, default=DeliveryStatus.VERIFYING)
    notice_acknowledged_at = models.DateTimeField()
    requested_at = models.DateTimeField(auto_now_add=True)
    verified_at = models.DateTimeField(null=True)
    fetched_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-requested_at",)
        verbose_name = _("delivery")
        constraints = [
            models.CheckConstraint(
                condition=~Q(status="fetched") | Q(verified_at__isnull=False, fetched_at__isnull=False),
                name="delivery_fetched_only_after_verification",
            )
        ]

    def __str__(self) -> str:
        return f"{self.release} → {self.recipient}"

    @property
    def is_expired(self) -> bool:
        """A verified seal holds for an hour; whoever comes later has it verified again."""
        return self.verified_at is not None and timezone.now() > self.verified_at + VERIFICATION_HOLDS


class CopyStatement(GovernedRecord):
    """A recipient states that what they fetched of a release until then is destroyed, and how; whoever they are then. Written once,
    and another one after they have fetched it anew."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="copy_statements")
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    how = models.CharField(max_length=500)
    stated_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("stated_at",)
        verbose_name = _("statement about a copy")
        constraints = [
            models.CheckConstraint(condition=~Q(how=""), name="copy_says_how"),
        ]

    def __str__(self) -> str:
        return f"{self.release} · {self.recipient}"


@proven(project="project")
class ShareHolding(GovernedRecord):
    """Which natural person holds the shares of which number, in all runs of a project (A.2.6).

    Nobody ever holds two numbers of a project, at whatever times (triggers in ``projects.releases.triggers`` know the
    accounts of one person); a holding is ended, never deleted.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="share_holdings")
    number = models.PositiveSmallIntegerField(_("Holder"))
    holder = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    assigned_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    assigned_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("number", "assigned_at")
        verbose_name = _("holder of shares")
        constraints = [
            models.UniqueConstraint(fields=("project", "holder"), name="share_one_number_per_person"),
            models.UniqueConstraint(
                fields=("project", "number"), condition=Q(ended_at=None), name="share_one_holder_per_number"
            ),
            models.CheckConstraint(condition=Q(number__gt=0), name="share_number_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} {self.number}: {self.holder}"


@proven(project="project", many=True)
class RelativesMeasurement(JobResult):
    """What the result of ``run`` tells together with releases that tell of the same persons (annex D).

    ``relatives`` are the ids of those releases and ``sets`` what is measured, each {"table", "releases", "kind"}, with its
    "column" and the "columns" of the releases where rows are joined by pseudonyms; ``findings`` are those of the sets in their order, read by :mod:`projects.releases.relatives.report`. ``content_hash`` covers all of it.
    """

    letter = "K"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="relatives_measurements")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(_("Number"))
    k = models.PositiveIntegerField()
    relatives = models.JSONField()
    sets = models.JSONField()
    findings = models.JSONField(default=list)

    class Meta(JobResult.Meta):
        verbose_name = _("measurement of related releases")
        constraints = [NUMBERED_ONCE, WHOLE_OR_ABSENT]
