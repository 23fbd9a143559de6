"""The page of the coefficients of the surroundings: in force, proposed, decided, and every version."""

from __future__ import annotations

import uuid
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.numbers import count, number
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

from ..proposals import pages
from ..proposals.forms import DecisionForm
from ..rules import may_read_organisation
from . import coefficients as services
from .forms import CoefficientsForm


@require_http_methods(["GET", "POST"])
def coefficients(request: HttpRequest, decision: DecisionForm | None = None) -> HttpResponse:
    """Everybody inside reads them; planning managers and administrators propose others, with a reason."""
    may_read_organisation(request.user).require()
    versions = list(services.versions())
    now = services.coefficients_now()
    waiting = pages.waiting_of(versions)
    initial: dict[str, Any] = {
        grade.value: number(float(now.of[grade])) for grade in (Capability.LOW, Capability.HIGH)
    }
    initial |= {scenario.value: now.scenarios[scenario].denominator for scenario in Scenario}
    form = CoefficientsForm(pages.sent(request, decision), initial=initial)
    form.address = reverse("organisation:coefficients")

    def propose(given: dict[str, Any]) -> None:
        low, high = (Fraction(given[name]) for name in ("low", "high"))
        scenarios = {scenario: given[scenario.value] for scenario in Scenario}
        services.coefficients_propose(
            low=low, high=high, scenarios=scenarios, reason=given["reason"], by=request.user
        )

    if (answer := pages.kept(request, form, now.version)) is not None:
        return answer
    if request.method == "POST" and decision is None and pages.laid_down(request, form, propose):
        return redirect("organisation:coefficients")
    context = pages.context_of(request, versions, form, decision) | {
        "rows": _rows(now),
        "scenarios": [_(SCENARIO_NAMES[scenario]) for scenario in Scenario],
        "number": now.version,
        "rule": _(RULE),
        "waiting_rows": _rows(waiting.coefficients) if waiting else [],
        "lets_smaller_pass": waiting is not None and waiting.coefficients.of[Capability.HIGH] > 1,
        "below_standard": _below_standard(waiting.coefficients) if waiting else [],
    }
    status = pages.status_of(form, decision)
    return render(request, "organisation/coefficients.html", context, status=status)


def _rows(of: Coefficients) -> list[dict[str, Any]]:
    """Each grade with its coefficient and the smallest K that reaches a degree of 1."""
    return [
        {
            "grade": Level(grade.value).label,
            "coefficient": number(float(of.of[grade])),
            # With public data there is no recipient whose safeguards count.
            "needed": [
                count(required_k(of.scenarios[scenario], of.of[grade]))
                if scenario != Scenario.PUBLIC or grade == Capability.MEDIUM
                else "–"
                for scenario in Scenario
            ],
        }
        for grade in Capability
    ]


def _below_standard(of: Coefficients) -> list[str]:
    """The scenarios that would ask for smaller classes than the standard suggests."""
    return [
        _(SCENARIO_NAMES[scenario])
        for scenario in Scenario
        if of.scenarios[scenario] > SCENARIO_COEFFICIENTS[scenario]
    ]


@require_POST
def coefficients_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = services.version_get(version_id)
    decision = pages.decide(
        request, found, services.coefficients_decide, in_force=_("The coefficients are in force.")
    )
    if decision is not None:
        return coefficients(request, decision)
    return redirect("organisation:coefficients")
