"""The page of project templates: those that one may begin with, and where this project's target and plan get a name."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import has_role
from projects.workflow import Role

from . import services
from .answers import answers_of
from .forms import SaveForm

PAGE_ROWS = 25


@require_http_methods(["GET", "POST"])
@project_view
def templates(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager of the project."""
    has_role(request.user, project, Role.PLANNER).require()
    action, _colon, argument = request.POST.get("do", "").partition(":")
    form = SaveForm(request.POST if action == "save" else None, answers=answers_of(project))
    if action == "withdraw":
        services.SAVED_PLANS.withdraw(services.SAVED_PLANS.get(_id(argument), request.user), by=request.user)
        messages.success(request, _("The template was withdrawn."))
        return redirect("objective:templates", project_id=project.pk)
    if action == "save" and form.is_valid():
        said = form.cleaned_data
        services.saved_create(
            project,
            name=said["name"],
            of_organisation=said["of_organisation"],
            texts=form.picked,
            by=request.user,
        )
        messages.success(request, _("The template was saved. “Open a project” now offers it."))
        return redirect("objective:templates", project_id=project.pk)
    page = Paginator(services.SAVED_PLANS.available(request.user), PAGE_ROWS).get_page(
        request.GET.get("page")
    )
    context = {
        "project": project,
        "form": form,
        "may_save": services.may_save(request.user, project),
        "page": page,
    }
    return render(request, "objective/templates.html", context, status=422 if form.errors else 200)


def _id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Http404 from None
