"""What no code may break about who carries projects out: it stays known who answered when, and nobody who has ended is named."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged

register(
    Trigger(
        "executing_party_stays",
        "organisation_executingparty",
        ("UPDATE",),
        "who carried a project out stays as it was named, and ended as it ended",
        f"{changed('id', 'project_id', 'party_id', 'named_by_id', 'named_at')} OR {exchanged('ended_at')}",
    ),
    Trigger(
        "executing_party_never_deleted",
        "organisation_executingparty",
        ("DELETE",),
        "who carried a project out is ended, never deleted",
    ),
    Trigger(
        "executing_party_of_the_register",
        "organisation_executingparty",
        ("INSERT",),
        "an organisation that has ended carries no project out",
        "EXISTS (SELECT 1 FROM organisation_party p WHERE p.id = NEW.party_id AND p.ended_at IS NOT NULL)",
    ),
)
