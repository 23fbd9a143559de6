"""The page of the grading of data: in force, proposed, and every version."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from approvals.governance.verdict import Refused
from projects.core.enums import SharingType

from ..proposals.forms import SecondPersonForm
from ..proposals.models import ProposalStatus
from ..proposals.rules import ProposalReason, may_decide, may_propose
from ..rules import OrganisationReason, may_read_organisation
from . import policy as services
from .forms import GradingForm
from .policy import GRADED, Policy


@require_http_methods(["GET", "POST"])
def grading(request: HttpRequest) -> HttpResponse:
    """Everybody inside reads it; planning managers and administrators propose another version."""
    may_read_organisation(request.user).require()
    versions = list(services.versions())
    now = services.policy_at(None)
    waiting = next((one for one in versions if one.status == ProposalStatus.PROPOSED), None)
    form = GradingForm(request.POST or None, now=now)
    if request.method == "POST":
        may_propose(request.user).require()
        if form.is_valid() and _proposed(form, request):
            messages.success(request, _("The proposal is waiting for a second person."))
            return redirect("organisation:grading")
    context = {
        "rows": rule_rows(now),
        "number": now.version,
        "waiting": waiting,
        "waiting_rows": rule_rows(services.policy_of(waiting)) if waiting else [],
        "may_decide": may_decide(request.user, waiting) if waiting else None,
        "decision": SecondPersonForm(),
        "may_propose": may_propose(request.user),
        "form": form,
        "versions": versions,
    }
    return render(request, "organisation/grading.html", context, status=422 if form.is_bound else 200)


def rule_rows(policy: Policy) -> list[dict[str, Any]]:
    """What each grade asks for, in words."""
    rows = []
    for grade in GRADED:
        rule = policy.rules[grade.value]
        allowed = [str(one.label) for one in SharingType if one.value in rule.sharing]
        rows.append(
            {
                "grade": grade.label,
                "sharing": _(", ").join(allowed) or _("Not at all"),
                "minimum_k": rule.minimum_k,
                "impact": rule.impact,
            }
        )
    return rows


def _proposed(form: GradingForm, request: HttpRequest) -> bool:
    """Whether the version was laid down; the form says why not."""
    try:
        services.grading_propose(form.rules(), reason=form.cleaned_data["reason"], by=request.user)
    except ValidationError as error:
        form.add_error(None, error)
    except Refused as refusal:
        if refusal.verdict.reason not in (ProposalReason.ONE_IS_WAITING, OrganisationReason.NOTHING_CHANGED):
            raise
        form.add_error(None, refusal.verdict.text)
    else:
        return True
    return False


@require_POST
def grading_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = services.version_get(version_id)
    may_decide(request.user, found).require()
    form = SecondPersonForm(request.POST)
    accept = request.POST.get("decision") == "accept"
    if request.POST.get("decision") not in ("accept", "turn_down"):
        messages.error(request, _("State whether the version is brought into force or rejected."))
    elif not form.is_valid():
        messages.error(request, _("A reason is required."))
    else:
        services.grading_decide(found, accept=accept, reason=form.cleaned_data["reason"], by=request.user)
        text = _("The grading is in force.") if accept else _("The proposal was rejected.")
        messages.success(request, text)
    return redirect("organisation:grading")
