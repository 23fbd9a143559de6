"""The page of the need: the executor raises it, the planning manager answers, everybody inside reads."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import linebreaksbr
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.returns import current_return
from projects.core.rules import may_see_inside

from ... import pages
from ...completeness import missing_items
from ...models import ProjectNeed
from ...rules import may_answer_need, may_raise_need
from ...selectors import needs_of
from . import services
from .forms import AnswerForm, NeedForm
from .wording import FEASIBILITY, NECESSITY, need_rows

MOST = 20


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def need(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project reads; the executor raises the need while the target is being determined."""
    may_see_inside(request.user, project).require()
    verdict = may_raise_need(request.user, project)
    found = list(needs_of(project)[:MOST])
    newest = found[0] if found else None
    form = NeedForm(
        request.POST if request.method == "POST" else None, initial=newest.content if newest else {}
    )
    about = newest.number if newest else ""
    if (answer := draft_answer(request, form, verdict, project=project, about=about)) is not None:
        return answer
    if request.method == "POST":
        verdict.require()
        if form.is_valid():
            services.need_raise(project, need=form.content, by=request.user)
            draft_end(request, form)
            messages.success(request, _("The need was raised. The planning manager answers it."))
            return redirect("objective:need", project_id=project.pk)
    return _page(request, project, found, form)


@require_POST
@project_view
def need_answer(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager, while the target is being determined: the need is accepted or sent back."""
    found = list(needs_of(project)[:MOST])
    may_answer_need(request.user, project, found[0] if found else None).require()
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _page(request, project, found, NeedForm(), form)
    said = form.cleaned_data
    services.need_answer(
        project,
        number=said["number"],
        accept=said["answer"] == "accept",
        reason=said["reason"],
        by=request.user,
    )
    messages.success(request, _("Your answer is recorded."))
    return redirect("objective:need", project_id=project.pk)


def _page(
    request: HttpRequest,
    project: Project,
    found: list[ProjectNeed],
    form: NeedForm,
    answer_form: AnswerForm | None = None,
) -> HttpResponse:
    form.address = reverse("objective:need", args=[project.pk])
    newest = found[0] if found else None
    answers = may_answer_need(request.user, project, newest)
    shown: dict[str, Any] = {
        "project": project,
        "returned": current_return(project),
        "steps": pages.steps(project, missing_items(project)),
        "form": form,
        "necessity": NECESSITY,
        "feasibility": FEASIBILITY,
        "need": newest,
        "rows": [
            row | {"value": linebreaksbr(row["value"], autoescape=True)}
            for row in need_rows(newest.content if newest else None)
        ],
        "raise_verdict": may_raise_need(request.user, project),
        "answer_verdict": answers,
        "answer_form": answer_form or AnswerForm(initial={"number": newest.number if newest else 0}),
        "earlier": found[1:],
    }
    refused = pages.form_status(answer_form or form)
    return render(request, "objective/need.html", shown, status=refused)
