"""The only writer of the register of organisations."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.countries import UNKNOWN, is_country
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.texts import unreadable
from projects.releases.models import Agreement

from ..rules import OrganisationReason
from . import events, rules
from .enums import PartyKind
from .models import LONGEST_KEY, Party, PartyAgreement
from .names import code_of, is_wrong, key_of


def party_register(
    *, name: str, kind: PartyKind, country: str, code: str = "", contact: str = "", by: Person
) -> Party:
    """Enter an organisation; agreements that name it already become its own. ``ValidationError`` by field where it is not whole."""
    with recording(events.REGISTERED, by=by, party_kind=PartyKind(kind).value, country=country) as event:
        rules.may_keep(by).require()
        said = _said(name=name, kind=kind, country=country, code=code, contact=contact)
        made = Party(**said, key=key_of(said["name"]), recorded_by=by)
        _require_sound(made)
        made.save(force_insert=True)
        event.subject = made.subject
        event.facts["linked"] = _agreements_take(made)
        return made


def party_change(
    party: Party, *, name: str, kind: PartyKind, country: str, code: str, contact: str, by: Person
) -> Party:
    """Say what is true of it now; what was said before stands in the log. Agreements keep the name that was signed."""
    with recording(events.CHANGED, by=by, about=party) as event:
        party = Party.objects.select_for_update(of=("self",)).get(pk=party.pk)
        rules.may_change(by, party).require()
        said = _said(name=name, kind=kind, country=country, code=code, contact=contact)
        changed = [field for field in events.FIELDS if getattr(party, field) != said[field]]
        if not changed:
            deny(OrganisationReason.NOTHING_CHANGED).require()
        event.facts.update(
            party_changes=[events.change_of(field, getattr(party, field), said[field]) for field in changed],
        )
        for field in changed:
            setattr(party, field, said[field])
        party.key = key_of(party.name)
        _require_sound(party)
        party.save()
        event.subject = party.subject
        event.facts["linked"] = _agreements_take(party)
        return party


def party_end(party: Party, *, reason: str, by: Person) -> Party:
    """It is over with it: no agreement names it any more; those that run keep running."""
    with recording(events.ENDED, by=by, about=party, reason=reason.strip()):
        party = Party.objects.select_for_update(of=("self",)).get(pk=party.pk)
        rules.may_change(by, party).require()
        if not reason.strip():
            deny(OrganisationReason.REASON_NEEDED).require()
        if wrong := unreadable(reason=reason):
            raise ValidationError(wrong)
        party.ended_by, party.ended_at, party.end_reason = by, timezone.now(), reason.strip()
        party.save()
        return party


def agreement_link(agreement: Agreement, party: Party) -> Party:
    """Note of a new agreement whose it is, within the act that records it."""
    rules.may_agree(party).require()
    PartyAgreement.objects.create(agreement=agreement, party=party)
    return party


def _said(**given: Any) -> dict[str, Any]:
    """What is kept of what was given."""
    texts = {name: given[name].strip() for name in ("name", "contact")}
    return given | texts | {"kind": PartyKind(given["kind"]).value, "code": code_of(given["code"])}


def _require_sound(party: Party) -> None:
    wrong: dict[str, Any] = unreadable(name=party.name, code=party.code, contact=party.contact)
    if not is_country(party.country):
        wrong["country"] = UNKNOWN
    elif is_wrong(party.code, party.country):
        wrong["code"] = _(
            "This is no unified social credit code: its last character does not fit the others."
        )
    # Comparing writes some signs out: the key may be longer than the name.
    if len(party.key) > LONGEST_KEY:
        wrong["name"] = _("The name is too long.")
    others = Party.objects.filter(key=party.key, ended_at=None).exclude(pk=party.pk)
    if party.key and others.exists():
        wrong["name"] = _("The register has an organisation of this name already.")
    if wrong:
        raise ValidationError(wrong)
    party.full_clean(exclude=["key", "ended_by", "ended_at"], validate_constraints=False)


def _agreements_take(party: Party) -> int:
    """Note of agreements that are nobody's yet and name it whose they are; how many."""
    free = Agreement.objects.exclude(pk__in=PartyAgreement.objects.values("agreement"))
    texts = free.order_by().values_list("organisation", flat=True).distinct()
    named = [text for text in texts if key_of(text) == party.key]
    found = [PartyAgreement(party=party, agreement=one) for one in free.filter(organisation__in=named)]
    PartyAgreement.objects.bulk_create(found)
    return len(found)
