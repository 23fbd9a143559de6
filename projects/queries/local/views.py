"""The page of estimates from randomised answers."""

from __future__ import annotations

from importlib import resources
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from projects.processing.wording import engine_text
from techniques.core.messages import EngineError

from . import pages, services
from .forms import ReportsForm


@require_GET
@project_view
def local(request: HttpRequest, project: Project) -> HttpResponse:
    """Who works on the project, auditors and assessors: what was estimated, and how."""
    may_see_inside(request.user, project).require()
    return _page(request, project, ReportsForm(), request.GET.get("estimate", ""))


@require_GET
@project_view
def local_kit(request: HttpRequest, project: Project) -> HttpResponse:
    """Who works on the project, auditors and assessors: the kit for devices in Python, as the engine has it."""
    may_see_inside(request.user, project).require()
    content = resources.files("techniques.models.local_privacy").joinpath("client.py").read_bytes()
    name = 'attachment; filename="local_privacy.py"'
    return HttpResponse(
        content, content_type="text/x-python; charset=utf-8", headers={"Content-Disposition": name}
    )


@require_POST
@project_view
def local_start(request: HttpRequest, project: Project) -> HttpResponse:
    """The executor, once the plan was approved: has collected answers estimated, as a job."""
    services.may_estimate(request.user, project).require()
    form = ReportsForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            services.estimate_start(project, **form.started(), by=request.user)
        except EngineError as error:
            form.add_error(None, engine_text(error))
        else:
            messages.success(request, _("Estimating the answers has been queued."))
            return redirect("queries:local", project_id=project.pk)
    return _page(request, project, form, status=422)


def _page(
    request: HttpRequest, project: Project, form: ReportsForm, wanted: str = "", status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"project": project, "form": form}
    context |= pages.overview(project, request.user, wanted)
    return render(request, "queries/local.html", context, status=status)
