"""What no code may break about incidents: what was reported and done stays, and senior management sets the end."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged

_SAID = changed(
    "id", "project_id", "number", "kind", "severity", "description", "noticed_at", "raised_by_id", "raised_at"
)

register(
    Trigger(
        "incident_stays_as_reported",
        "incidents_incident",
        ("UPDATE",),
        "an incident stays as it was reported, judged and closed",
        f"{_SAID} OR (OLD.verdict <> 'open' AND {changed('verdict')}) "
        f"OR {exchanged('closed_by_id', 'closed_at', 'reassessment_id', 'later_id')}",
    ),
    Trigger(
        "incident_closed_by_management",
        "incidents_incident",
        ("UPDATE",),
        "an incident is closed by senior management of the project",
        "NEW.closed_by_id IS NOT NULL AND OLD.closed_by_id IS NULL AND NOT EXISTS (SELECT 1 FROM core_membership m WHERE "
        "m.project_id = NEW.project_id AND m.role = 'management' AND m.user_id = NEW.closed_by_id)",
    ),
    Trigger(
        "confirmed_incident_closed_with_measures",
        "incidents_incident",
        ("UPDATE",),
        "a confirmed incident is closed once measures were taken and the authority was notified",
        "NEW.closed_by_id IS NOT NULL AND OLD.closed_by_id IS NULL AND NEW.verdict = 'confirmed' AND NOT ("
        + " AND ".join(
            f"EXISTS (SELECT 1 FROM incidents_incidentstep s WHERE s.incident_id = NEW.id AND s.act IN ({acts}))"
            for acts in ("'measure'", "'authority'", "'persons', 'spare'")
        )
        + ")",
    ),
    Trigger("incident_never_deleted", "incidents_incident", ("DELETE",), "an incident is never deleted"),
    Trigger(
        "incident_step_is_final",
        "incidents_incidentstep",
        ("UPDATE", "DELETE"),
        "a step of an incident is written once",
    ),
)
