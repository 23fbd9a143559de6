"""What no code may break about copies that are out: a release that has ended, a supervisor who concludes, and rows that stay."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged

_LATER = "monitoring_laterreassessment"

register(
    Trigger(
        "later_begins_after_the_end",
        _LATER,
        ("INSERT",),
        "copies are assessed after their release has ended, and concluded about later",
        "NEW.outcome <> '' OR NOT EXISTS (SELECT 1 FROM releases_release r WHERE r.id = NEW.release_id "
        "AND r.project_id = NEW.project_id AND r.ended_at IS NOT NULL)",
    ),
    Trigger(
        "later_concluded_by_a_supervisor",
        _LATER,
        ("UPDATE",),
        "a supervisor of the project concludes about the copies that are out",
        "NEW.concluded_by_id IS NOT NULL AND OLD.concluded_by_id IS NULL AND NOT EXISTS (SELECT 1 FROM core_membership m "
        "WHERE m.project_id = NEW.project_id AND m.role = 'supervisor' AND m.user_id = NEW.concluded_by_id "
        "AND m.ended_at IS NULL)",
    ),
    Trigger(
        "later_stays",
        _LATER,
        ("UPDATE",),
        "a re-assessment of copies that are out stays as it was opened and concluded",
        f"{changed('id', 'project_id', 'release_id', 'due_on', 'opened_at')} "
        f"OR (OLD.outcome <> '' AND ({changed('measurement', 'answers', 'found', 'outcome', 'reason')} "
        f"OR {exchanged('measured_at', 'met', 'concluded_by_id', 'concluded_at')} "
        "OR (OLD.measured_at IS NULL AND NEW.measured_at IS NOT NULL)))",
    ),
    Trigger(
        "later_ends_with_the_last_copy",
        _LATER,
        ("UPDATE",),
        "a re-assessment ends by itself when no copy is out any more and no target was missed",
        "NEW.outcome = 'ended' AND OLD.outcome = '' AND ((NEW.met IS NOT NULL AND NOT NEW.met) OR EXISTS (SELECT 1 FROM releases_publication p "
        "WHERE p.release_id = NEW.release_id AND p.published_at IS NOT NULL) OR EXISTS (SELECT 1 FROM releases_delivery d "
        "WHERE d.release_id = NEW.release_id AND d.fetched_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM releases_copystatement s "
        "WHERE s.release_id = d.release_id AND s.recipient_id = d.recipient_id AND s.stated_at >= d.fetched_at)))",
    ),
    Trigger("later_never_deleted", _LATER, ("DELETE",), "a re-assessment of copies that are out is kept"),
)
