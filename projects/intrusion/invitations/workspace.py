"""The pages of an invited tester, who has no others: their tests, the result, and what they claim."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from approvals.governance.person import Person
from approvals.governance.verdict import Refused
from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.numbers import whole_number
from projects.datasets.store.responses import CONTENT_TYPES, FALLBACK, file_response
from projects.processing.runs.selectors import tables_of_run

from ..models import Invitation
from . import rules, selectors, services
from .forms import InvitedClaimForm
from .presentation import claim_state, why_not


@require_GET
def listing(request: HttpRequest) -> HttpResponse:
    """Each tester: the tests to which they were invited, and no others."""
    found = list(selectors.invitations_to(request.user))
    verdicts = rules.are_open(found)
    rows = [
        {"invitation": one, "is_open": bool(verdicts[one.pk]), "why_not": why_not(verdicts[one.pk])}
        for one in found
    ]
    return render(request, "intrusion/tester_list.html", {"rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
def case(request: HttpRequest, invitation_id: uuid.UUID) -> HttpResponse:
    """Who is invited, while it lasts: what is to be tried, and their claims; a further one (POST)."""
    invitation = selectors.invitation_get(request.user, invitation_id)
    verdict = rules.may_look(request.user, invitation)
    verdict.require()
    tables = tables_of_run(invitation.test.run)
    form = InvitedClaimForm(request.POST or None, tables=tables)
    project = invitation.test.project
    if (answer := draft_answer(request, form, verdict, project=project, about=invitation.pk)) is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        try:
            services.invited_claim(invitation, **form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error("record", refused.verdict.text)
        else:
            draft_end(request, form)
            messages.success(request, _("Your claim is recorded."))
            return redirect("tester:case", invitation_id=invitation.pk)
    context = {
        "invitation": invitation,
        "test": invitation.test,
        "tables": list(tables.values()),
        "claims": _claims(invitation),
        "form": form,
    }
    return render(request, "intrusion/tester_case.html", context, status=422 if form.is_bound else 200)


def _claims(invitation: Invitation) -> list[dict[str, Any]]:
    rows = []
    for claim in selectors.claims_by(invitation):
        tone, word = claim_state(claim, invitation)
        rows.append({"claim": claim, "tone": tone, "word": word})
    return rows


@require_GET
def look(request: HttpRequest, invitation_id: uuid.UUID) -> HttpResponse:
    """Who is invited, while it lasts: one page of the first rows of the result, with a watermark, on the record."""
    invitation = selectors.invitation_get(request.user, invitation_id)
    table = request.GET.get("table", "")
    number = whole_number(request.GET.get("page", "1"))
    shown = services.invitation_look(
        invitation, table=table, page=number if number >= 0 else 1, by=request.user
    )
    context = {
        "invitation": invitation,
        "test": invitation.test,
        "page": shown,
        "table": table,
        "of_file": f"&{urlencode({'table': table})}" if table else "",
        "looked_at": timezone.localtime(),
    }
    response = render(request, "intrusion/tester_look.html", context)
    response["Cache-Control"] = "no-store, private"
    return response


@require_GET
def file(request: HttpRequest, invitation_id: uuid.UUID) -> HttpResponseBase:
    """Who is invited to have it, while it lasts: the file of the result, on the record."""
    invitation = selectors.invitation_get(request.user, invitation_id)
    return file_fetched(invitation, table=request.GET.get("table", ""), by=request.user)


def file_fetched(invitation: Invitation, *, table: str, by: Person) -> HttpResponseBase:
    """The answer that is the file of a table, on the record."""
    pieces, written = services.invitation_fetch(invitation, table=table, by=by)
    assert written.result is not None  # it was opened
    name = services.file_name(invitation, written)
    content_type = CONTENT_TYPES.get(name.rsplit(".", 1)[-1], FALLBACK)
    return file_response(pieces, name=name, content_type=content_type, size=written.result.size)
