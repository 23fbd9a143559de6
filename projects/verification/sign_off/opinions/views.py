"""The page of outside reviews of usefulness: who asks, who answers, and what was said."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside

from ...selectors import current_verification
from . import rules, selectors, services
from .forms import AnswerForm, AskForm
from .models import UtilityOpinion
from .presentation import opinion_row


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def opinions(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project reads; planning manager and supervisor ask an external assessor (POST)."""
    may_see_inside(request.user, project).require()
    verdict = rules.may_ask(request.user, project)
    if request.method == "POST":
        verdict.require()
    form = AskForm(request.POST or None, people=selectors.assessors_of(project)) if verdict else None
    if form is not None and (answer := draft_answer(request, form, verdict, project=project)) is not None:
        return answer
    if request.method == "POST" and form is not None and form.is_valid():
        services.opinion_ask(project, **form.cleaned_data, by=request.user)
        draft_end(request, form)
        messages.success(request, _("The external assessor has been asked and finds it on the home page."))
        return redirect("verification:opinions", project_id=project.pk)
    return _page(request, project, ask_form=form)


@require_POST
@project_view
def opinion(request: HttpRequest, project: Project, opinion_id: uuid.UUID) -> HttpResponse:
    """The external assessor who was asked answers."""
    found = selectors.opinion_get(project, opinion_id)
    rules.may_answer(request.user, found).require()
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _page(request, project, answer_form=form)
    services.opinion_give(found, **form.cleaned_data, by=request.user)
    messages.success(request, _("Your verdict is recorded; who signs the result reads it."))
    return redirect("verification:opinions", project_id=project.pk)


def _page(
    request: HttpRequest,
    project: Project,
    *,
    ask_form: AskForm | None = None,
    answer_form: AnswerForm | None = None,
) -> HttpResponse:
    current = current_verification(project)
    found = list(selectors.opinions_of(project))
    mine: UtilityOpinion | None = next((one for one in found if rules.may_answer(request.user, one)), None)
    form = answer_form or ask_form
    context: dict[str, Any] = {
        "project": project,
        "rows": [opinion_row(one, current) for one in found],
        "verdict": rules.may_ask(request.user, project),
        "ask_form": ask_form,
        "mine": mine,
        "answer_form": (answer_form or AnswerForm()) if mine is not None else None,
    }
    status = 422 if form is not None and form.is_bound else 200
    return render(request, "verification/opinions.html", context, status=status)
