"""Organisations of the register, and whose an agreement is."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.countries import country_name
from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.releases.models import Agreement

from .enums import PartyKind

LONGEST_KEY = 500


class Party(GovernedRecord):
    """An organisation that the portal has to do with; changed on the record, ended and never deleted.

    ``key`` is its name as names are compared (:func:`.names.key_of`); of those that have not ended no two have the same.
    """

    name = models.CharField(
        pgettext_lazy("in the register of organisations", "Name of the organisation"), max_length=120
    )
    key = models.CharField(max_length=LONGEST_KEY)
    kind = models.CharField(_("What it is to us"), max_length=10, choices=PartyKind.choices)
    # ISO 3166-1, as agreements have it.
    country = models.CharField(_("Country or region"), max_length=2)
    code = models.CharField(_("Unified social credit code or another number"), max_length=40, blank=True)
    contact = models.CharField(_("Who answers there for personal information"), max_length=200, blank=True)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    end_reason = models.CharField(_("Reason"), max_length=500, blank=True)

    class Meta:
        ordering = ("name",)
        verbose_name = _("organisation of the register")
        indexes = [models.Index(fields=("key",), name="party_by_key")]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=PartyKind.values), name="party_kind_known"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(key="") & ~Q(country=""), name="party_whole"),
            models.UniqueConstraint(
                fields=("key",), condition=Q(ended_at=None), name="party_name_once_in_force"
            ),
            models.CheckConstraint(
                condition=Q(ended_by=None, ended_at=None, end_reason="")
                | (Q(ended_by__isnull=False, ended_at__isnull=False) & ~Q(end_reason="")),
                name="party_ended_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def subject(self) -> Subject:
        return Subject("party", str(self.pk), self.name)

    @property
    def project_id(self) -> None:
        """It is the organisation's and stands in no project's history."""

    @property
    def in_force(self) -> bool:
        return self.ended_at is None

    @property
    def place(self) -> str:
        """The country or region in the reader's language."""
        return country_name(self.country)


class PartyAgreement(GovernedRecord):
    """Whose an agreement is: its text named an organisation of the register. Beside the agreement, which stays as it was signed."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="agreements")
    agreement = models.OneToOneField(Agreement, on_delete=models.PROTECT, related_name="+")
    noted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-noted_at",)
        verbose_name = _("agreement of an organisation")

    def __str__(self) -> str:
        return f"{self.party} · {self.agreement}"
