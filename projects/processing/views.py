"""Pages of processing: where it stands, versions of the recipe, runs and their reports."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from approvals.documents.selectors import documents_about
from projects.core.models import Project
from projects.core.pages import project_view, stage_context
from projects.core.selectors import history_of
from projects.core.timeline import timeline
from projects.workflow import Stage

from .enums import RunEngine
from .recipes.selectors import recipe_get
from .runs import documents
from .runs.forms import RunForm
from .runs.pages import overview, run_context, version_context
from .runs.selectors import latest_run, run_get, run_subject
from .runs.services import run_start


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: the recipe, the newest run, the result, and everything before."""
    context = stage_context(project, request.user, Stage.PROCESSING)
    context |= overview(project, request.user)
    return render(request, "processing/page.html", context)


@require_POST
@project_view
def run(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed. Runs the current recipe as a job, on this server unless the cluster
    was chosen."""
    form = RunForm(request.POST)
    engine = form.cleaned_data["engine"] if form.is_valid() else RunEngine.LOCAL
    run_start(project, by=request.user, engine=engine)
    messages.success(request, _("The run has been queued."))
    return redirect("processing:page", project_id=project.pk)


@require_GET
@project_view
def version(request: HttpRequest, project: Project, number: int) -> HttpResponse:
    """Everybody who may see the project: one version of the recipe and what it changed."""
    found = recipe_get(project, number)
    context = {"project": project} | version_context(project, found)
    return render(request, "processing/version.html", context)


@require_GET
@project_view
def run_detail(request: HttpRequest, project: Project, run_id: uuid.UUID) -> HttpResponse:
    """Everybody who may see the project: what one run did, step by step, or why it failed."""
    found = run_get(project, run_id)
    context = {
        "project": project,
        "events": timeline(history_of(project).filter(subject_id=str(found.pk))),
    } | run_context(found)
    return render(request, "processing/run.html", context)


@require_GET
@project_view
def report(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: the stage's document, to read and to print."""
    found = latest_run(project)
    if found is None:
        return redirect("processing:page", project_id=project.pk)
    subject = run_subject(found)
    context = documents.report_context(project, found) | {
        "content_hash": subject.hash,
        "documents": documents_about(subject, kind=documents.REPORT),
    }
    return render(request, "processing/report.html", context)
