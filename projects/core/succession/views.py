"""The page that hands the planning of a project over."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from projects.workflow import Role

from ..models import Project
from ..pages import project_view
from ..selectors import members_by_role
from . import rules, selectors, services
from .forms import HandOverForm


@require_http_methods(["GET", "POST"])
@project_view
def hand_over(request: HttpRequest, project: Project) -> HttpResponse:
    """Senior management of the project: somebody else plans it from now on."""
    rules.may_hand_over(request.user, project).require()
    form = HandOverForm(request.POST or None, people=selectors.successors(project))
    if request.method == "POST" and form.is_valid():
        made = services.planning_hand_over(project, **form.chosen, by=request.user)
        messages.success(request, _("%(member)s plans the project now.") % {"member": made.user})
        return redirect("core:members", project_id=project.pk)
    context = {"project": project, "form": form, "before": members_by_role(project).get(Role.PLANNER, [])}
    return render(request, "core/hand_over.html", context, status=422 if form.is_bound else 200)
