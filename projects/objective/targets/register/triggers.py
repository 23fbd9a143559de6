"""What no code may break about look-ups of the register: they stay as they were."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed

register(
    Trigger(
        "register_lookup_stays",
        "objective_registerlookup",
        ("UPDATE",),
        "what the register of releases was asked, and what it named, stays as it is",
        changed("id", "project_id", "asked", "found", "looked_up_by_id", "looked_up_at"),
    ),
    Trigger(
        "register_lookup_never_deleted",
        "objective_registerlookup",
        ("DELETE",),
        "a look-up of the register of releases is kept",
    ),
)
