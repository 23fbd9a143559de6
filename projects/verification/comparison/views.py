"""The page on which candidate runs stand side by side, and the executor says which goes forward."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside

from ..forms import ids_read
from . import pages as candidate_pages
from . import services as candidate_services
from .selectors import comparison_get


@require_GET
@project_view
def candidates(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project: the candidates, what was measured of them, and which was chosen and why."""
    may_see_inside(request.user, project).require()
    context = {"project": project} | candidate_pages.overview(project, request.user)
    return render(request, "verification/candidates.html", context)


@require_POST
@project_view
def compare(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed. Measures the ticked candidates as a job."""
    candidate_services.comparison_start(
        project, run_ids=ids_read(request.POST.getlist("run")), by=request.user
    )
    messages.success(request, _("The measurement of the candidates has been queued."))
    return redirect("verification:candidates", project_id=project.pk)


@require_POST
@project_view
def choose(request: HttpRequest, project: Project, comparison_id: uuid.UUID) -> HttpResponse:
    """The project's executor, while the data is being processed. The chosen candidate goes forward."""
    wanted = ids_read(request.POST.getlist("run"))
    _comparison, again = candidate_services.candidate_choose(
        comparison_get(project, comparison_id),
        run_id=wanted[0] if wanted else uuid.UUID(int=0),
        reason=request.POST.get("reason", "")[:2000],
        by=request.user,
    )
    if again is None:
        messages.success(request, _("Your choice is recorded."))
        return redirect("verification:candidates", project_id=project.pk)
    messages.success(
        request, _("Your choice is recorded; its recipe is the current version again and is running.")
    )
    return redirect("processing:page", project_id=project.pk)
