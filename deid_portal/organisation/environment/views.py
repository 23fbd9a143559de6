"""The page of the coefficients of the surroundings: in force, proposed, decided, and every version."""

from __future__ import annotations

import uuid
from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from approvals.governance.verdict import Refused
from projects.core.numbers import number
from projects.objective.enums import Level
from projects.objective.surroundings.coefficients import Coefficients
from techniques.disclosure_risk.scales.degree import (
    SCENARIO_COEFFICIENTS,
    SCENARIO_NAMES,
    Capability,
    Scenario,
    required_k,
)
from techniques.disclosure_risk.scales.safeguards import RULE

from ..proposals.forms import SecondPersonForm
from ..proposals.models import ProposalStatus
from ..proposals.rules import ProposalReason, may_decide, may_propose
from ..rules import OrganisationReason, may_read_organisation
from . import coefficients as services
from .forms import CoefficientsForm

# With public data there is no recipient whose safeguards count.
_SCENARIOS = (Scenario.INTERNAL, Scenario.EXTERNAL)


@require_http_methods(["GET", "POST"])
def coefficients(request: HttpRequest) -> HttpResponse:
    """Everybody inside reads them; planning managers and administrators propose others, with a reason."""
    may_read_organisation(request.user).require()
    versions = list(services.versions())
    now = services.coefficients_now()
    waiting = next((one for one in versions if one.status == ProposalStatus.PROPOSED), None)
    initial = {grade.value: number(float(now.of[grade])) for grade in (Capability.LOW, Capability.HIGH)}
    form = CoefficientsForm(request.POST or None, initial=initial)
    if request.method == "POST":
        may_propose(request.user).require()
        if form.is_valid() and _proposed(form, request):
            messages.success(request, _("The proposal is waiting for a second person."))
            return redirect("organisation:coefficients")
    context = {
        "rows": _rows(now),
        "scenarios": [_(SCENARIO_NAMES[scenario]) for scenario in _SCENARIOS],
        "number": now.version,
        "rule": _(RULE),
        "waiting": waiting,
        "waiting_rows": _rows(waiting.coefficients) if waiting else [],
        "lets_smaller_pass": waiting is not None and waiting.coefficients.of[Capability.HIGH] > 1,
        "may_decide": may_decide(request.user, waiting) if waiting else None,
        "decision": SecondPersonForm(),
        "may_propose": may_propose(request.user),
        "form": form,
        "versions": versions,
    }
    status = 422 if form.is_bound else 200
    return render(request, "organisation/coefficients.html", context, status=status)


def _proposed(form: CoefficientsForm, request: HttpRequest) -> bool:
    """Whether the version was laid down; the form says why not."""
    data = form.cleaned_data
    try:
        services.coefficients_propose(
            low=Fraction(data["low"]), high=Fraction(data["high"]), reason=data["reason"], by=request.user
        )
    except ValidationError as error:
        form.add_error(None, error)
    except Refused as refusal:
        if refusal.verdict.reason not in (ProposalReason.ONE_IS_WAITING, OrganisationReason.NOTHING_CHANGED):
            raise
        form.add_error(None, refusal.verdict.text)
    else:
        return True
    return False


def _rows(of: Coefficients) -> list[dict[str, Any]]:
    """Each grade with its coefficient and the smallest K that reaches a degree of 1."""
    return [
        {
            "grade": Level(grade.value).label,
            "coefficient": number(float(of.of[grade])),
            "needed": [required_k(SCENARIO_COEFFICIENTS[scenario], of.of[grade]) for scenario in _SCENARIOS],
        }
        for grade in Capability
    ]


@require_POST
def coefficients_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
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
        reason = form.cleaned_data["reason"]
        services.coefficients_decide(found, accept=accept, reason=reason, by=request.user)
        text = _("The coefficients are in force.") if accept else _("The proposal was rejected.")
        messages.success(request, text)
    return redirect("organisation:coefficients")
