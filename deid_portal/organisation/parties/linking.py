"""The register as agreements use it: what is offered, with whom none is made, and whose each is."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Subquery, UUIDField

from approvals.governance.person import Person
from approvals.governance.verdict import Verdict
from projects.releases.agreements.parties import Register
from projects.releases.models import Agreement

from . import rules
from .enums import PartyKind
from .models import Party, PartyAgreement
from .selectors import party_named
from .services import agreement_link

OFFERED = 300
"""A browser offers more to nobody who reads them; a name that is not offered is found all the same."""


class Parties(Register):
    def names(self) -> list[str]:
        found = Party.objects.filter(ended_at=None).order_by("name")
        return list(found.values_list("name", flat=True)[:OFFERED])

    def may_agree(self, organisation: str) -> Verdict:
        return rules.may_agree(party_named(organisation))

    def is_own(self, organisation: str) -> bool:
        party = party_named(organisation)
        return party is not None and party.kind == PartyKind.OWN

    def link(self, agreement: Agreement) -> str:
        party = party_named(agreement.organisation)
        return "" if party is None else agreement_link(agreement, party).name

    def column(self) -> Any:
        links = PartyAgreement.objects.filter(agreement=OuterRef("pk"))
        # Without it SQLite would give the digits of the id and not the id.
        return Subquery(links.order_by().values("party")[:1], output_field=UUIDField())

    def may_read(self, user: Person) -> bool:
        return bool(rules.may_read_parties(user))
