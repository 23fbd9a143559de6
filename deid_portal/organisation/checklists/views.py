"""Pages of the review checklists: an overview of the stages, and each with what is in force, proposed, and every version."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from projects.monitoring.checklists.items import Item
from projects.workflow import Stage

from ..proposals import pages
from ..proposals.forms import DecisionForm
from ..rules import may_read_organisation
from . import lists as services
from .forms import ChecklistForm
from .shipped import shipped


@require_GET
def checklists(request: HttpRequest) -> HttpResponse:
    """Everybody inside sees which stage has a checklist."""
    may_read_organisation(request.user).require()
    rows = [{"stage": stage, "now": services.checklist_now(stage)} for stage in services.STAGES]
    return render(request, "organisation/checklists/list.html", {"rows": rows})


@require_http_methods(["GET", "POST"])
def checklist(request: HttpRequest, stage: str, decision: DecisionForm | None = None) -> HttpResponse:
    """Everybody inside reads it; planning managers and administrators propose another version."""
    may_read_organisation(request.user).require()
    if stage not in services.STAGES:
        raise Http404
    of = Stage(stage)
    now, versions = services.checklist_now(of), list(services.versions(of))
    begins = [one.as_json() for one in now.items or shipped(of)]
    form = ChecklistForm(pages.sent(request, decision), begins=begins, may_be_off=bool(now.items))
    form.address = reverse("organisation:checklist", args=[of.value])

    def propose(given: dict[str, Any]) -> None:
        services.checklist_propose(
            of, [Item(**one) for one in form.given()], reason=given["reason"], by=request.user
        )

    if (answer := pages.kept(request, form, f"{of.value} {now.version}")) is not None:
        return answer
    if request.method == "POST" and decision is None and pages.laid_down(request, form, propose):
        return redirect("organisation:checklist", stage=of.value)
    waiting = pages.waiting_of(versions)
    context = pages.context_of(request, versions, form, decision) | {
        "stage": of,
        "now": now,
        "proposed": services.checklist_from(waiting) if waiting else None,
        "proposes_shipped": not now.items,
    }
    status = pages.status_of(form, decision)
    return render(request, "organisation/checklists/checklist.html", context, status=status)


@require_POST
def checklist_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = services.version_get(version_id)
    decision = pages.decide(
        request, found, services.checklist_decide, in_force=_("The checklist is in force.")
    )
    if decision is not None:
        return checklist(request, found.stage, decision)
    return redirect("organisation:checklist", stage=found.stage)
