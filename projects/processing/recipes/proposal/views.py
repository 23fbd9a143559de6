"""Having the suggestion tried on the data."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.tables.selectors import table_of, table_query

from ...rules import ProcessingReason, may_edit_recipe
from . import services


@require_POST
@project_view
def propose(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed. Opens the editor of a table; the suggestion is tried as a job
    meanwhile, unless it was tried before or another one is being tried: then the editor says so."""
    may_edit_recipe(request.user, project).require()
    table = table_of(project, request.GET.get("table"))
    verdict = services.may_propose(request.user, table)
    if verdict:
        if services.is_untried(request.user, table):
            services.proposal_start(table, by=request.user)
    elif verdict.reason != ProcessingReason.PROPOSAL_UNDER_WAY:
        verdict.require()
    return redirect(reverse("processing:recipe", kwargs={"project_id": project.pk}) + table_query(table))
