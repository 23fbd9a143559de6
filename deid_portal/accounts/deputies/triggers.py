"""What no code may break about deputies: two people confirm, nobody stands on two sides, and a deputy acts while in force only."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, rewritten, same_person

_TABLE = "accounts_deputation"
_ORIGINS = (
    "EXISTS (SELECT 1 FROM accounts_user g JOIN accounts_user d ON d.id = NEW.decided_by_id "
    "WHERE g.id = NEW.given_by_id AND "
    f"{same_person('COALESCE(g.origin_id, g.id)', 'COALESCE(d.origin_id, d.id)')})"
)
_CONFIRMING = "OLD.status = 'waits' AND NEW.status = 'confirmed'"
_ALIVE = "NEW.status IN ('waits', 'confirmed')"


def _appointed(column: str) -> str:
    return (
        f"EXISTS (SELECT 1 FROM accounts_appointment p WHERE p.account_id = {column} AND p.post = NEW.post "
        "AND p.status = 'confirmed')"
    )


_TWICE = (
    f"EXISTS (SELECT 1 FROM {_TABLE} o WHERE o.id <> NEW.id AND o.status IN ('waits', 'confirmed') "
    "AND o.begins_at < NEW.over_at AND o.over_at > NEW.begins_at AND ((o.account_id = NEW.account_id AND o.post = NEW.post) "
    "OR o.account_id = NEW.deputy_id OR o.deputy_id = NEW.account_id))"
)
# Not ``a`` and ``b``: so the accounts are called in the condition about one person.
_OTHER_ROLE = (
    "EXISTS (SELECT 1 FROM core_membership h JOIN core_membership t ON t.project_id = h.project_id "
    "WHERE h.user_id = NEW.account_id AND h.role = NEW.post AND h.ended_at IS NULL AND t.role <> NEW.post "
    f"AND {same_person('t.user_id', 'NEW.deputy_id')})"
)
_OTHER_SIDE = (
    "EXISTS (SELECT 1 FROM core_membership h JOIN core_membership t ON t.project_id = h.project_id "
    f"JOIN {_TABLE} o ON o.account_id = t.user_id AND o.post = t.role "
    "WHERE h.user_id = NEW.account_id AND h.role = NEW.post AND h.ended_at IS NULL AND t.role <> NEW.post "
    f"AND o.id <> NEW.id AND o.status <> 'turned_down' AND {same_person('o.deputy_id', 'NEW.deputy_id')})"
)
_APART = "nobody acts in the stead of who judges their work, or for two sides of one project"
_STOOD_IN = (
    f"EXISTS (SELECT 1 FROM {_TABLE} d JOIN core_membership m ON m.user_id = d.account_id AND m.role = d.post "
    "WHERE m.project_id = NEW.project_id AND m.role <> NEW.role AND d.status IN ('confirmed', 'ended') "
    f"AND {same_person('d.deputy_id', 'NEW.user_id')})"
)


def _in_force(who: str, post: str) -> str:
    """Whether the one in column ``who`` stands in for the one whom the row names, in its project, at this moment."""
    return (
        f"EXISTS (SELECT 1 FROM {_TABLE} d JOIN core_membership m ON m.user_id = d.account_id AND m.role = d.post "
        f"WHERE d.deputy_id = NEW.{who} AND d.account_id = NEW.in_stead_of_id AND d.post = '{post}' "
        "AND d.status = 'confirmed' AND d.begins_at <= CURRENT_TIMESTAMP AND d.over_at > CURRENT_TIMESTAMP "
        "AND m.project_id = NEW.project_id AND m.ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM core_membership o "
        f"WHERE o.project_id = NEW.project_id AND {same_person('o.user_id', f'NEW.{who}')}))"
    )


def _unsaid(who: str, post: str) -> str:
    """Whether the one in column ``who`` has nothing in the project but a deputation, and the row says nothing of it."""
    return (
        f"NEW.in_stead_of_id IS NULL AND EXISTS (SELECT 1 FROM {_TABLE} d JOIN core_membership m ON m.user_id = d.account_id "
        f"AND m.role = d.post WHERE d.deputy_id = NEW.{who} AND d.post = '{post}' AND d.status IN ('confirmed', 'ended') "
        "AND m.project_id = NEW.project_id) AND NOT EXISTS (SELECT 1 FROM core_membership o "
        f"WHERE o.project_id = NEW.project_id AND o.user_id = NEW.{who})"
    )


def _of_deputies(name: str, table: str, who: str, post: str, *, event: str, first: str) -> Trigger:
    wrong = (
        f"(NEW.in_stead_of_id IS NOT NULL AND NOT {_in_force(who, post)}) OR "
        f"(NEW.{who} IS NOT NULL AND {_unsaid(who, post)})"
    )
    said = "who reviews or signs in somebody's stead is their deputy at that moment, and the row says so"
    return Trigger(name, table, (event,), said, f"{first} AND ({wrong})")


_SEAT = (
    "EXISTS (SELECT 1 FROM decisions_signature g WHERE g.signoff_id = {signoff} AND g.subject_hash = NEW.subject_hash "
    "AND (g.signed_by_id = NEW.in_stead_of_id OR g.in_stead_of_id = NEW.{who} OR g.in_stead_of_id = NEW.in_stead_of_id))"
)
_ONE_SEAT = "a deputy's signature is that of whom they stand in for: it is given once"

register(
    Trigger(
        "deputation_stays_as_given",
        _TABLE,
        ("UPDATE",),
        "what a deputation says never changes, and what was decided is decided once",
        changed(
            "id",
            "account_id",
            "post",
            "deputy_id",
            "begins_at",
            "over_at",
            "reason",
            "given_by_id",
            "given_at",
        )
        + f" OR {exchanged('decided_by_id', 'decided_at', 'ended_by_id', 'ended_at')} OR {rewritten('end_reason')}"
        + " OR (OLD.status <> NEW.status AND NOT (OLD.status = 'waits' AND NEW.status IN ('confirmed', 'turned_down'))"
        + " AND NOT (OLD.status = 'confirmed' AND NEW.status = 'ended'))",
    ),
    Trigger(
        "deputation_waits_first",
        _TABLE,
        ("INSERT",),
        "who is named as a deputy waits for an administrator",
        "NEW.status <> 'waits'",
    ),
    Trigger(
        "deputation_by_two_people",
        _TABLE,
        ("UPDATE",),
        "nobody confirms a deputy whom they named, or a deputation that they are part of",
        f"{_CONFIRMING} AND ({linked_accounts('NEW.decided_by_id', 'NEW.given_by_id')} OR "
        f"{linked_accounts('NEW.decided_by_id', 'NEW.account_id')} OR "
        f"{linked_accounts('NEW.decided_by_id', 'NEW.deputy_id')})",
    ),
    Trigger(
        "deputation_by_two_hands",
        _TABLE,
        ("UPDATE",),
        "nobody confirms through an account that goes back to who named the deputy",
        f"{_CONFIRMING} AND {_ORIGINS}",
    ),
    Trigger(
        "deputation_of_holders",
        _TABLE,
        ("UPDATE",),
        "deputy and deputised are appointed to the post, and the appointments were confirmed",
        f"{_CONFIRMING} AND NOT ({_appointed('NEW.account_id')} AND {_appointed('NEW.deputy_id')})",
    ),
    Trigger(
        "deputation_of_another",
        _TABLE,
        ("INSERT",),
        "nobody is their own deputy, under another account either",
        linked_accounts("NEW.account_id", "NEW.deputy_id"),
    ),
    *(
        Trigger(name, _TABLE, (event,), said, f"{first} AND ({condition})")
        for name, said, condition in (
            (
                "deputation_one_at_a_time",
                "there is one deputy at a time, and a deputy has none",
                _TWICE,
            ),
            ("deputation_keeps_roles_apart", _APART, f"{_OTHER_ROLE} OR {_OTHER_SIDE}"),
        )
        for event, first in (("INSERT", _ALIVE), ("UPDATE", _CONFIRMING))
    ),
    Trigger("deputation_never_deleted", _TABLE, ("DELETE",), "a deputation is ended, never deleted"),
    Trigger(
        "membership_of_no_other_side",
        "core_membership",
        ("INSERT",),
        "who acts or acted in somebody's stead takes no other role in the project",
        _STOOD_IN,
    ),
    _of_deputies(
        "review_by_deputy", "decisions_review", "reviewed_by_id", "supervisor", event="INSERT", first="TRUE"
    ),
    _of_deputies(
        "signature_by_deputy",
        "decisions_signature",
        "signed_by_id",
        "management",
        event="INSERT",
        first="TRUE",
    ),
    _of_deputies(
        "signoff_by_deputy", "decisions_signoff", "decided_by_id", "management", event="INSERT", first="TRUE"
    ),
    _of_deputies(
        "signoff_by_deputy",
        "decisions_signoff",
        "decided_by_id",
        "management",
        event="UPDATE",
        first="OLD.decided_by_id IS NULL",
    ),
    Trigger(
        "signature_of_one_seat",
        "decisions_signature",
        ("INSERT",),
        _ONE_SEAT,
        _SEAT.format(signoff="NEW.signoff_id", who="signed_by_id"),
    ),
    Trigger(
        "signoff_of_one_seat",
        "decisions_signoff",
        ("UPDATE",),
        _ONE_SEAT,
        "NEW.decision = 'approved' AND OLD.decision <> 'approved' AND "
        + _SEAT.format(signoff="NEW.id", who="decided_by_id"),
    ),
    Trigger(
        "review_stead_stays",
        "decisions_review",
        ("UPDATE",),
        "in whose stead a review was made is written once",
        "(OLD.in_stead_of_id IS NULL AND NEW.in_stead_of_id IS NOT NULL) OR " + exchanged("in_stead_of_id"),
    ),
    Trigger(
        "signoff_stead_stays",
        "decisions_signoff",
        ("UPDATE",),
        "in whose stead was decided is written once, with the decision",
        "(OLD.decided_by_id IS NOT NULL AND OLD.in_stead_of_id IS NULL AND NEW.in_stead_of_id IS NOT NULL) OR "
        + exchanged("in_stead_of_id"),
    ),
)
