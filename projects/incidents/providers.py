"""What incidents do for earlier stages: whoever concludes about copies that are out may report one with that."""

from __future__ import annotations

from django.utils import timezone

from approvals.governance.person import Person
from projects.monitoring.afterwards.incidents import IncidentSource, set_incident_source
from projects.monitoring.models import LaterReassessment

from .enums import IncidentKind, IncidentSeverity
from .services import incident_raise


def _report(later: LaterReassessment, kind: str, severity: str, description: str, by: Person) -> object:
    return incident_raise(
        later.project,
        kind=IncidentKind(kind),
        severity=IncidentSeverity(severity),
        description=description,
        noticed_at=timezone.now(),
        later=later,
        by=by,
    )


set_incident_source(IncidentSource(IncidentKind.choices, IncidentSeverity.choices, _report))
