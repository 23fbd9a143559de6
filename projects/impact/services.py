"""The only writer of impact assessments."""

from __future__ import annotations

from django.db.models import Max
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.services import project_lock
from techniques.core.canonical import canonical_hash

from . import events, rules
from .content import Content
from .documents import report_start
from .enums import Outcome
from .models import ImpactAssessment
from .selectors import about_hash, occasions_with, recipients_now


def impact_lay(project: Project, *, content: Content, by: Person) -> ImpactAssessment:
    """Lay down the next assessment; it waits for a judge of the project."""
    with recording(events.LAID_DOWN, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_assess(by, project).require()
        last = ImpactAssessment.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        assessment = ImpactAssessment(
            project=project,
            number=last + 1,
            content=content.model_dump(mode="json"),
            about=about_hash(project),
            recipients=recipients_now(project),
            made_by=by,
        )
        assessment.occasions = [one.value for one in occasions_with(project, assessment)]
        assessment.content_hash = canonical_hash([assessment.content, assessment.occasions, assessment.about])
        assessment.save(force_insert=True)
        event.subject = assessment.subject
        return assessment


def impact_decide(assessment: ImpactAssessment, *, accept: bool, reason: str, by: Person) -> ImpactAssessment:
    """Conclude an assessment, so that the release may go on, or turn it down; a concluded one is printed."""
    reason = reason.strip()
    action = events.CONCLUDED if accept else events.TURNED_DOWN
    with recording(action, by=by, about=assessment, reason=reason):
        locked = ImpactAssessment.objects.select_for_update(of=("self",)).select_related("project")
        assessment = locked.get(pk=assessment.pk)
        rules.may_decide(by, assessment).require()
        if not reason:
            deny(rules.ImpactReason.REASON_NEEDED).require()
        assessment.outcome = Outcome.CONCLUDED if accept else Outcome.TURNED_DOWN
        assessment.decided_by, assessment.decided_at, assessment.reason = by, timezone.now(), reason[:500]
        assessment.save()
        if accept:
            report_start(assessment, by=by)
        return assessment
