"""The only writer of incidents and of what was done about them."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_noop

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from approvals.sentences import Sentence
from projects.core.models import Project
from projects.core.services import notify, project_lock
from projects.monitoring.enums import ChangeKind
from projects.monitoring.models import LaterReassessment, Reassessment
from projects.monitoring.services import change_report
from projects.releases.models import Release
from projects.releases.selectors import current_release
from projects.workflow import Role, State

from . import events, rules
from .documents import report_start
from .enums import IncidentAct, IncidentKind, IncidentSeverity, IncidentVerdict
from .models import Incident, IncidentStep

_EVENTS = {
    IncidentAct.MEASURE: events.MEASURE,
    IncidentAct.STOP: events.STOP,
    IncidentAct.RESUME: events.RESUME,
    IncidentAct.CONFIRM: events.CONFIRM,
    IncidentAct.UNFOUNDED: events.UNFOUNDED,
    IncidentAct.AUTHORITY: events.AUTHORITY,
    IncidentAct.PERSONS: events.PERSONS,
    IncidentAct.SPARE: events.SPARE,
    IncidentAct.CLOSE: events.CLOSE,
}
_NOTIFIED = (Role.PLANNER, Role.SUPERVISOR, Role.MANAGEMENT)


def incident_raise(
    project: Project,
    *,
    kind: IncidentKind,
    severity: IncidentSeverity,
    description: str,
    noticed_at: datetime,
    by: Person,
    release: Release | None = None,
    later: LaterReassessment | None = None,
) -> Incident:
    """Report an incident. ``release``: that by which a recipient knows of the project, having been found among theirs; ``later``: the
    re-assessment of copies that are out with whose conclusion it is reported."""
    kind, severity = IncidentKind(kind), IncidentSeverity(severity)
    facts = {"incident_kind": str(kind), "incident_severity": str(severity)}
    with recording(events.RAISED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        if release is None or release.project_id != project.pk:
            rules.may_raise(by, project).require()
        if not description.strip():
            deny(rules.IncidentReason.TEXT_NEEDED).require()
        if noticed_at > timezone.now():
            deny(rules.IncidentReason.IN_FUTURE).require()
        last = Incident.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        incident = Incident(
            project=project,
            number=last + 1,
            kind=kind,
            severity=severity,
            description=description.strip(),
            noticed_at=noticed_at,
            raised_by=by,
            later=later,
        )
        incident.save(force_insert=True)
        event.subject = incident.subject
        event.facts.update(facts)
        notify(project, events.RAISED, _NOTIFIED, by=by, subject=str(incident), **facts)
        return incident


def incident_act(incident: Incident, *, act: IncidentAct, text: str, by: Person) -> Incident:
    """Do something about an incident and say what; each act is written once, with who and when."""
    act = IncidentAct(act)
    with recording(_EVENTS[act], by=by, about=incident):
        project = project_lock(incident.project)
        locked = Incident.objects.select_for_update(of=("self",)).select_related("project")
        incident = locked.get(pk=incident.pk)
        done = incident.steps.values_list("act", flat=True)
        rules.may_act(by, incident, act, done).require()
        if not text.strip():
            deny(rules.IncidentReason.TEXT_NEEDED).require()
        IncidentStep.objects.create(incident=incident, act=act, text=text.strip(), by=by)
        if act in (IncidentAct.STOP, IncidentAct.RESUME):
            incident.stopped = act == IncidentAct.STOP
        elif act == IncidentAct.UNFOUNDED:
            incident.verdict = IncidentVerdict.UNFOUNDED
        elif act == IncidentAct.CONFIRM:
            incident.verdict = IncidentVerdict.CONFIRMED
            incident.reassessment = _look_back(project, incident)
        elif act == IncidentAct.CLOSE:
            incident.closed_by, incident.closed_at = by, timezone.now()
        incident.save()
        notify(project, _EVENTS[act], _NOTIFIED, by=by, subject=str(incident))
        if act == IncidentAct.CLOSE:
            report_start(incident, by=by)
        return incident


def _look_back(project: Project, incident: Incident) -> Reassessment | None:
    """A confirmed incident with a live release is a change that calls for a re-assessment (5.6.2)."""
    if project.state != State.MONITORING or current_release(project) is None:
        return None
    description = Sentence(
        gettext_noop("Incident E%(number)s was confirmed: %(kind)s."),
        {"number": incident.number},
        {"kind": [IncidentKind(incident.kind).label]},
    )
    day = timezone.localtime(incident.noticed_at).date()
    return change_report(project, kind=ChangeKind.INCIDENT, description=description, happened_on=day, by=None)
