"""The only writer of needs: the executor raises them, the planning manager answers."""

from __future__ import annotations

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.decisions.services import signoffs_lapse_stale
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.rules import CoreReason
from projects.core.services import notify, project_lock
from projects.workflow import Role
from techniques.core.canonical import canonical_hash

from ... import events
from ...models import Objective, ProjectNeed
from ...rules import PLAN, ObjectiveReason, may_answer_need, may_raise_need
from ...selectors import plan_hash
from .content import Need


def need_raise(project: Project, *, need: Need, by: Person) -> ProjectNeed:
    """Raise a need, or raise it anew: the newest is the one that counts."""
    with recording(events.NEED_RAISED, by=by, project_id=project.pk, trigger=str(need.trigger)) as event:
        project = project_lock(project)
        may_raise_need(by, project).require()
        last = ProjectNeed.objects.filter(project=project).first()
        content = need.model_dump(mode="json")
        made = ProjectNeed.objects.create(
            project=project,
            number=last.number + 1 if last else 1,
            content=content,
            content_hash=canonical_hash(content),
            raised_by=by,
        )
        event.subject = made.subject
        objective = Objective.objects.filter(project=project).first()
        if objective is None:
            objective = Objective(project=project, changed_by=by)
        objective.need = made
        objective.save()
        notify(project, events.NEED_RAISED, [Role.PLANNER], by=by)
        return made


def need_answer(project: Project, *, number: int, accept: bool, reason: str, by: Person) -> ProjectNeed:
    """The planning manager's answer to the newest need, which is the one numbered ``number`` that they have read."""
    reason = reason.strip()
    action = events.NEED_ACCEPTED if accept else events.NEED_RETURNED
    with recording(action, by=by, project_id=project.pk, reason=reason) as event:
        project = project_lock(project)
        need = ProjectNeed.objects.select_related("raised_by", "project").filter(project=project).first()
        may_answer_need(by, project, need).require()
        assert need is not None
        if need.number != number:
            deny(ObjectiveReason.OTHER_NEED).require()
        if not reason:
            deny(CoreReason.REASON_NEEDED).require()
        need.is_accepted, need.answer, need.answered_by = accept, reason[:2000], by
        need.answered_at = timezone.now()
        need.save()
        event.subject = need.subject
        event.facts["content"] = digest = plan_hash(project)
        signoffs_lapse_stale(project_id=project.pk, kind=PLAN, current_hash=digest, by=by)
        notify(project, action, [Role.EXECUTOR], by=by, reason=reason)
        return need
