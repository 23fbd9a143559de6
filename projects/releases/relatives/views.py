"""The page of a result's relatives, and the act that measures them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job

from .presentation import overview
from .rules import may_measure
from .selectors import measurements_of, relatives_of, run_shown
from .services import measurement_start


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project: the relatives of its result, who holds several, and what each combination tells."""
    may_see_inside(request.user, project).require()
    shown = overview(project, request.user)
    newest = measurements_of(project).first()
    job = None
    if newest is not None and newest.measured_at is None and newest.job_id:
        job = Job.objects.filter(pk=newest.job_id).select_related("project", "requested_by").first()
    context = {
        **shown,
        "project": project,
        "job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "may_measure": may_measure(request.user, project, shown["run"], shown["relatives"]),
    }
    return render(request, "releases/relatives.html", context)


@require_POST
@project_view
def measure(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager, the executor or the supervisor: measure the result with its relatives, as a job."""
    run = run_shown(project)
    may_measure(request.user, project, run, relatives_of(run)).require()
    measurement_start(project, by=request.user)
    messages.success(request, _("The measurement has been queued."))
    return redirect("releases:relatives", project_id=project.pk)
