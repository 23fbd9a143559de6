"""Pages across projects: every finding that is not closed, and the spot checks of the auditors."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.core.drafts.pages import draft_answer, draft_begin, draft_end

from . import rules, selectors, services
from .forms import DrawForm, FindingForm, SoundForm
from .models import CheckedStep, SpotCheck
from .presentation import checked_row, finding_row

_KNOWN = ("source", "stage")


def spot_check_of(request: Any, spot_check_id: uuid.UUID) -> SpotCheck:
    """The draw, for who reads all projects, whose numbers it lists; it is not there for anybody else."""
    if not request.user.reads_all_projects:
        raise Http404
    return selectors.spot_check_get(spot_check_id)


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the findings that are not closed in the projects that they may see, what is due first."""
    page = Paginator(selectors.findings_open(request.user), 50).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [finding_row(row) for row in page],
        "reads_all": request.user.reads_all_projects,
    }
    return render(request, "findings/board.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def spot_checks(request: HttpRequest) -> HttpResponse:
    """Who reads all projects sees the draws; auditors have another one drawn (POST)."""
    if not request.user.reads_all_projects:
        raise Http404
    may_draw = rules.may_draw(request.user)
    if request.method == "POST":
        may_draw.require()
    form = DrawForm(request.POST or None) if may_draw else None
    if request.method == "POST" and form is not None and form.is_valid():
        made = services.spot_check_draw(**form.cleaned_data, by=request.user)
        messages.success(request, _("The steps are drawn."))
        return redirect("finding_board:spot_check", spot_check_id=made.pk)
    context = {"rows": selectors.spot_checks(), "form": form, "may_draw": may_draw}
    status = 422 if form is not None and form.is_bound else 200
    return render(request, "findings/spot_checks.html", context, status=status)


@require_safe
def spot_check(request: HttpRequest, spot_check_id: uuid.UUID) -> HttpResponse:
    """Who reads all projects: one draw with seed and population, and what was found in the steps."""
    found = spot_check_of(request, spot_check_id)
    rows = [checked_row(step) for step in selectors.checked_steps(found)]
    context = {"found": found, "rows": rows, "may_draw": rules.may_draw(request.user)}
    return render(request, "findings/spot_check.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def checked_step(request: HttpRequest, spot_check_id: uuid.UUID, place: int) -> HttpResponse:
    """Auditors: the records of one step that was drawn are sound (POST), or a finding is raised about them."""
    step = _step(spot_check_of(request, spot_check_id), place)
    may_record = rules.may_record(request.user, step)
    if request.method == "POST":
        may_record.require()
    form = SoundForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        services.checked_step_record(step, remark=form.cleaned_data["remark"], by=request.user)
        messages.success(request, _("Recorded: complete and sound."))
        return redirect("finding_board:spot_check", spot_check_id=spot_check_id)
    deviating = FindingForm(project=step.project, known=_KNOWN)
    draft_begin(request, deviating, may_record, about=f"step {step.pk}", project=step.project)
    return _step_page(request, step, form, deviating, form.is_bound)


@require_POST
def checked_step_deviates(request: HttpRequest, spot_check_id: uuid.UUID, place: int) -> HttpResponse:
    """Auditors: the records of the step deviate, a finding is raised."""
    step = _step(spot_check_of(request, spot_check_id), place)
    may_record = rules.may_record(request.user, step)
    may_record.require()
    form = FindingForm(request.POST, project=step.project, known=_KNOWN)
    back = reverse("finding_board:checked_step", args=[spot_check_id, place])
    answer = draft_answer(request, form, may_record, project=step.project, about=f"step {step.pk}", back=back)
    if answer is not None:
        return answer
    if not form.is_valid():
        return _step_page(request, step, SoundForm(), form, failed=True)
    made = services.checked_step_deviates(step, **form.cleaned_data, by=request.user)
    draft_end(request, form)
    messages.success(
        request, _("The finding has been raised; the person responsible can see it on their home page.")
    )
    return redirect("findings:detail", project_id=step.project_id, finding_id=made.pk)


def _step(found: SpotCheck, place: int) -> CheckedStep:
    return selectors.checked_steps(found).get(place=place)


def _step_page(
    request: HttpRequest, step: CheckedStep, sound: forms.Form, deviating: forms.Form, failed: bool
) -> HttpResponse:
    context = checked_row(step) | {
        "found": step.spot_check,
        "project": step.project,
        "sound_form": sound,
        "deviating_form": deviating,
        "may_record": rules.may_record(request.user, step),
    }
    return render(request, "findings/checked_step.html", context, status=422 if failed else 200)
