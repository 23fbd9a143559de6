"""The page of trials: the executor measures before handing over; who sees the project sees how often."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside

from . import pages, services


@require_GET
@project_view
def trials(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project: what the newest trial measured, and every one before it."""
    may_see_inside(request.user, project).require()
    context = {"project": project} | pages.overview(project, request.user)
    return render(request, "verification/trials.html", context)


@require_POST
@project_view
def trial_start(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed. Measures the current result as a job."""
    services.trial_start(project, by=request.user)
    messages.success(request, _("The trial has been queued."))
    return redirect("verification:trials", project_id=project.pk)
