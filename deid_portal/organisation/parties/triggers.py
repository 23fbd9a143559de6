"""What no code may break about the register of organisations: an entry is ended once, and whose an agreement is stays."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, rewritten

register(
    Trigger(
        "party_stays_as_ended",
        "organisation_party",
        ("UPDATE",),
        "who entered an organisation stays, and one that has ended stays as it was",
        f"{changed('id', 'recorded_by_id', 'recorded_at')} OR {exchanged('ended_by_id', 'ended_at')} OR {rewritten('end_reason')} "
        f"OR (OLD.ended_at IS NOT NULL AND {changed('name', 'key', 'kind', 'country', 'code', 'contact')})",
    ),
    Trigger(
        "party_never_deleted",
        "organisation_party",
        ("DELETE",),
        "an organisation of the register is ended, never deleted",
    ),
    Trigger(
        "party_agreement_stays",
        "organisation_partyagreement",
        ("UPDATE", "DELETE"),
        "whose an agreement is stays as it was noted",
    ),
    Trigger(
        "party_agreement_not_of_ended",
        "organisation_partyagreement",
        ("INSERT",),
        "no agreement is made with an organisation that has ended",
        "EXISTS (SELECT 1 FROM organisation_party p WHERE p.id = NEW.party_id AND p.ended_at IS NOT NULL)",
    ),
)
