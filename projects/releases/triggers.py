"""What no code may break about holdings of secret shares: nobody ever holds two numbers."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, linked_accounts, where_named

register(
    *where_named(
        "share_one_number_per_natural_person",
        "releases_shareholding",
        "nobody holds shares of two numbers, under whatever accounts",
        "EXISTS (SELECT 1 FROM releases_shareholding h WHERE h.project_id = NEW.project_id "
        f"AND h.number <> NEW.number AND {linked_accounts('h.holder_id', 'NEW.holder_id')})",
        changed("project_id", "number", "holder_id"),
    ),
    Trigger(
        "share_number_is_final",
        "releases_shareholding",
        ("UPDATE",),
        "a number of shares is never exchanged",
        "OLD.project_id <> NEW.project_id OR OLD.number <> NEW.number OR OLD.holder_id <> NEW.holder_id",
    ),
    Trigger("share_holding_stays", "releases_shareholding", ("DELETE",), "a holding is ended, never deleted"),
)
