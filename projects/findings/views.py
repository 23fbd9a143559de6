"""Pages of findings: those of a project, one of them, and raising one."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.core.drafts.pages import draft_answer, draft_begin, draft_end
from projects.core.models import Project
from projects.core.pages import project_view

from . import rules, selectors, services
from .enums import FindingSource
from .forms import ActionForm, AssignForm, EffectForm, FindingForm
from .models import Finding
from .origins import Origin, origin_find
from .presentation import checked_row, finding_row, step_row
from .received.forms import RemedyDecisionForm, SteadForm
from .received.presentation import deviation_row, numbers_of, sample_row
from .received.rules import may_decide as may_decide_remedy
from .received.rules import may_remedy_in_stead
from .received.selectors import deviation_of, samples_in

SECTION = pgettext_lazy("section", "Findings")


@require_safe
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: its findings, and its steps that spot checks have drawn."""
    context = {
        "project": project,
        "section": SECTION,
        "rows": [finding_row(row) for row in selectors.findings_of(project)],
        "checked": [checked_row(row) for row in selectors.checked_in(project)],
        "samples": [sample_row(row) for row in samples_in(project)],
        "may_raise": rules.may_raise(request.user, project),
    }
    return render(request, "findings/page.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def raise_new(request: HttpRequest, project: Project) -> HttpResponse:
    """Who plans or judges in the project, auditors and external assessors."""
    return _raise(request, project, None, {})


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def raise_from(request: HttpRequest, project: Project, source: str, origin_id: uuid.UUID) -> HttpResponse:
    """The same from the act in which it was found, which says source and step."""
    origin = origin_find(project, source, origin_id)
    if origin is None:
        raise Http404
    known = {"source": FindingSource(source), "origin_id": origin_id, "stage": origin.stage}
    return _raise(request, project, origin, known)


def _raise(
    request: HttpRequest, project: Project, origin: Origin | None, known: dict[str, Any]
) -> HttpResponse:
    may_raise = rules.may_raise(request.user, project)
    may_raise.require()
    form = FindingForm(
        request.POST or None, project=project, known=[name for name in known if name != "origin_id"]
    )
    about = known.get("origin_id", "")
    if (answer := draft_answer(request, form, may_raise, project=project, about=about)) is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        made = services.finding_raise(project, **(form.cleaned_data | known), by=request.user)
        draft_end(request, form)
        messages.success(
            request, _("The finding has been raised; the person responsible can see it on their home page.")
        )
        return redirect("findings:detail", project_id=project.pk, finding_id=made.pk)
    context = {"project": project, "section": SECTION, "form": form, "origin": origin}
    return render(request, "findings/raise.html", context, status=422 if form.is_bound else 200)


@require_safe
@project_view
def detail(request: HttpRequest, project: Project, finding_id: uuid.UUID) -> HttpResponse:
    """Everybody who may see the project: one finding, what was done about it, and what is to be done next."""
    return detail_page(request, selectors.finding_get(project, finding_id))


def detail_page(request: HttpRequest, finding: Finding, failed: forms.Form | None = None) -> HttpResponse:
    """The page, with a form that was ``failed`` beside what was wrong with it."""
    may_act = rules.may_act(request.user, finding)
    may_check = rules.may_check(request.user, finding)
    may_assign = rules.may_assign(request.user, finding)
    offered: dict[str, Any] = {}
    if may_act:
        offered["action_form"] = form = ActionForm()
        draft_begin(request, form, may_act, project=finding.project, about=finding.pk)
    if may_check:
        offered["effect_form"] = EffectForm()
    if may_assign:
        initial = {"owner": finding.owner_id, "due_on": finding.due_on}
        offered["assign_form"] = AssignForm(project=finding.project, initial=initial)
    found = deviation_of(finding) if finding.source == FindingSource.RECEIVED else None
    if found is not None:
        may_decide = may_decide_remedy(request.user, found)
        offered |= deviation_row(found) | {"numbers": numbers_of(found.sample), "may_decide": may_decide}
        if may_decide:
            offered["remedy_form"] = RemedyDecisionForm()
        if may_remedy_in_stead(request.user, found):
            offered["stead_form"] = SteadForm()
    names = {
        ActionForm: "action_form",
        EffectForm: "effect_form",
        AssignForm: "assign_form",
        RemedyDecisionForm: "remedy_form",
        SteadForm: "stead_form",
    }
    if failed is not None:
        offered[names[type(failed)]] = failed
    context = finding_row(finding) | {
        "project": finding.project,
        "section": SECTION,
        "origin": origin_find(finding.project, finding.source, finding.origin_id),
        "steps": [step_row(step) for step in selectors.steps_of(finding)],
        "may_act": may_act,
        "may_check": may_check,
        "may_close": rules.may_close(request.user, finding) if may_check else may_check,
        "may_assign": may_assign,
        **offered,
    }
    return render(request, "findings/detail.html", context, status=200 if failed is None else 422)


@require_POST
@project_view
def act(request: HttpRequest, project: Project, finding_id: uuid.UUID) -> HttpResponse:
    """Who puts it right: what was done."""
    found = selectors.finding_get(project, finding_id)
    may_act = rules.may_act(request.user, found)
    may_act.require()
    form = ActionForm(request.POST)
    page = reverse("findings:detail", args=[project.pk, found.pk])
    answer = draft_answer(request, form, may_act, project=project, about=found.pk, back=page)
    if answer is not None:
        return answer
    if not form.is_valid():
        return detail_page(request, found, form)
    services.finding_act(found, action=form.cleaned_data["action"], by=request.user)
    draft_end(request, form)
    messages.success(request, _("Recorded. Another person checks the effect."))
    return redirect("findings:detail", project_id=project.pk, finding_id=found.pk)


@require_POST
@project_view
def check(request: HttpRequest, project: Project, finding_id: uuid.UUID) -> HttpResponse:
    """A judge of the project, or who raised it from outside, but never who put it right: is the deviation gone?"""
    found = selectors.finding_get(project, finding_id)
    rules.may_check(request.user, found).require()
    form = EffectForm(request.POST)
    decision = request.POST.get("decision")
    if not form.is_valid() or decision not in ("effective", "ineffective"):
        return detail_page(request, found, form)
    effective = decision == "effective"
    services.finding_check(found, effective=effective, remark=form.cleaned_data["remark"], by=request.user)
    messages.success(request, _("The finding is closed.") if effective else _("The finding is open again."))
    return redirect("findings:detail", project_id=project.pk, finding_id=found.pk)


@require_POST
@project_view
def assign(request: HttpRequest, project: Project, finding_id: uuid.UUID) -> HttpResponse:
    """The planning manager, the supervisor and who raised it: another owner or another day, with the reason."""
    found = selectors.finding_get(project, finding_id)
    rules.may_assign(request.user, found).require()
    form = AssignForm(request.POST, project=project)
    if not form.is_valid():
        return detail_page(request, found, form)
    services.finding_assign(found, **form.cleaned_data, by=request.user)
    messages.success(request, _("The owner and due date are set."))
    return redirect("findings:detail", project_id=project.pk, finding_id=found.pk)
