"""The page of a project's looks back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside

from . import services
from .forms import LessonForm
from .rules import may_record
from .selectors import lessons_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project reads; the planning manager and the supervisor look back after the release (POST)."""
    may_see_inside(request.user, project).require()
    verdict = may_record(request.user, project)
    if request.method == "POST":
        verdict.require()
    form = LessonForm(request.POST or None, project=project) if verdict else None
    if form is not None and (answer := draft_answer(request, form, verdict, project=project)) is not None:
        return answer
    if form is not None and request.method == "POST" and form.is_valid():
        services.lesson_record(project, **form.cleaned_data, by=request.user)
        draft_end(request, form)
        messages.success(request, _("The look back is recorded."))
        return redirect("lessons:page", project_id=project.pk)
    context = {"project": project, "lessons": lessons_of(project), "form": form, "verdict": verdict}
    refused = form is not None and form.is_bound
    return render(request, "lessons/page.html", context, status=422 if refused else 200)
