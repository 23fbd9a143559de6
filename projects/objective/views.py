"""Pages of the target: the overview and its five steps, each a page with a form of its own."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from projects.core.models import Project
from projects.core.numbers import amount
from projects.core.pages import onward, project_view, stage_context
from projects.core.rules import may_move, may_see_inside
from projects.core.services import project_hand_on
from projects.workflow import Move, Stage

from . import forms, pages, services
from .enums import Part
from .models import Objective
from .plan.prefill import plan_prefill
from .plan.saved.answers import ANEW
from .presentation import plan_rows
from .rules import may_edit, may_edit_after_sharing
from .selectors import objective_of
from .targets.risk import TABLE_ONE, RiskTargets, for_sharing, risk_defaults
from .targets.utility import kind_choices, utility_defaults, utility_rows
from .targets.utility_forms import UtilityTargetForm

_KEEP = "keep"
FORM_METHODS = ["GET", "HEAD", "POST"]


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project: the overview of target and plan."""
    may_see_inside(request.user, project).require()
    context = stage_context(project, request.user, Stage.OBJECTIVE)
    context |= pages.overview(project, request.user)
    return render(request, "objective/page.html", context)


def _step(
    request: HttpRequest, project: Project, part: Part, template: str, form: Any, **context: Any
) -> HttpResponse:
    shown = pages.step_frame(project, request.user, part) | {"form": form} | context
    draft = shown["draft"]
    if isinstance(form, forms.ContentForm) and draft is not None and not form.is_bound:
        form.begin_with(draft.entries)
        shown["seen"] = draft.seen or shown["seen"]
        shown["anew"] = [form.fields[name].label for name in form.fields if name in ANEW.get(part, ())]
    if (
        request.method == "POST"
        and form is not None
        and not form.has_error(NON_FIELD_ERRORS, pages.OVERTAKEN)
    ):
        shown |= pages.shown_before(request.POST)
    return render(request, f"objective/{template}.html", shown, status=pages.form_status(form))


def _is_fresh(request: HttpRequest, project: Project, part: Part, form: Any) -> bool:
    """Whether the form is right and was not overtaken: what somebody saved meanwhile is named before it is replaced."""
    if request.POST.get("then") == _KEEP or not form.is_valid():
        return False
    if why := pages.overtaken(project, [part], request.POST.get("seen", "")):
        names = _(", ").join(str(form.fields[name].label or name) for name in form.changed_data) or "–"
        text = _("%(why)s These entries now differ: %(fields)s. Compare them; saving again replaces them.")
        why = text % {"why": why, "fields": names}
    else:
        why = pages.drafted_meanwhile(project, [part], request.POST, request.user)
    if why:
        form.add_error(None, ValidationError(why, code=pages.OVERTAKEN))
    return not why


def _left_as_draft(
    request: HttpRequest, project: Project, part: Part, form: forms.ContentForm
) -> HttpResponse | None:
    """Who goes to the overview need not have finished: what was typed is kept. None where that is not what was asked for.

    The page keeps it by itself too, unless the step was saved meanwhile, when there is nothing left to finish, or somebody else went on
    with the draft.
    """
    then = request.POST.get("then")
    drafted = pages.drafted_meanwhile(project, [part], request.POST, request.user)
    if then == _KEEP:
        if drafted or request.POST.get("seen", "") != pages.seen_of(project, part):
            return HttpResponse(status=409)
        _keep(request, project, part, form)
        return HttpResponse(status=204)
    if then == "discard":
        if drafted:
            messages.warning(request, pages.DRAFT_STAYS)
        else:
            services.draft_discard(project, part=part, by=request.user)
        return redirect(request.path)
    if then != "overview" or not form.errors or form.has_error(NON_FIELD_ERRORS, pages.OVERTAKEN):
        return None
    if drafted:
        form.add_error(None, ValidationError(drafted, code=pages.OVERTAKEN))
        return None
    _keep(request, project, part, form)
    text = _("Kept as a draft. Entries missing or to be corrected: %(count)s.")
    messages.warning(request, text % {"count": len(form.errors)})
    return redirect(reverse("objective:page", kwargs={"project_id": project.pk}))


def _keep(request: HttpRequest, project: Project, part: Part, form: forms.ContentForm) -> None:
    seen = request.POST.get("seen", "")[:16]
    services.draft_keep(project, part=part, entries=form.entries, seen=seen, by=request.user)


def _saved(request: HttpRequest, project: Project, following: str) -> HttpResponse:
    messages.success(request, _("Saved."))
    target = "objective:page" if request.POST.get("then") == "overview" else following
    return redirect(reverse(target, kwargs={"project_id": project.pk}))


