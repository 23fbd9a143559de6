"""What of incidents stands on a person's home page: those that are not closed, with what is to be notified next."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import deadline_on
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import Role

from .enums import IncidentAct
from .models import Incident
from .presentation import next_duty
from .rules import may_act

_OPEN = Incident.objects.filter(project=OuterRef("project"), closed_at=None)
reads_along("incidents_open", Exists(_OPEN))
_ACTING = (Role.PLANNER, Role.SUPERVISOR, Role.MANAGEMENT)


@task_provider
def incidents(user: Person) -> list[Task]:
    """Planning manager and supervisor see each one until it is closed, senior management those that it may close."""
    held = {
        one.project_id: Role(one.role)
        for one in memberships_held(user.pk)
        if one.incidents_open and one.role in _ACTING  # type: ignore[attr-defined]
    }
    if not held:
        return []
    found = Incident.objects.filter(project__in=list(held), closed_at=None)
    return [
        _task(one)
        for one in found.select_related("project").prefetch_related("steps")
        if held[one.project_id] != Role.MANAGEMENT
        or may_act(user, one, IncidentAct.CLOSE, [step.act for step in one.steps.all()])
    ]


def _task(incident: Incident) -> Task:
    duty = next_duty(incident, incident.steps.all())
    return Task(
        _("Deal with incident E%(number)s") % {"number": incident.number},
        reverse("incidents:incident", args=[incident.project_id, incident.pk]),
        due=duty.due if duty else incident.raised_at,
        deadline=deadline_on(localdate(duty.due)) if duty else None,
        project_id=incident.project_id,
        # One thing to deal with, however many notifications of it are recorded.
        about="incident",
        tone="fail",
        word=incident.get_verdict_display(),
        project=str(incident.project),
        hint=duty.label if duty else "",
        icon="flag",
        rank=8,
    )
