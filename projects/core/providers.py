"""Evidence that the core itself answers for: the team, and the stage reviews."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.decisions.selectors import passed_review
from approvals.documents.models import Document
from approvals.documents.registry import visible_to
from approvals.governance.person import Person
from projects.workflow import STAGES, Evidence, Role, Stage

from .evidence import Missing, Provider, content_of, provides
from .models import Project
from .selectors import members_by_role, visible_projects


@visible_to
def documents_of_visible_projects(user: Person, document: Document) -> bool:
    """Who may look into the project may open its documents."""
    return visible_projects(user).filter(pk=document.project_id).exists()


@provides(Evidence.TEAM_COMPLETE)
def team_complete(project: Project) -> Missing:
    members = members_by_role(project)
    needed = (Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT)
    return [_("%(role)s: nobody yet") % {"role": role.label} for role in needed if not members.get(role)]


def _review_provider(stage: Stage) -> Provider:
    def provider(project: Project) -> Missing:
        content = content_of(project, stage)
        if content is None or not passed_review(project.pk, stage=stage, content_hash=content.hash):
            return [_("A passed stage review of exactly this content (%(stage)s)") % {"stage": stage.label}]
        return []

    return provider


for _row in STAGES.values():
    if _row.review is not None:
        provides(_row.review)(_review_provider(_row.stage))
