"""Pages of copies that are out after a release has ended: of a project, of one re-assessment, and of all projects."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from approvals.governance.verdict import ALLOW, deny
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.selectors import role_of
from projects.jobs.selectors import latest_job

from ..presentation import gate_rows, met_text, outside_texts, relations_texts
from ..reasons import MonitoringReason
from . import rules, selectors, services
from .enums import LATER_MEASURE_JOB
from .forms import LaterConclusionForm
from .presentation import answer_rows, later_row, later_status, measured_text, out_texts, release_row

PAGE = 25


@require_safe
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project reads which copies are out of each release that has ended."""
    shown = Paginator(selectors.ended_releases(project), PAGE).get_page(request.GET.get("page"))
    releases = list(shown)
    for one in releases:
        one.project = project
    out, newest = selectors.still_out(releases), selectors.later_newest(releases)
    supervises = rules.may_assess(request.user, project)
    months = selectors.interval_of(project) if releases else 0
    rows = []
    for release in releases:
        later = newest.get(release.pk)
        waits = later is not None and later.concluded_at is None
        comes = bool(out[release.pk]) and not waits
        last = later.concluded_at if later is not None else None
        due = selectors.next_due(release, last, months) if comes else None
        against = MonitoringReason.ALREADY_OPEN if waits else rules.LaterReason.NOTHING_OUT
        may_begin = supervises and (ALLOW if comes else deny(against))
        rows.append(release_row(release, out[release.pk], later, due, may_begin))
    context = {"project": project, "page": shown, "rows": rows, "my_role": role_of(request.user, project)}
    return render(request, "monitoring/afterwards.html", context)


@require_POST
@project_view
def begin(request: HttpRequest, project: Project, release_id: uuid.UUID) -> HttpResponse:
    """The supervisor opens the next re-assessment before its time."""
    release = selectors.ended_get(project, release_id)
    made = services.later_open(release, by=request.user)
    messages.success(request, _("The re-assessment is open."))
    return redirect("monitoring:later", project_id=project.pk, later_id=made.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def later(request: HttpRequest, project: Project, later_id: uuid.UUID) -> HttpResponse:
    """Everybody who may see the project reads; its supervisor concludes (POST)."""
    found = selectors.later_get(project, later_id)
    may_conclude = rules.may_conclude(request.user, found)
    if request.method == "POST":
        may_conclude.require()
    out = selectors.out_of(found.release)
    form = None
    if may_conclude:
        form = LaterConclusionForm(request.POST or None, out=out, unmeasured=rules.awaits_measurement(found))
    if request.method == "POST" and form is not None and form.is_valid():
        services.later_conclude(found, **form.conclusion(), by=request.user)
        messages.success(request, _("The re-assessment is concluded."))
        return redirect(request.path)
    tone, word = later_status(found)
    job = latest_job(project, LATER_MEASURE_JOB, found.pk)
    held = found.concluded_at is None and selectors.can_be_measured(found.release)
    measured = found.remeasured
    context: dict[str, Any] = {
        "project": project,
        "later": found,
        "tone": tone,
        "word": word,
        "form": form,
        "out": out,
        "texts": out_texts(found.found or out.as_json()),
        "copies": (found.found or out.as_json())["copies"],
        "may_conclude": may_conclude,
        "may_measure": rules.may_measure(request.user, found) if held else None,
        "gone": found.concluded_at is None and not held,
        "my_role": role_of(request.user, project),
        "last": measured_text(selectors.last_measured(found.release)),
        "gate_rows": gate_rows(found) if found.measured_at else [],
        "met_text": met_text(measured) if found.measured_at else "",
        "outside": outside_texts(measured),
        "relations_texts": relations_texts(measured.relations),
        "answers": answer_rows(found),
        "job": job if job is not None and (job.is_active or (held and found.measured_at is None)) else None,
    }
    status = 422 if form is not None and form.is_bound else 200
    return render(request, "monitoring/later.html", context, status=status)


@require_POST
@project_view
def measure(request: HttpRequest, project: Project, later_id: uuid.UUID) -> HttpResponse:
    """The supervisor: have the released file measured once more."""
    found = selectors.later_get(project, later_id)
    services.later_measure_again(found, by=request.user)
    return redirect("monitoring:later", project_id=project.pk, later_id=found.pk)


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: those not concluded in the projects that they may see, the most urgent first."""
    shown = Paginator(selectors.later_board(request.user), 50).get_page(request.GET.get("page"))
    context = {"page": shown, "rows": [later_row(one) for one in shown]}
    return render(request, "monitoring/later_board.html", context)
