"""The page of the organisation's own clauses: what is in force, what is proposed, and every version."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.releases.agreements.clauses import Clause

from ..proposals import pages
from ..proposals.forms import DecisionForm
from ..rules import may_read_organisation
from . import clauses as services
from .forms import ClausesForm
from .shipped import shipped


@require_http_methods(["GET", "POST"])
def clauses(request: HttpRequest, decision: DecisionForm | None = None) -> HttpResponse:
    """Everybody inside reads them; planning managers and administrators propose another version."""
    may_read_organisation(request.user).require()
    now, versions = services.clauses_now(), list(services.versions())
    begins = [one.as_json() for one in now.of or shipped()]
    form = ClausesForm(pages.sent(request, decision), begins=begins, may_be_off=bool(now.of))
    form.address = reverse("organisation:clauses")

    def propose(given: dict[str, Any]) -> None:
        services.clauses_propose(
            [Clause(**one) for one in form.given()], reason=given["reason"], by=request.user
        )

    if (answer := pages.kept(request, form, now.version)) is not None:
        return answer
    if request.method == "POST" and decision is None and pages.laid_down(request, form, propose):
        return redirect("organisation:clauses")
    waiting = pages.waiting_of(versions)
    context = pages.context_of(request, versions, form, decision) | {
        "now": now,
        "proposed": services.clauses_from(waiting) if waiting else None,
        "proposes_shipped": not now.of,
    }
    return render(
        request, "organisation/agreements/clauses.html", context, status=pages.status_of(form, decision)
    )


@require_POST
def clauses_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = services.version_get(version_id)
    decision = pages.decide(request, found, services.clauses_decide, in_force=_("The clauses are in force."))
    if decision is not None:
        return clauses(request, decision)
    return redirect("organisation:clauses")
