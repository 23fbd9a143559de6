"""The page of the grading of data: in force, proposed, and every version."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.enums import SharingType
from projects.core.numbers import count

from ..proposals import pages
from ..proposals.forms import DecisionForm
from ..rules import may_read_organisation
from . import policy as services
from .forms import GradingForm
from .policy import GRADED, Policy


@require_http_methods(["GET", "POST"])
def grading(request: HttpRequest, decision: DecisionForm | None = None) -> HttpResponse:
    """Everybody inside reads it; planning managers and administrators propose another version."""
    may_read_organisation(request.user).require()
    versions = list(services.versions())
    now = services.policy_at(None)
    form = GradingForm(pages.sent(request, decision), now=now)
    form.address = reverse("organisation:grading")

    def propose(given: dict[str, Any]) -> None:
        services.grading_propose(form.rules(), reason=given["reason"], by=request.user)

    if (answer := pages.kept(request, form, now.version)) is not None:
        return answer
    if request.method == "POST" and decision is None and pages.laid_down(request, form, propose):
        return redirect("organisation:grading")
    waiting = pages.waiting_of(versions)
    context = pages.context_of(request, versions, form, decision) | {
        "rows": rule_rows(now),
        "number": now.version,
        "waiting_rows": rule_rows(services.policy_of(waiting)) if waiting else [],
    }
    return render(request, "organisation/grading.html", context, status=pages.status_of(form, decision))


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
                "signers": count(rule.signers),
            }
        )
    return rows


@require_POST
def grading_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = services.version_get(version_id)
    decision = pages.decide(request, found, services.grading_decide, in_force=_("The grading is in force."))
    if decision is not None:
        return grading(request, decision)
    return redirect("organisation:grading")
