"""Reading the register of organisations, and what each of them holds."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.selectors import events_matching
from approvals.governance.person import Person
from projects.core.selectors import in_visible
from projects.releases.deliveries.copies.selectors import Copy, copies_under
from projects.releases.models import Agreement, Release

from . import events
from .enums import PartyKind
from .models import Party, PartyAgreement
from .names import code_of, key_of

LATEST = 50


@dataclass(frozen=True)
class Dealings:
    """What an organisation has, for one reader: of projects that they may not see it is counted alone.

    ``agreements`` and ``releases`` are the latest; ``copies`` all that were fetched under its agreements.
    """

    agreements: list[Agreement]
    agreement_count: int
    hidden_agreements: int
    releases: list[Release]
    release_count: int
    hidden_releases: int
    copies: list[Copy]

    @property
    def copy_count(self) -> int:
        return len(self.copies)

    @property
    def destroyed(self) -> int:
        return sum(one.statement is not None for one in self.copies)

    @property
    def missing(self) -> int:
        """Copies whose time is over without a word of them."""
        return sum(one.is_missing for one in self.copies)

    @property
    def all_destroyed(self) -> bool | None:
        """Whether every copy is stated to be destroyed; None where nothing was fetched."""
        return self.destroyed == len(self.copies) if self.copies else None


def parties(*, kind: str = "", state: str = "", wanted: str = "") -> QuerySet[Party]:
    """Every one, those in force first, with how many agreements it has: ``agreement_count``. ``wanted`` is looked for in name, number
    and contact."""
    found = Party.objects.order_by(F("ended_at").asc(nulls_first=True), "name", "pk")
    if kind in PartyKind.values:
        found = found.filter(kind=kind)
    if state:
        found = found.filter(ended_at__isnull=state != "ended")
    if wanted:
        said = Q(key__contains=key_of(wanted)) | Q(code__contains=code_of(wanted))
        found = found.filter(said | Q(contact__icontains=wanted))
    return found.annotate(agreement_count=Count("agreements"))


def party_get(party_id: uuid.UUID) -> Party:
    """Raises ``Party.DoesNotExist``."""
    return parties().select_related("recorded_by", "ended_by").get(pk=party_id)


def party_named(name: str) -> Party | None:
    """Whose name it is, or was when an agreement was noted under it: who has not ended, or else who ended last."""
    now = Q(key=key_of(name))
    earlier = Q(agreements__agreement__organisation__iexact=name.strip())
    latest = F("ended_at").desc(nulls_first=True)
    return (
        Party.objects.filter(now).order_by(latest).first()
        or Party.objects.filter(earlier).order_by(latest).first()
    )


def dealings_of(party: Party, user: Person) -> Dealings:
    """What it has, for ``user``."""
    held = Agreement.objects.filter(pk__in=PartyAgreement.objects.filter(party=party).values("agreement"))
    seen = held.filter(in_visible(user)).select_related("project", "recipient", "acceptance")
    today = timezone.localdate()
    running = held.order_by().filter(
        project=OuterRef("project"), ended_at=None, signed_on__lte=today, valid_until__gte=today
    )
    live = Release.objects.filter(Exists(running), ended_at=None)
    shown = live.filter(in_visible(user)).select_related("project")
    agreements, of_them = held.count(), seen.count()
    releases, of_these = live.count(), shown.count()
    return Dealings(
        list(seen.order_by("-recorded_at")[:LATEST]),
        of_them,
        agreements - of_them,
        list(shown.order_by("-released_at")[:LATEST]),
        of_these,
        releases - of_these,
        copies_under(held),
    )


def history_of(party: Party) -> QuerySet[AuditEvent]:
    """What was done with its entry, the latest first."""
    acts = (events.REGISTERED, events.CHANGED, events.ENDED)
    return events_matching().filter(action__in=acts, subject_id=str(party.pk))
