"""The only writer of what external assessors are asked and answer."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.services import notify, notify_person, project_lock
from projects.workflow import Role

from ... import events
from ...selectors import current_verification
from . import rules
from .models import Fitness, UtilityOpinion


def opinion_ask(project: Project, *, assessor: Person, question: str, by: Person) -> UtilityOpinion:
    """Ask an external assessor whether the measured result is of use for its purpose."""
    with recording(events.UTILITY_REQUESTED, by=by, project_id=project.pk, assessor=str(assessor)) as event:
        project = project_lock(project)
        rules.may_ask(by, project).require()
        rules.may_judge(assessor, project).require()
        verification = current_verification(project)
        assert verification is not None  # as the rule requires
        if UtilityOpinion.objects.filter(verification=verification, assessor=assessor).exists():
            deny(rules.OpinionReason.REQUESTED_ALREADY, person=str(assessor)).require()
        made = UtilityOpinion.objects.create(
            project=project,
            verification=verification,
            assessor=assessor,
            question=_said(question),
            asked_by=by,
        )
        event.subject = made.subject
        notify_person(
            assessor,
            events.UTILITY_REQUESTED,
            by=by,
            project=project,
            subject=str(made),
            assessor=str(assessor),
        )
        return made


def opinion_give(opinion: UtilityOpinion, *, verdict: Fitness, reason: str, by: Person) -> UtilityOpinion:
    """The assessor's verdict on the very result that they were asked about; who signs reads it."""
    verdict = Fitness(verdict)
    facts: dict[str, Any] = {"fitness": str(verdict), "reason": reason}
    with recording(events.UTILITY_GIVEN, by=by, about=opinion, **facts):
        project = project_lock(opinion.project)
        found = UtilityOpinion.objects.select_for_update(of=("self",))
        opinion = found.select_related("verification__project", "assessor").get(pk=opinion.pk)
        opinion.project = project
        rules.may_answer(by, opinion).require()
        opinion.verdict, opinion.reason, opinion.answered_at = verdict, _said(reason), timezone.now()
        opinion.save()
        listeners = (Role.PLANNER, Role.SUPERVISOR, Role.MANAGEMENT)
        notify(project, events.UTILITY_GIVEN, listeners, by=by, subject=str(opinion), fitness=str(verdict))
        return opinion


def _said(text: str) -> str:
    if not text.strip():
        deny(rules.OpinionReason.TEXT_NEEDED).require()
    return text.strip()
