"""The page of a change of recipients, which senior management decides."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from projects.core.selectors import project_get

from ...enums import ChangeOutcome
from ..terms import Terms
from ..views import scan_file
from . import rules, selectors, services
from .forms import ChangeDecisionForm
from .presentation import change_labels, terms_rows, tone_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def change(request: HttpRequest, project: Project, recipient_change_id: uuid.UUID) -> HttpResponse:
    """Who sees the project may look; senior management decides, and says its password or a code again."""
    may_see_inside(request.user, project).require()
    found = selectors.change_get(project, recipient_change_id)
    may_approve = rules.may_approve_change(request.user, found)
    form = ChangeDecisionForm(
        request.POST or None,
        confirms=request.confirms,  # type: ignore[attr-defined]
        may_approve=bool(may_approve),
    )
    if request.method == "POST":
        rules.may_decide_change(request.user, found).require()
        if form.is_valid():
            approve = form.cleaned_data["decision"] == "approve"
            reason, seen = form.cleaned_data["reason"], request.POST.get("content_hash", "")
            made = services.change_decide(
                found, approve=approve, reason=reason, seen_hash=seen, by=request.user
            )
            if made.outcome == ChangeOutcome.WAITING:
                messages.success(request, _("Your signature is recorded. Others have yet to sign."))
            else:
                messages.success(request, _("Your decision is recorded."))
            return redirect("releases:page", project_id=project.pk)
    context = {
        "project": project,
        "change": found,
        "tone": tone_of(found),
        "asks": change_labels(found),
        "rows": terms_rows(
            Terms.model_validate(found.terms),
            selectors.held_by(found) if not found.decided_at else None,
            enclave=project.sharing_type == SharingType.ENCLAVE,
        ),
        "form": form,
        "signing": selectors.signing_of(found),
        "may_decide": rules.may_decide_change(request.user, found),
        "may_approve": may_approve,
    }
    return render(request, "releases/recipient_change.html", context, status=422 if form.is_bound else 200)


@require_GET
def change_scan(
    request: HttpRequest, project_id: uuid.UUID, recipient_change_id: uuid.UUID
) -> HttpResponseBase:
    """Who may see the project: the signed agreement of a change, as a download, on the record."""
    project = project_get(request.user, project_id)
    found = selectors.change_get(project, recipient_change_id)
    signed_on = Terms.model_validate(found.terms).signed_on
    return scan_file(
        project, found.scan, lambda: services.change_scan_open(found, by=request.user), signed_on=signed_on
    )
