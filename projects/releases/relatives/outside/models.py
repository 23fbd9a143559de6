"""What is known of a release that was made outside the portal."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.enums import SharingType
from techniques.core.canonical import canonical_hash


class OutsideRelease(GovernedRecord):
    """A release that did not go through the portal, as a planning manager states it; written once, and withdrawn with a reason.

    ``subject_columns`` are the names of the columns that tell persons apart and ``columns`` those of all columns that are known; values are
    recorded of none. ``replaces`` is the entry that this one corrects, which was withdrawn in the same act. The portal has no file
    of it: ``sha256`` is that of the released file as somebody else measured it, "" where nobody did.
    """

    number = models.PositiveIntegerField(unique=True)
    name = models.CharField(_("What was released"), max_length=120)
    source = models.CharField(_("Data source"), max_length=200)
    released_on = models.DateField(_("Released on"))
    sharing_type = models.CharField(_("Sharing type"), max_length=20, choices=SharingType.choices)
    recipients = models.CharField(_("Recipients"), max_length=1000)
    subject_columns = models.JSONField(_("Columns that tell persons apart"), default=list, blank=True)
    columns = models.JSONField(_("Columns"))
    treatment = models.CharField(_("How it was treated"), max_length=1000, blank=True)
    valid_until = models.DateField(_("Valid until and including"), null=True, blank=True)
    evidence = models.CharField(_("Where the evidence lies"), max_length=200)
    sha256 = models.CharField(_("SHA-256 of the released file"), max_length=64, blank=True)
    why_outside = models.CharField(_("Why it was made outside the portal"), max_length=500)
    content_hash = models.CharField(max_length=64)
    replaces = models.OneToOneField(
        "self", on_delete=models.PROTECT, related_name="replaced_by", null=True, blank=True
    )
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_why = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("-released_on", "-number")
        verbose_name = _("release made outside the portal")
        constraints = [
            models.CheckConstraint(
                condition=~Q(name="")
                & ~Q(source="")
                & ~Q(recipients="")
                & ~Q(evidence="")
                & ~Q(why_outside="")
                & ~Q(content_hash="")
                & ~Q(columns=[]),
                name="outside_release_whole",
            ),
            models.CheckConstraint(
                condition=Q(sharing_type__in=SharingType.values), name="outside_release_sharing_known"
            ),
            models.CheckConstraint(
                condition=Q(valid_until=None) | Q(valid_until__gte=models.F("released_on")),
                name="outside_release_ends_after_start",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_by=None, withdrawn_at=None, withdrawn_why="")
                | (Q(withdrawn_by__isnull=False, withdrawn_at__isnull=False) & ~Q(withdrawn_why="")),
                name="outside_release_withdrawn_whole",
            ),
            models.CheckConstraint(condition=~Q(replaces=models.F("id")), name="outside_release_of_another"),
        ]

    def __str__(self) -> str:
        return f"{self.mark} {self.name}"

    @property
    def mark(self) -> str:
        """By what it is called where its name is not told, and found in the register."""
        return f"O-{self.number}"

    @property
    def facts_hash(self) -> str:
        """The same as long as nothing is corrected by which the release is compared with others."""
        said = [self.source, self.released_on.isoformat(), str(self.sharing_type), self.recipients]
        return canonical_hash([*said, self.subject_columns, self.columns, self.sha256])

    @property
    def subject(self) -> Subject:
        return Subject("outside_release", str(self.pk), str(self), self.content_hash)

    @property
    def in_force(self) -> bool:
        """Whether the entry counts and the term of the release is not over."""
        lasts = self.valid_until is None or self.valid_until >= timezone.localdate()
        return self.withdrawn_at is None and lasts

    def hash_of_content(self) -> str:
        return canonical_hash(
            [
                self.number,
                self.name,
                self.source,
                self.released_on.isoformat(),
                str(self.sharing_type),
                self.recipients,
                self.subject_columns,
                self.columns,
                self.treatment,
                self.valid_until.isoformat() if self.valid_until else None,
                self.evidence,
                self.sha256,
                self.why_outside,
                str(self.replaces_id) if self.replaces_id else None,
            ]
        )
