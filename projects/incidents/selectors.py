"""Reading incidents, filtered by what the reader may see."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.selectors import visible_projects

from .models import Incident, IncidentStep


def incidents_of(project: Project) -> QuerySet[Incident]:
    """All of them, the newest first."""
    found = Incident.objects.filter(project=project)
    return found.select_related("project", "raised_by", "closed_by", "reassessment", "later")


def incident_get(project: Project, incident_id: uuid.UUID) -> Incident:
    return incidents_of(project).get(pk=incident_id)


def steps_of(incident: Incident) -> list[IncidentStep]:
    """What was done, in its order."""
    return list(IncidentStep.objects.filter(incident=incident).select_related("by"))


def reported_by(user: Person, project: Project) -> QuerySet[Incident]:
    """What ``user`` has reported of a project themselves: all that a recipient sees of incidents."""
    return Incident.objects.filter(project=project, raised_by=user)


def incidents_open(user: Person) -> QuerySet[Incident]:
    """Every incident that is not closed in the projects that ``user`` may see, the oldest first."""
    found = Incident.objects.filter(project__in=visible_projects(user), closed_at=None)
    return found.select_related("project", "raised_by").prefetch_related("steps").order_by("raised_at")
