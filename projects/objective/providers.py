"""Evidence that the target answers for."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.decisions.selectors import current_approval
from approvals.governance.draft import Subject
from projects.core.evidence import Missing, provides, stage_content
from projects.core.models import Project
from projects.workflow import Evidence, Stage

from .rules import PLAN
from .selectors import plan_current, plan_hash
from .targets.completeness import missing_items


@provides(Evidence.OBJECTIVE_COMPLETE)
def objective_complete(project: Project) -> Missing:
    return [item.text for item in missing_items(project)]


@provides(Evidence.PLAN_APPROVED)
def plan_approved(project: Project) -> Missing:
    """A standing approval of exactly this content; one changed letter has another hash."""
    if current_approval(project.pk, kind=PLAN, content_hash=plan_hash(project)):
        return []
    return [_("Senior management's approval of exactly this version of the plan")]


@stage_content(Stage.OBJECTIVE)
def content(project: Project) -> Subject | None:
    """The frozen version, as long as it is what the target says."""
    version = plan_current(project)
    return None if version is None else version.subject
