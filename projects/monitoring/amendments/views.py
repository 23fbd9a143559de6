"""Pages of amendments: proposed within a re-assessment, reviewed, decided."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.governance.verdict import Refused
from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.identification.enums import ColumnRole
from projects.objective.pages import form_status
from projects.objective.surroundings.forms import ContextForm
from techniques.core.messages import EngineError, filled
from techniques.disclosure_risk.scales.recovery import RULE as RECOVERY_RULE
from techniques.disclosure_risk.scales.safeguards import RULE

from .. import selectors
from ..enums import AmendmentKind
from ..models import Amendment, Reassessment
from . import rules, services
from .forms import (
    AmendedColumnsForm,
    AmendedSurroundingsForm,
    AmendedTargetsForm,
    AmendmentDecisionForm,
    AmendmentReviewForm,
)
from .presentation import amendment_row
from .selectors import amendable_roles, amendment_get
from .yardstick import yardstick_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def amend(request: HttpRequest, project: Project, reassessment_id: uuid.UUID, kind: str) -> HttpResponse:
    """The planning manager, while the re-assessment is open: propose other targets, surroundings or columns."""
    if kind not in AmendmentKind.values:
        raise Http404
    wanted = AmendmentKind(kind)
    found = selectors.reassessment_get(project, reassessment_id)
    may_propose = rules.may_propose(request.user, found, wanted)
    may_propose.require()
    form = _form(found, wanted, request.POST if request.method == "POST" else None)
    if (answer := draft_answer(request, form, may_propose, project=project, about=found.pk)) is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        try:
            made = _proposed(found, form, request)
        except (EngineError, Refused) as error:
            form.add_error(None, _problem(error))
        else:
            draft_end(request, form)
            messages.success(
                request,
                _(
                    "Proposed. The supervisor reviews it, then senior management decides; once approved, it is measured by it."
                ),
            )
            return redirect("monitoring:amendment", project_id=project.pk, amendment_id=made.pk)
    context = {
        "project": project,
        "reassessment": found,
        "kind": wanted.value,
        "label": wanted.label,
        "form": form,
        "rule": _(RULE),
        "recovery_rule": _(RECOVERY_RULE),
    }
    return render(request, "monitoring/amend.html", context, status=form_status(form))


def _form(found: Reassessment, kind: AmendmentKind, sent: Any) -> Any:
    now = yardstick_of(found.project)
    if kind == AmendmentKind.TARGETS:
        return AmendedTargetsForm(sent, now=now.risk, sharing_type=found.project.sharing_type)
    if kind == AmendmentKind.SURROUNDINGS:
        initial = ContextForm.initial_of(dict(now.assessed["answers"])) if now.assessed else {}
        return AmendedSurroundingsForm(sent, initial=initial)
    return AmendedColumnsForm(sent, held=amendable_roles(found.release) | dict(now.columns))


def _proposed(found: Reassessment, form: Any, request: HttpRequest) -> Amendment:
    why, by = form.cleaned_data["why"], request.user
    if isinstance(form, AmendedTargetsForm):
        return services.targets_propose(found, risk=form.content, why=why, by=by)
    if isinstance(form, AmendedSurroundingsForm):
        return services.surroundings_propose(found, answers=form.answers, why=why, by=by)
    role = ColumnRole(form.cleaned_data["role"])
    return services.columns_propose(found, columns=form.named, role=role, why=why, by=by)


def _problem(error: EngineError | Refused) -> str:
    if isinstance(error, Refused):
        return error.verdict.text
    return filled(_(error.message), error.params) if error.params else _(error.message)


@require_GET
@project_view
def amendment(request: HttpRequest, project: Project, amendment_id: uuid.UUID) -> HttpResponse:
    """Everybody who may see the project reads what is replaced; who has to judge finds the form."""
    return _page(request, project, amendment_get(project, amendment_id))


def _page(
    request: HttpRequest, project: Project, found: Amendment, form: forms.Form | None = None
) -> HttpResponse:
    may_review = rules.may_review(request.user, found)
    may_decide = rules.may_decide(request.user, found)
    if form is None and may_review:
        form = AmendmentReviewForm()
    elif form is None and may_decide:
        form = AmendmentDecisionForm(confirms=request.confirms)  # type: ignore[attr-defined]
    context = amendment_row(found) | {
        "project": project,
        "reassessment": found.reassessment,
        "form": form,
        "may_review": may_review,
        "may_decide": may_decide,
    }
    status = 422 if form is not None and form.is_bound else 200
    return render(request, "monitoring/amendment.html", context, status=status)


@require_POST
@project_view
def amendment_review(request: HttpRequest, project: Project, amendment_id: uuid.UUID) -> HttpResponse:
    """The supervisor: pass an amendment on to senior management, or refuse it."""
    found = amendment_get(project, amendment_id)
    rules.may_review(request.user, found).require()
    form = AmendmentReviewForm(request.POST)
    if not form.is_valid():
        return _page(request, project, found, form)
    given, seen = form.cleaned_data, request.POST.get("content_hash", "")
    services.amendment_review(
        found, passed=given["outcome"] == "pass", review=given["review"], seen_hash=seen, by=request.user
    )
    messages.success(request, _("Your review is recorded."))
    return redirect("monitoring:amendment", project_id=project.pk, amendment_id=found.pk)


@require_POST
@project_view
def amendment_decide(request: HttpRequest, project: Project, amendment_id: uuid.UUID) -> HttpResponse:
    """Senior management, with the password or a code: approve an amendment, by which the release is then measured, or refuse it."""
    found = amendment_get(project, amendment_id)
    rules.may_decide(request.user, found).require()
    form = AmendmentDecisionForm(request.POST, confirms=request.confirms)  # type: ignore[attr-defined]
    if not form.is_valid():
        return _page(request, project, found, form)
    given, seen = form.cleaned_data, request.POST.get("content_hash", "")
    services.amendment_decide(
        found, approve=given["decision"] == "approve", reason=given["reason"], seen_hash=seen, by=request.user
    )
    messages.success(request, _("Your decision is recorded."))
    return redirect("monitoring:reassessment", project_id=project.pk, reassessment_id=found.reassessment_id)
