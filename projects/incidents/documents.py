"""The report of a closed incident, in both languages."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.numbers import moment
from projects.jobs.documents import Paper, cover_facts, document_start, document_write
from projects.jobs.models import Job
from projects.releases.deliveries.notice import released_rows
from projects.workflow import Role
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from .enums import PDF_JOB, REPORT, IncidentAct
from .models import Incident
from .presentation import duties_of, law_text
from .selectors import steps_of


def report_subject(incident: Incident) -> Subject:
    """The closed incident with all that was done, which nothing alters any more."""
    steps = [[one.act, one.text, one.by.username, one.at.isoformat()] for one in steps_of(incident)]
    said = [incident.kind, incident.severity, incident.description, incident.noticed_at.isoformat()]
    return Subject(
        "incident", str(incident.pk), str(incident), canonical_hash([said, incident.verdict, steps])
    )


def report_start(incident: Incident, *, by: Person) -> Job | None:
    """Have it printed in every language, unless that is done or under way."""
    return document_start(
        PDF_JOB,
        project=incident.project,
        kind=REPORT,
        about=report_subject(incident),
        title=gettext_noop("Print the incident report"),
        by=by,
    )


def report_write(incident: Incident, language: str, *, by: Person) -> Document:
    """Print and keep one language."""
    project, subject = incident.project, report_subject(incident)

    def paper() -> Paper:
        title = _("Incident report")
        head = DocumentHead(
            number=f"{project.number}-E{incident.number}",
            title=title,
            subtitle=project.title,
            project=project.number,
            content_hash=subject.hash,
            made_at=incident.closed_at or incident.raised_at,
        )
        return Paper(
            head, f"{title} {project.title}", "incidents/report_document.html", report_context(incident)
        )

    return document_write(project, kind=REPORT, about=subject, language=language, paper=paper, by=by)


def report_context(incident: Incident) -> dict[str, Any]:
    """Everything the template shows, in the active language."""
    steps = steps_of(incident)
    closing = next((one for one in steps if one.act == IncidentAct.CLOSE), None)
    duties = [one.outcome for one in duties_of(incident, steps)] or [
        _("Unfounded: nobody needed to be notified.")
    ]
    return {
        "brief": [
            *cover_facts(incident.project),
            *released_rows(incident.project),
            (_("What happened"), str(incident.get_kind_display())),
            (_("Severity"), str(incident.get_severity_display())),
            (_("Conclusion"), str(incident.get_verdict_display())),
        ],
        "weigh": [*duties, law_text()],
        "rows": [
            (_("Description"), incident.description),
            (_("Noticed"), moment(incident.noticed_at)),
            (_("Reported"), f"{moment(incident.raised_at)} · {incident.raised_by}"),
        ],
        "steps": [(f"{moment(one.at)} · {one.by}", f"{one.get_act_display()}\n{one.text}") for one in steps],
        "signers": [
            {
                "role": str(Role.MANAGEMENT.label),
                "name": str(incident.closed_by),
                "decision": str(IncidentAct.CLOSE.label),
                "time": incident.closed_at,
                "reason": closing.text if closing else "",
            }
        ],
    }
