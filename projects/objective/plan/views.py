"""The page on which senior management decides about the plan, and the plan's documents."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from projects.core.comments.selectors import comment_count
from projects.core.models import Project
from projects.core.pages import handed_on, project_view, stage_context
from projects.core.rules import acts_as, may_see_inside
from projects.workflow import Role, Stage

from .. import pages, services
from ..forms import PlanDecisionForm
from ..rules import may_decide
from ..selectors import plan_document, plan_latest
from .documents import approval_document_start, plan_document_start


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def decide(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project may look; senior management decides while the plan awaits approval."""
    may_see_inside(request.user, project).require()
    verdict = may_decide(request.user, project)
    form = PlanDecisionForm(request.POST or None, confirms=request.confirms)  # type: ignore[attr-defined]
    if request.method == "POST":
        verdict.require()
        if form.is_valid():
            content = request.POST.get("content", "")
            services.objective_decide(project, **form.cleaned_data, content=content, by=request.user)
            messages.success(request, _("Your decision is recorded."))
            return redirect(handed_on(request.path))
    context = stage_context(project, request.user, Stage.OBJECTIVE) | pages.decision(project)
    context["comment_count"] = comment_count(project, Stage.OBJECTIVE)
    return render(
        request,
        "objective/decide.html",
        # The moves of this state are made with the form of this page.
        context | {"form": form, "verdict": verdict, "offers": []},
        status=pages.form_status(form),
    )


@require_GET
@project_view
def plan_pdf(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project: the latest submitted plan's PDF, in the reader's language or ``?language=``."""
    may_see_inside(request.user, project).require()
    language = request.GET.get("language") or get_language() or "zh-hans"
    document = plan_document(project, language)
    if document is None:
        raise Http404
    return redirect(reverse("documents:open", kwargs={"document_id": document.pk}))


@require_POST
@project_view
def plan_pdf_make(request: HttpRequest, project: Project) -> HttpResponse:
    """Any role inside the project: write the plan's PDF again after a failed job."""
    acts_as(request.user, project, Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT).require()
    version = plan_latest(project)
    if version is None:
        raise Http404
    plan_document_start(version, by=request.user)
    approval_document_start(version, by=request.user)
    return redirect(reverse("objective:plan", kwargs={"project_id": project.pk}))
