"""The only writer of looks back."""

from __future__ import annotations

from django.db.models import Max

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.services import notify_person, project_lock

from . import events
from .models import TEXTS, Lesson
from .rules import LessonReason, may_own, may_record


def lesson_record(project: Project, *, owner: Person, by: Person, **texts: str) -> Lesson:
    """Record a look back; ``texts`` are one answer for each of :data:`.models.TEXTS`. ``owner`` is told."""
    said = {name: texts[name].strip() for name in TEXTS}
    with recording(events.RECORDED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        may_record(by, project).require()
        may_own(owner, project).require()
        if not all(said.values()):
            deny(LessonReason.NOTHING_SAID).require()
        last = Lesson.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        lesson = Lesson.objects.create(project=project, number=last + 1, owner=owner, recorded_by=by, **said)
        event.subject = lesson.subject
        if owner.pk != by.pk:
            notify_person(
                owner,
                events.RECORDED,
                by=by,
                project=project,
                reason=said["to_change"][:500],
                subject=str(lesson),
            )
        return lesson
