"""What no code may break about keys: nobody destroys what nobody proposed to destroy, or what they proposed themselves, under
another account either."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, rewritten, where_named

from .purposes import ONCE

register(
    Trigger(
        "secret_destroyed_as_proposed",
        "vault_secret",
        ("UPDATE",),
        "a key is destroyed after somebody else proposed it, unless its one use is over",
        "OLD.destroyed_at IS NULL AND NEW.destroyed_at IS NOT NULL AND OLD.proposed_by_id IS NULL "
        f"AND NEW.purpose NOT LIKE '{ONCE % '%'}'",
    ),
    Trigger(
        "secret_stays_as_proposed",
        "vault_secret",
        ("UPDATE",),
        "who proposed the destruction of a key stays, and what is destroyed stays so",
        "(NEW.destroyed_at IS NOT NULL AND OLD.proposed_by_id IS NOT NULL AND "
        "(NEW.proposed_by_id IS NULL OR NEW.proposed_by_id <> OLD.proposed_by_id)) "
        f"OR {exchanged('destroyed_at', 'destroyed_by_id')} OR {rewritten('destroyed_why')} "
        f"OR (NEW.destroyed_at IS NOT NULL AND {rewritten('proposed_why')}) OR {changed('id', 'project_id', 'purpose', 'created_at')}",
    ),
    Trigger(
        "secret_lies_in_one_place",
        "vault_secret",
        ("INSERT", "UPDATE"),
        "a key that lies in the store of the keys has no bytes in its row",
        "NEW.apart AND LENGTH(NEW.wrapped_key) > 0",
    ),
    Trigger(
        "secret_stays_apart",
        "vault_secret",
        ("UPDATE",),
        "a key stays in the store of the keys, and one that is destroyed goes nowhere",
        "(OLD.apart AND NOT NEW.apart) OR (NEW.apart AND NOT OLD.apart AND OLD.destroyed_at IS NOT NULL)",
    ),
    *where_named(
        "secret_not_by_own_person",
        "vault_secret",
        "nobody destroys a key whose destruction they proposed under another account",
        linked_accounts("NEW.destroyed_by_id", "NEW.proposed_by_id"),
        "OLD.destroyed_by_id IS NULL",
    ),
)
