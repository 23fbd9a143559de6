"""What no code may break about appointments: two people, of two origins, and what was given stays as it was given."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, rewritten, same_person

_ORIGINS = (
    "EXISTS (SELECT 1 FROM accounts_user g JOIN accounts_user d ON d.id = NEW.decided_by_id "
    "WHERE g.id = NEW.given_by_id AND "
    f"{same_person('COALESCE(g.origin_id, g.id)', 'COALESCE(d.origin_id, d.id)')})"
)
_CONFIRMED = "NEW.status = 'confirmed' AND NEW.basis = 'given'"

register(
    Trigger(
        "appointment_stays_as_given",
        "accounts_appointment",
        ("UPDATE",),
        "what an appointment says never changes, and what was decided is decided once",
        changed("id", "account_id", "post", "starts_on", "reason", "basis", "given_at")
        + f" OR {exchanged('ends_on', 'given_by_id', 'decided_by_id', 'decided_at', 'ended_by_id', 'ended_at')}"
        + f" OR {rewritten('end_reason')}"
        + " OR (OLD.ends_on IS NULL AND NEW.ends_on IS NOT NULL)"
        + " OR (OLD.given_by_id IS NULL AND NEW.given_by_id IS NOT NULL)"
        + " OR (OLD.status <> NEW.status AND NOT (OLD.status = 'waits' AND NEW.status IN ('confirmed', 'turned_down'))"
        + " AND NOT (OLD.status = 'confirmed' AND NEW.status = 'ended'))",
    ),
    Trigger(
        "appointment_waits_first",
        "accounts_appointment",
        ("INSERT",),
        "what an administrator gives waits for a second one",
        "NEW.basis = 'given' AND NEW.status <> 'waits'",
    ),
    Trigger(
        "appointment_by_two_people",
        "accounts_appointment",
        ("UPDATE",),
        "nobody confirms what they gave themselves, or their own appointment",
        f"OLD.status = 'waits' AND {_CONFIRMED} AND "
        f"({linked_accounts('NEW.decided_by_id', 'NEW.given_by_id')} OR "
        f"{same_person('NEW.decided_by_id', 'NEW.account_id')})",
    ),
    Trigger(
        "appointment_by_two_hands",
        "accounts_appointment",
        ("UPDATE",),
        "nobody confirms through an account that goes back to who gave the appointment",
        f"OLD.status = 'waits' AND {_CONFIRMED} AND {_ORIGINS}",
    ),
    Trigger(
        "appointment_never_deleted",
        "accounts_appointment",
        ("DELETE",),
        "an appointment is ended, never deleted",
    ),
    Trigger(
        "leaving_stays", "accounts_leaving", ("UPDATE", "DELETE"), "that somebody has left is written once"
    ),
    Trigger(
        "leaver_stays_out",
        "accounts_user",
        ("UPDATE",),
        "who has left is not let in again by the same account",
        "NEW.is_active AND NOT OLD.is_active AND EXISTS (SELECT 1 FROM accounts_leaving l WHERE l.account_id = NEW.id)",
    ),
    Trigger(
        "account_origin_is_final",
        "accounts_user",
        ("UPDATE",),
        "where an account comes from is written once",
        exchanged("origin_id"),
    ),
)
