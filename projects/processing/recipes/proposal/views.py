"""Having the suggestion tried on the data."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.tables.selectors import table_of, table_query

from . import services


@require_POST
@project_view
def propose(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed. Tries the suggestion as a job and opens the editor."""
    table = table_of(project, request.GET.get("table"))
    services.proposal_start(table, by=request.user)
    return redirect(reverse("processing:recipe", kwargs={"project_id": project.pk}) + table_query(table))
