"""The page of a project's impact assessments."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from approvals.countries import country_name
from approvals.documents.selectors import documents_of_project
from approvals.governance.verdict import Verdict
from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside

from . import rules, selectors, services
from .abroad import countries_unassessed, unassessed_for_testers
from .enums import REPORT, Outcome
from .forms import ImpactDecisionForm, ImpactForm
from .presentation import assessment_rows, occasion_texts


@require_http_methods(["GET", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who works on the project reads the assessments; planning manager and executor lay one down."""
    may_see_inside(request.user, project).require()
    may_assess = rules.may_assess(request.user, project)
    form = ImpactForm(request.POST or None)
    if (answer := draft_answer(request, form, may_assess, project=project)) is not None:
        return answer
    if request.method == "POST":
        may_assess.require()
        if form.is_valid() and form.content is not None:
            services.impact_lay(project, content=form.content, by=request.user)
            draft_end(request, form)
            messages.success(request, _("The assessment is waiting for a reviewer of the project."))
            return redirect("impact:page", project_id=project.pk)
    return _page(request, project, form, may_assess)


def _page(
    request: HttpRequest,
    project: Project,
    form: ImpactForm,
    may_assess: Verdict,
    decision: ImpactDecisionForm | None = None,
) -> HttpResponse:
    form.address = reverse("impact:page", args=[project.pk])
    found = list(selectors.assessments_of(project))
    waiting = next((one for one in found if one.outcome == Outcome.WAITING), None)
    current = selectors.current_assessment(project)
    context = {
        "project": project,
        "form": form,
        "may_assess": may_assess,
        "needed": selectors.needs_assessment(project),
        "places": _("; ").join(map(country_name, countries_unassessed(project))),
        "testers": _("; ").join(map(country_name, unassessed_for_testers(project))),
        "occasions": occasion_texts([one.value for one in selectors.occasions_of(project)]),
        "current": current,
        "waiting": waiting,
        "may_decide": rules.may_decide(request.user, waiting) if waiting else None,
        "decision": decision or ImpactDecisionForm(),
        "assessments": [{"assessment": one, "rows": assessment_rows(one)} for one in found],
        "documents": documents_of_project(project.pk).filter(kind=REPORT),
    }
    status = 422 if form.is_bound or decision is not None else 200
    return render(request, "impact/page.html", context, status=status)


@require_POST
@project_view
def decide(request: HttpRequest, project: Project, assessment_id: uuid.UUID) -> HttpResponse:
    """Supervisor and senior management, but not who laid it down: conclude it, or turn it down."""
    found = selectors.assessment_get(project, assessment_id)
    rules.may_decide(request.user, found).require()
    form = ImpactDecisionForm(request.POST)
    if not form.is_valid():
        return _page(request, project, ImpactForm(), rules.may_assess(request.user, project), form)
    services.impact_decide(found, accept=form.accept, reason=form.cleaned_data["reason"], by=request.user)
    text = _("The assessment is concluded.") if form.accept else _("The assessment was rejected.")
    messages.success(request, text)
    return redirect("impact:page", project_id=project.pk)
