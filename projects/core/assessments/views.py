"""The page of a project's outside assessments."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals.governance.verdict import Refused

from ..drafts.pages import draft_answer, draft_end
from ..models import Project
from ..pages import project_view
from ..rules import may_see_inside
from . import services
from .forms import AssessmentReportForm, EndForm, OrderForm
from .models import AssessmentOrder
from .rules import may_end, may_order, may_report
from .selectors import assessors, due_again, order_get, orders_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project reads; the supervisor and senior management order an assessment (POST)."""
    may_see_inside(request.user, project).require()
    verdict = may_order(request.user, project)
    if request.method == "POST":
        verdict.require()
    form = OrderForm(request.POST or None, people=assessors()) if verdict else None
    if form is not None and (answer := draft_answer(request, form, verdict, project=project)) is not None:
        return answer
    if form is not None and request.method == "POST" and form.is_valid():
        try:
            services.assessment_order(project, **form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error(None, refused.verdict.text)
        else:
            draft_end(request, form)
            messages.success(request, _("The assessment is ordered. The assessor sees the project now."))
            return redirect("core:assessments", project_id=project.pk)
    status = 422 if form is not None and form.is_bound else 200
    rows = [_row(request, order) for order in orders_of(project)]
    context = {"project": project, "rows": rows, "form": form, "verdict": verdict}
    return render(request, "core/assessments.html", context, status=status)


def _row(request: HttpRequest, order: AssessmentOrder) -> dict[str, Any]:
    """What is shown of an order, and what the reader may do about it."""
    return {
        "order": order,
        "due_again": due_again(order),
        "may_report": bool(may_report(request.user, order)),
        "may_end": order.is_in_force and bool(may_end(request.user, order)),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def report(request: HttpRequest, project: Project, order_id: uuid.UUID) -> HttpResponse:
    """The assessor who has the order writes the report, once."""
    order = order_get(project, order_id)
    may_report(request.user, order).require()
    words = {"title": _("Report on the assessment"), "button": _("Record the report")}
    form = AssessmentReportForm(request.POST or None)
    return _act(request, order, form, services.assessment_report, _("The report is recorded."), words)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def end(request: HttpRequest, project: Project, order_id: uuid.UUID) -> HttpResponse:
    """The supervisor and senior management end an order before its last day."""
    order = order_get(project, order_id)
    may_end(request.user, order).require()
    lead = _("%(name)s no longer sees the project from then on.") % {"name": order.assessor}
    words = {"title": _("End the order"), "lead": lead, "button": _("End the order")}
    form = EndForm(request.POST or None)
    return _act(request, order, form, services.assessment_end, _("The order is ended."), words)


def _act(
    request: HttpRequest,
    order: AssessmentOrder,
    form: Form,
    act: Callable[..., AssessmentOrder],
    done: str,
    words: dict[str, str],
) -> HttpResponse:
    """A form about one order; what it says is handed to ``act``, and ``done`` is what is announced then."""
    if request.method == "POST" and form.is_valid():
        act(order, **form.cleaned_data, by=request.user)
        messages.success(request, done)
        return redirect("core:assessments", project_id=order.project_id)
    context = {"project": order.project, "order": order, "due_again": due_again(order), "form": form, **words}
    return render(request, "core/assessment.html", context, status=422 if form.is_bound else 200)
