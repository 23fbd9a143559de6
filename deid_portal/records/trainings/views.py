"""Pages of trainings: everybody inside reads what is planned; administrators record who attended."""

from __future__ import annotations

import uuid
from collections import Counter
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from approvals.governance.person import by_reading
from deid_portal.accounts.forms import ReasonForm
from deid_portal.organisation.rules import may_read_organisation
from projects.core.drafts.pages import draft_answer, draft_end
from projects.workflow import Role

from ..enums import AttendanceOutcome
from ..models import Training
from . import rules, selectors, services
from .forms import AttendanceForm, TrainingForm

# So many lines are less than two screens.
PAGE_ROWS = 12


@require_http_methods(["GET", "POST"])
def trainings(request: HttpRequest) -> HttpResponse:
    """Everybody inside: what is planned and what was held; planning managers and administrators plan another one."""
    may_read_organisation(request.user).require()
    form = TrainingForm(request.POST or None)
    verdict = rules.may_plan(request.user)
    if (answer := draft_answer(request, form, verdict, about="")) is not None:
        return answer
    if request.method == "POST":
        verdict.require()
        if form.is_valid():
            try:
                made = services.training_plan(**form.planned, by=request.user)
            except ValidationError as error:
                form.add_error(None, error)
            else:
                draft_end(request, form)
                messages.success(request, _("Planned. Those it is for have been notified."))
                return redirect("records:training", training_id=made.pk)
    page = Paginator(selectors.trainings(), PAGE_ROWS).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [{"training": one, "roles": _roles(one)} for one in page],
        "reads_attendance": bool(rules.may_read_attendance(request.user)),
        "may_plan": verdict,
        "form": form,
    }
    return render(request, "records/trainings.html", context, status=422 if form.is_bound else 200)


@require_safe
def training(request: HttpRequest, training_id: uuid.UUID) -> HttpResponse:
    """Everybody inside: what it teaches, for whom and when; administrators: who attended."""
    may_read_organisation(request.user).require()
    return _page(request, selectors.training_get(training_id))


@require_POST
def training_hold(request: HttpRequest, training_id: uuid.UUID) -> HttpResponse:
    """Administrators, from its day on: who attended, and who passed the test."""
    rules.may_read_attendance(request.user).require()
    found = selectors.training_get(training_id)
    rules.may_hold(request.user, found).require()
    form = AttendanceForm(request.POST, training=found)
    if form.is_valid():
        try:
            services.training_hold(found, **form.held, by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Recorded; each person's record has it."))
            return redirect("records:training", training_id=training_id)
    return _page(request, found, attendance=form)


@require_POST
def training_cancel(request: HttpRequest, training_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators: it will not be held, with the reason."""
    rules.may_plan(request.user).require()
    found = selectors.training_get(training_id)
    rules.may_cancel(request.user, found).require()
    form = ReasonForm(request.POST, prefix="cancel")
    if not form.is_valid():
        return _page(request, found, cancellation=form)
    services.training_cancel(found, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("Cancelled. Those it was for have been notified."))
    return redirect("records:trainings")


def _page(
    request: HttpRequest,
    found: Training,
    attendance: AttendanceForm | None = None,
    cancellation: ReasonForm | None = None,
) -> HttpResponse:
    may_hold = rules.may_hold(request.user, found)
    reads = bool(rules.may_read_attendance(request.user))
    rows = (
        sorted(selectors.attendance_of(found), key=lambda row: by_reading(str(row.account))) if reads else []
    )
    counted = Counter(row.outcome for row in rows)
    context: dict[str, Any] = {
        "training": found,
        "roles": _roles(found),
        "reads_attendance": reads,
        "attendance": rows,
        "counted": [(outcome.label, counted[outcome.value]) for outcome in AttendanceOutcome],
        "may_hold": may_hold,
        "form": attendance or (AttendanceForm(training=found) if may_hold else None),
        "may_cancel": rules.may_cancel(request.user, found),
        "cancellation": cancellation or ReasonForm(prefix="cancel"),
    }
    is_refused = attendance is not None or cancellation is not None
    return render(request, "records/training.html", context, status=422 if is_refused else 200)


def _roles(found: Training) -> str:
    return _(", ").join(str(Role(role).label) for role in found.roles)
