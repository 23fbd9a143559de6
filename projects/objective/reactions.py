"""What the target does when the project moves; inside the transaction of the move."""

from __future__ import annotations

from approvals.decisions.selectors import open_signoff
from approvals.decisions.services import signoff_lapse, signoff_request
from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import on_move
from projects.workflow import Move, MoveRule

from .plan.documents import approval_document_start, plan_document_start
from .rules import PLAN
from .selectors import plan_current
from .services import plan_freeze


@on_move
def react(project: Project, rule: MoveRule, by: Person) -> None:
    """Freeze and print on submission, ask for the signature after the review, tidy up after other ends."""
    if rule.move == Move.SUBMIT_OBJECTIVE:
        plan_document_start(plan_freeze(project, by=by), by=by)
    elif rule.move == Move.PASS_OBJECTIVE:
        version = plan_current(project)
        if version is not None:
            signoff_request(project_id=project.pk, subject=version.subject, by=version.created_by)
    elif rule.move == Move.APPROVE_PLAN:
        version = plan_current(project)
        if version is not None:
            approval_document_start(version, by=by)
    elif rule.ends_plan_request:
        request = open_signoff(project.pk, PLAN)
        if request is not None:
            signoff_lapse(request, why=rule.ends_plan_request, by=by)
