"""Pages of samples of a result: all of a project, one of them with its report, and its rows under a watermark."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.governance.verdict import Refused
from projects.core.models import Project
from projects.core.numbers import whole_number
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from projects.jobs.selectors import latest_job
from projects.processing.runs.selectors import tables_of_run

from . import rules, selectors, services
from .enums import READ_JOB
from .forms import DrawForm, InspectionForm
from .models import ResultSample
from .presentation import sample_row

ON_A_PAGE = 20


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project reads its samples of results; the supervisor has another one drawn (POST)."""
    may_see_inside(request.user, project).require()
    may_draw = rules.may_draw(request.user, project)
    if request.method == "POST":
        may_draw.require()
    run = selectors.run_inspected(project) if may_draw else None
    form = DrawForm(request.POST or None, tables=tables_of_run(run) if run else {})
    if request.method == "POST" and form.is_valid():
        try:
            made = services.result_sample_draw(project, **form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error(None, refused.verdict.text)
        else:
            return redirect("findings:result_sample", project_id=project.pk, result_sample_id=made.pk)
    samples = Paginator(selectors.result_samples_of(project), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "page": samples,
        "rows": [sample_row(one) for one in samples],
        "may_draw": may_draw,
        "form": form,
    }
    return render(request, "findings/inspected/page.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def sample(request: HttpRequest, project: Project, result_sample_id: uuid.UUID) -> HttpResponse:
    """Who sees the project: one sample, what was found in it and what that says; the supervisor's report (POST)."""
    may_see_inside(request.user, project).require()
    found = selectors.result_sample_get(project, result_sample_id)
    if request.method != "POST":
        return _sample(request, found)
    rules.may_report(request.user, found).require()
    form = InspectionForm(request.POST, sample=found)
    if form.is_valid():
        said = {name: form.cleaned_data[name] for name in ("found", "remark")}
        try:
            services.result_sample_report(found, **said, deviations=form.deviations, by=request.user)
        except Refused as refused:
            form.add_error(None, refused.verdict.text)
        else:
            messages.success(request, _("It is recorded."))
            return redirect("findings:result_sample", project_id=project.pk, result_sample_id=found.pk)
    return _sample(request, found, form)


def _sample(request: HttpRequest, found: ResultSample, failed: InspectionForm | None = None) -> HttpResponse:
    job = latest_job(found.project, READ_JOB, found.pk)
    under_way = job is not None and job.is_active
    may_report = rules.may_report(request.user, found)
    context: dict[str, Any] = sample_row(found) | {
        "project": found.project,
        "job": job if under_way else None,
        "may_look": rules.may_look(request.user, found),
        "may_read": rules.may_read(request.user, found, under_way),
        "form": (failed or InspectionForm(sample=found)) if may_report else None,
    }
    return render(request, "findings/inspected/sample.html", context, status=422 if failed else 200)


@require_POST
@project_view
def read(request: HttpRequest, project: Project, result_sample_id: uuid.UUID) -> HttpResponse:
    """The supervisor and auditors: have the same records read again, by the seed."""
    found = selectors.result_sample_get(project, result_sample_id)
    services.result_sample_read(found, by=request.user)
    return redirect("findings:result_sample", project_id=project.pk, result_sample_id=found.pk)


@require_GET
@project_view
def look(request: HttpRequest, project: Project, result_sample_id: uuid.UUID) -> HttpResponse:
    """The supervisor and auditors: one page of the rows that were drawn, with a watermark, on the record."""
    found = selectors.result_sample_alone(project, result_sample_id)
    number = whole_number(request.GET.get("page", "1"))
    shown = services.result_sample_look(found, page=number if number >= 0 else 1, by=request.user)
    context = {"project": project, "sample": found, "page": shown, "looked_at": timezone.localtime()}
    response = render(request, "findings/inspected/look.html", context)
    response["Cache-Control"] = "no-store, private"
    return response
