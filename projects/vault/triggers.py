"""What no code may break about keys: nobody destroys what they proposed to destroy, under another account either."""

from __future__ import annotations

from approvals.governance.triggers import register
from projects.core.trigger_conditions import linked_accounts, where_named

register(
    *where_named(
        "secret_not_by_own_person",
        "vault_secret",
        "nobody destroys a key whose destruction they proposed under another account",
        linked_accounts("NEW.destroyed_by_id", "NEW.proposed_by_id"),
        "OLD.destroyed_by_id IS NULL",
    ),
)
