"""Steps 2 to 4 of the target on one page, saved together: object, factors and acceptable risk."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.forms import Textarea
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from pydantic_core import PydanticCustomError

from approvals.audit.rules import AuditReason
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import Refused
from projects.core.models import Project
from projects.core.pages import project_view

from .. import pages, services
from ..completeness import PARTS_TOGETHER
from ..enums import Part
from ..forms import ContentForm
from ..rules import may_edit_after_sharing
from ..selectors import drafts_of, objective_of
from ..targets.reading import problem_text
from .saved.answers import ANEW


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager while the target is being determined: steps 2 to 4, saved all or none."""
    may_edit_after_sharing(request.user, project).require()
    sent = request.POST if request.method == "POST" else None
    forms = _forms(project, request, sent)
    then = request.POST.get("then", "")
    overtaken = pages.overtaken(project, PARTS_TOGETHER, request.POST.get("seen", ""))
    drafted = pages.drafted_meanwhile(project, PARTS_TOGETHER, request.POST, request.user)
    if then == "discard":
        return _discard(request, project, is_seen=not drafted)
    if then == "keep":
        if overtaken or drafted:
            return HttpResponse(status=409)
        _keep(request, project, forms)
        return HttpResponse(status=204)
    # Each is asked, so that one list names what is wrong in all of them.
    right = {part: form.is_valid() for part, form in forms.items()}
    if sent is not None and all(right.values()):
        if not (overtaken or drafted):
            return _save(request, project, forms) or _page(request, project, forms)
        text = _("%(why)s Compare them; saving again replaces what is there now.")
        why = text % {"why": overtaken} if overtaken else drafted
        forms[Part.SCOPE].add_error(None, ValidationError(why, code=pages.OVERTAKEN))
    elif then == "overview" and drafted:
        forms[Part.SCOPE].add_error(None, ValidationError(drafted, code=pages.OVERTAKEN))
    elif then == "overview" and not overtaken:
        _keep(request, project, forms)
        text = _("Kept as a draft. Entries missing or to be corrected: %(count)s.")
        messages.warning(request, text % {"count": sum(len(form.errors) for form in forms.values())})
        return redirect(reverse("objective:page", kwargs={"project_id": project.pk}))
    return _page(request, project, forms)


def _forms(project: Project, request: HttpRequest, sent: QueryDict | None) -> dict[Part, ContentForm]:
    objective = objective_of(project)
    forms: dict[Part, ContentForm] = {
        Part.SCOPE: pages.scope_form(project, request.user, objective, sent),
        Part.FACTORS: pages.factors_form(project, objective, sent),
        Part.TARGETS: pages.risk_form(project, objective, sent),
    }
    for form in forms.values():
        for field in form.fields.values():
            if isinstance(field.widget, Textarea):
                # Three steps stand on one page; who writes more pulls a field larger.
                field.widget.attrs["rows"] = 2
    return forms


def _seen(project: Project) -> str:
    return "-".join(pages.seen_of(project, part) for part in PARTS_TOGETHER)


def _page(request: HttpRequest, project: Project, forms: dict[Part, ContentForm]) -> HttpResponse:
    drafts = drafts_of(project)
    context = pages.step_frame(project, request.user, Part.SCOPE)
    anew: list[Any] = []
    for part, form in forms.items():
        draft = drafts.get(part)
        if draft is not None and not form.is_bound:
            form.begin_with(draft.entries)
            anew += [form.fields[name].label for name in form.fields if name in ANEW.get(part, ())]
    risk = forms[Part.TARGETS]
    bound = request.method == "POST"
    context |= pages.risk_context(project, objective_of(project), request.POST)
    context |= {
        "seen": _seen(project),
        "drafted": pages.drafted_of(project, PARTS_TOGETHER, request.user),
        "draft": next((drafts[part] for part in PARTS_TOGETHER if part in drafts), None),
        "anew": anew,
        "scope_form": forms[Part.SCOPE],
        "factors_form": forms[Part.FACTORS],
        "form": risk,
        "risk_refused": bound and bool(risk.errors.keys() - {"why"}),
    }
    if bound and not forms[Part.SCOPE].has_error(NON_FIELD_ERRORS, pages.OVERTAKEN):
        context |= pages.shown_before(request.POST)
    return render(request, "objective/together.html", context, status=422 if bound else 200)


def _keep(request: HttpRequest, project: Project, forms: dict[Part, ContentForm]) -> None:
    with governed_act():
        for part, form in forms.items():
            seen = pages.seen_of(project, part)
            services.draft_keep(project, part=part, entries=form.entries, seen=seen, by=request.user)


def _discard(request: HttpRequest, project: Project, *, is_seen: bool) -> HttpResponse:
    if not is_seen:
        messages.warning(request, pages.DRAFT_STAYS)
        return redirect(request.path)
    with governed_act():
        for part in PARTS_TOGETHER:
            services.draft_discard(project, part=part, by=request.user)
    return redirect(request.path)


def _save(request: HttpRequest, project: Project, forms: dict[Part, ContentForm]) -> HttpResponse | None:
    """Save all three; None where a rule refused one of them: then none is saved, and its form says why."""
    part = Part.SCOPE
    shown = pages.risk_context(project, objective_of(project), request.POST)
    takes = not shown["useful"] and shown["takes_suggested"]
    try:
        with governed_act():
            services.scope_save(project, scope=forms[Part.SCOPE].content, by=request.user)
            part = Part.FACTORS
            services.factors_save(project, factors=forms[Part.FACTORS].content, by=request.user)
            part = Part.TARGETS
            services.risk_save(project, risk=forms[Part.TARGETS].content, by=request.user)
            if takes:
                services.utility_suggested_add(project, by=request.user)
    except PydanticCustomError as error:
        # The sharing type was changed meanwhile, and does not allow these targets.
        forms[part].add_error(None, problem_text(error))
        return None
    except Refused as refused:
        # Who may no longer write the target, and over what log nobody may, is refused as everywhere.
        project.refresh_from_db()
        if isinstance(refused.verdict.reason, AuditReason) or not may_edit_after_sharing(
            request.user, project
        ):
            raise
        forms[part].add_error(None, refused.verdict.text)
        return None
    messages.success(request, _("Saved."))
    following = "objective:plan_edit" if takes or shown["useful"] else "objective:utility"
    target = "objective:page" if request.POST.get("then") == "overview" else following
    return redirect(reverse(target, kwargs={"project_id": project.pk}))
