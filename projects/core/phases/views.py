"""The page of a project by the phases of T/ISC 0078."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from projects.workflow import STAGES, Stage

from ..models import Project
from ..pages import project_view
from ..selectors import members_by_role
from .selectors import phases_of


@require_safe
@project_view
def phases(request: HttpRequest, project: Project) -> HttpResponse:
    """Who may see the project: each phase with its states, its records and its documents."""
    rows = [
        {"passed": passed, "stages": [_stage(project, stage) for stage in passed.row.stages]}
        for passed in phases_of(project)
    ]
    team = [(role.label, held) for role, held in members_by_role(project).items() if held]
    return render(request, "core/phases.html", {"project": project, "phases": rows, "team": team})


def _stage(project: Project, stage: Stage) -> tuple[str, str]:
    """What a step of GB/T 37964 is called, and where its page is."""
    return str(stage.label), reverse(STAGES[stage].page, kwargs={"project_id": project.pk})