@require_http_methods(FORM_METHODS)
@project_view
def sharing(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager while the target is being determined: step 1, sharing type."""
    may_edit(request.user, project).require()
    form = forms.SharingForm(request.POST or None, initial={"sharing_type": project.sharing_type})
    if request.method == "POST" and _is_fresh(request, project, Part.SHARING, form):
        services.sharing_choose(project, **form.cleaned_data, by=request.user)
        return _saved(request, project, "objective:scope")
    return _step(request, project, Part.SHARING, "sharing", form, table_one=_table_one())


def _table_one() -> list[tuple[Any, RiskTargets, str]]:
    """Each row of the standard's table 1, the targets it suggests, and their bound on the risk in words."""
    rows = []
    for row in TABLE_ONE:
        targets = risk_defaults(row.sharing_type)
        limit = targets.max_risk if targets.measure == "max" else targets.average_risk
        rows.append((row, targets, amount(limit, "share") or "–"))
    return rows


@require_http_methods(FORM_METHODS)
@project_view
def scope(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager while the target is being determined: step 2, the six factors."""
    may_edit_after_sharing(request.user, project).require()
    form = pages.scope_form(project, request.user, objective_of(project), request.POST or None)
    if request.method == "POST" and _is_fresh(request, project, Part.SCOPE, form):
        services.scope_save(project, scope=form.content, by=request.user)
        return _saved(request, project, "objective:factors")
    left = _left_as_draft(request, project, Part.SCOPE, form)
    return left or _step(request, project, Part.SCOPE, "scope", form)


@require_http_methods(FORM_METHODS)
@project_view
def factors(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager while the target is being determined: step 3, the five factors."""
    may_edit_after_sharing(request.user, project).require()
    form = pages.factors_form(project, objective_of(project), request.POST or None)
    if request.method == "POST" and _is_fresh(request, project, Part.FACTORS, form):
        services.factors_save(project, factors=form.content, by=request.user)
        return _saved(request, project, "objective:risk")
    left = _left_as_draft(request, project, Part.FACTORS, form)
    return left or _step(request, project, Part.FACTORS, "factors", form)


@require_http_methods(FORM_METHODS)
@project_view
def risk(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager while the target is being determined: step 4, acceptable risk."""
    may_edit_after_sharing(request.user, project).require()
    objective = objective_of(project)
    form = pages.risk_form(project, objective, request.POST or None)
    shown = pages.risk_context(project, objective, request.POST)
    if request.method == "POST" and _is_fresh(request, project, Part.TARGETS, form):
        services.risk_save(project, risk=for_sharing(form.content, project.sharing_type), by=request.user)
        if not shown["useful"] and shown["takes_suggested"]:
            services.utility_suggested_add(project, by=request.user)
            return _saved(request, project, "objective:plan_edit")
        return _saved(request, project, "objective:utility")
    left = _left_as_draft(request, project, Part.TARGETS, form)
    return left or _step(request, project, Part.TARGETS, "risk", form, **shown)


@require_http_methods(FORM_METHODS)
@project_view
def utility(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager while the target is being determined: step 4, least usefulness; POST adds a target."""
    may_edit_after_sharing(request.user, project).require()
    kinds = {choice.kind for choice in kind_choices()}
    chosen = request.POST.get("kind") or request.GET.get("kind") or ""
    if chosen and chosen not in kinds:
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = UtilityTargetForm(sent, kind=chosen) if chosen else None
    objective = objective_of(project)
    stored = (objective.utility if objective else None) or []
    if request.method == "POST" and form is not None and form.is_valid():
        services.utility_add(project, target=form.target, by=request.user)
        return _saved(request, project, "objective:utility")
    suggested = [row for row in utility_defaults(project.sharing_type) if row not in stored]
    return _step(
        request,
        project,
        Part.TARGETS,
        "utility",
        form,
        chosen=chosen,
        kinds=kind_choices(),
        targets=list(enumerate(utility_rows(stored))),
        suggested=utility_rows(suggested),
    )


@require_POST
@project_view
def utility_suggest(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager while the target is being determined: take over the suggested utility targets."""
    services.utility_suggested_add(project, by=request.user)
    return _saved(request, project, "objective:utility")


@require_POST
@project_view
def utility_remove(request: HttpRequest, project: Project, position: int) -> HttpResponse:
    """The planning manager while the target is being determined: remove one utility target."""
    services.utility_remove(project, position=position, by=request.user)
    return _saved(request, project, "objective:utility")


@require_http_methods(FORM_METHODS)
@project_view
def plan_edit(request: HttpRequest, project: Project) -> HttpResponse:
    """Who writes the target, while it is being determined: step 5, the nine sections; who submits it does so here, too."""
    may_edit_after_sharing(request.user, project).require()
    objective: Objective | None = objective_of(project)
    suggested = plan_prefill(project, objective)
    stored = objective.plan if objective else None
    form = forms.PlanForm(request.POST or None, initial=forms.PlanForm.initial_of(stored or suggested))
    if request.method == "POST" and _is_fresh(request, project, Part.PLAN, form):
        services.plan_save(project, plan=form.content, by=request.user)
        moved = None
        if request.POST.get("then") == "submit":
            moved = project_hand_on(project, move=Move.SUBMIT_OBJECTIVE, by=request.user)
        if moved is None:
            return _saved(request, project, "objective:page")
        text = _("Saved and submitted. The project now stands at: %(state)s.")
        messages.success(request, text % {"state": moved.get_state_display()})
        return redirect(onward(moved, request.user))
    left = _left_as_draft(request, project, Part.PLAN, form)
    return left or _step(
        request,
        project,
        Part.PLAN,
        "plan_edit",
        form,
        is_prefilled=stored is None,
        suggestions=pages.changed_suggestions(stored, suggested),
        outdated=pages.plan_outdated(project, objective),
        submits=bool(may_move(request.user, project, Move.SUBMIT_OBJECTIVE, check_evidence=False)),
    )


@require_GET
@project_view
def plan(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project: the plan as it stands, its versions, documents and what changed."""
    may_see_inside(request.user, project).require()
    objective = objective_of(project)
    context = stage_context(project, request.user, Stage.OBJECTIVE) | pages.versions(project)
    context["sections"] = plan_rows(objective.plan if objective else None)
    return render(request, "objective/plan.html", context)
