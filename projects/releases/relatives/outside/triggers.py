"""What no code may break about releases that were made outside the portal: an entry stays as it was written."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, rewritten

register(
    Trigger(
        "outside_release_stays",
        "releases_outsiderelease",
        ("UPDATE",),
        "what is recorded of a release made outside the portal is written once, and withdrawn once",
        changed(
            "id", "number", "name", "source", "released_on", "sharing_type", "recipients", "subject_columns", "columns",
            "treatment", "evidence", "sha256", "why_outside", "content_hash", "recorded_by_id", "recorded_at",
        )
        + f" OR {exchanged('valid_until', 'replaces_id', 'withdrawn_by_id', 'withdrawn_at')} OR {rewritten('withdrawn_why')}"
        + " OR (OLD.valid_until IS NULL AND NEW.valid_until IS NOT NULL)"
        + " OR (OLD.replaces_id IS NULL AND NEW.replaces_id IS NOT NULL)",
    ),
    Trigger(
        "outside_release_never_deleted",
        "releases_outsiderelease",
        ("DELETE",),
        "what is recorded of a release made outside the portal is withdrawn, never deleted",
    ),
    # A correction that leaves the entry before it in force would make two releases of one.
    Trigger(
        "outside_release_replaces_withdrawn",
        "releases_outsiderelease",
        ("INSERT",),
        "an entry corrects one that was withdrawn",
        "NEW.replaces_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM releases_outsiderelease o "
        "WHERE o.id = NEW.replaces_id AND o.withdrawn_at IS NOT NULL)",
    ),
)  # fmt: skip
