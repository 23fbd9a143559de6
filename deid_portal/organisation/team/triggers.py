"""What no code may break about the team: a seat ends and never changes, and its head is of senior management and proposed by another."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, rewritten, same_person

_TABLE = "organisation_teamseat"
_MANAGES = (
    "EXISTS (SELECT 1 FROM accounts_appointment p WHERE p.account_id = NEW.account_id "
    "AND p.post = 'management' AND p.status = 'confirmed')"
)

register(
    Trigger(
        "team_seat_stays",
        _TABLE,
        ("UPDATE",),
        "a duty in the team stays as it was given, and ended as it ended",
        f"{changed('id', 'account_id', 'duty', 'named_by_id', 'named_at')} OR {exchanged('taken_at', 'ended_by_id', 'ended_at')} "
        f"OR {rewritten('end_reason')} OR (OLD.ended_at IS NOT NULL AND OLD.taken_at IS NULL AND NEW.taken_at IS NOT NULL)",
    ),
    Trigger("team_seat_never_deleted", _TABLE, ("DELETE",), "a duty in the team is ended, never deleted"),
    Trigger(
        "team_head_is_proposed",
        _TABLE,
        ("INSERT",),
        "the head of the team is proposed by another person, and takes the seat afterwards",
        f"NEW.duty = 'head' AND (NEW.taken_at IS NOT NULL OR {same_person('NEW.account_id', 'NEW.named_by_id')})",
    ),
    Trigger(
        "team_head_manages",
        _TABLE,
        ("UPDATE",),
        "the head of the team is of senior management",
        f"OLD.taken_at IS NULL AND NEW.taken_at IS NOT NULL AND NOT {_MANAGES}",
    ),
    Trigger(
        "team_duty_of_one_person_once",
        _TABLE,
        ("INSERT",),
        "nobody has one duty in the team under two accounts",
        f"EXISTS (SELECT 1 FROM {_TABLE} s WHERE s.duty = NEW.duty AND s.ended_at IS NULL "
        f"AND {linked_accounts('s.account_id', 'NEW.account_id')})",
    ),
)
