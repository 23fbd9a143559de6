"""Pages of monitoring: the record of reviews, changes, re-assessments, and the board over all projects."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from approvals.decisions.selectors import reviews_of
from projects.core.models import Project
from projects.core.pages import project_view, stage_bar

from .presentation import ReviewRow


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: its reviews."""
    context = {
        "project": project,
        "stage_bar": stage_bar(project),
        "reviews": [ReviewRow(row) for row in reviews_of(project.pk)],
    }
    return render(request, "monitoring/page.html", context)
