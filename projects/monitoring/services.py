"""The only writer of what happens in monitoring and review."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from approvals.audit.models import AuditEvent
from approvals.decisions.models import Review, ReviewOutcome
from approvals.decisions.services import review_record
from deid_portal.accounts.models import User
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.core.services import project_lock, project_move
from projects.workflow import MOVES, REVIEW_STATES, Stage, State

from .enums import PASS, RETURN, SUBMIT
from .rules import may_review_stage


def stage_review_record(
    project: Project,
    *,
    object: str,
    time: datetime,
    process: str,
    result: str,
    measures: str,
    outcome: ReviewOutcome,
    by: Any,
) -> Review:
    """Record the review of the stage that is under review, with its five fields (G-080), and move the project.

    The review pins the content hash that it judged; passing moves on, returning moves back with the
    review's result as the reason. Both happen or neither.
    """
    with transaction.atomic():
        project = project_lock(project)
        may_review_stage(by, project).require()
        state = State(project.state)
        stage = REVIEW_STATES[state]
        content = content_of(project, stage)
        assert content is not None  # the rule has asked
        review = review_record(
            project_id=project.pk,
            stage=stage,
            subject=content,
            object=object,
            time=time,
            process=process,
            result=result,
            measures=measures,
            outcome=outcome,
            submitted_by=stage_submitter(project, stage),
            by=by,
        )
        move = PASS[state] if outcome == ReviewOutcome.PASSED else RETURN[state]
        project_move(project, move=move, by=by, reason=result)
        return review


def stage_submitter(project: Project, stage: Stage) -> User:
    """Who submitted the stage for the review now open, by the audit log."""
    event = AuditEvent.objects.filter(project_id=project.pk, action=MOVES[SUBMIT[stage]].audit_action).first()
    return User.objects.get(pk=event.actor_id) if event else project.created_by
