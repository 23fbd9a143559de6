"""The page on which the solutions of a search are looked at, and another one is chosen."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.tables.selectors import table_of
from projects.datasets.tables.views import table_context, to_table

from . import pages as solution_pages
from . import services


@require_GET
@project_view
def solutions(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: the solutions that the model could choose from, and which was chosen."""
    table, every = table_of(project, request.GET.get("table")), request.GET.get("all") == "1"
    context = {"project": project, "every": every} | table_context(table, "processing:solutions")
    context |= solution_pages.overview(table, request.user, every=every)
    return render(request, "processing/solutions.html", context)


@require_POST
@project_view
def explore(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed. Lists the solutions as a job."""
    table = table_of(project, request.GET.get("table"))
    services.exploration_start(table, by=request.user)
    messages.success(request, _("Examining the solutions has been queued."))
    return to_table("processing:solutions", table)


@require_POST
@project_view
def solution_choose(request: HttpRequest, project: Project, exploration_id: uuid.UUID) -> HttpResponse:
    """The project's executor, while the data is being processed. Another solution becomes a version of the recipe."""
    text = request.POST.get("levels", "")
    levels = [int(part) for part in text.split(",") if part.strip().isdecimal()]
    version = services.solution_choose(
        services.exploration_get(project, exploration_id),
        levels=levels,
        reason=request.POST.get("reason", "")[:2000],
        by=request.user,
    )
    messages.success(
        request, _("The solution is fixed in version %(number)s of the recipe.") % {"number": version.number}
    )
    return redirect("processing:version", project_id=project.pk, number=version.number)
