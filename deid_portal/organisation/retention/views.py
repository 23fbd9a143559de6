"""The page of the terms of retention: in force, proposed, and every version."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from approvals.governance.verdict import Refused
from projects.core.numbers import count
from projects.datasets.store.holdings import DATA
from projects.disposal.presentation import kinds_text
from projects.disposal.terms import Terms

from ..proposals.forms import SecondPersonForm
from ..proposals.models import ProposalStatus
from ..proposals.rules import ProposalReason, may_decide, may_propose
from ..rules import OrganisationReason, may_read_organisation
from . import terms as services
from .forms import RetentionForm


@require_http_methods(["GET", "POST"])
def retention(request: HttpRequest) -> HttpResponse:
    """Everybody inside reads them; planning managers and administrators propose others, with a reason."""
    may_read_organisation(request.user).require()
    versions = list(services.versions())
    now = services.terms_now()
    waiting = next((one for one in versions if one.status == ProposalStatus.PROPOSED), None)
    form = RetentionForm(request.POST or None, now=now)
    if request.method == "POST":
        may_propose(request.user).require()
        if form.is_valid() and _proposed(form, request):
            messages.success(request, _("The proposal is waiting for a second person."))
            return redirect("organisation:retention")
    context = {
        "rows": term_rows(now),
        "number": now.version,
        "waiting": waiting,
        "waiting_rows": term_rows(services.terms_of(waiting)) if waiting else [],
        "may_decide": may_decide(request.user, waiting) if waiting else None,
        "decision": SecondPersonForm(),
        "may_propose": may_propose(request.user),
        "form": form,
        "versions": versions,
    }
    return render(request, "organisation/retention.html", context, status=422 if form.is_bound else 200)


def term_rows(terms: Terms) -> list[tuple[str, str]]:
    """How long each kind is kept, in words."""
    return [(kinds_text(kind).capitalize(), _days(terms.days.get(kind.value))) for kind in DATA]


def _days(days: int | None) -> str:
    if days is None:
        return _("no term")
    after = ngettext(
        "%(n)s day after the end of the project", "%(n)s days after the end of the project", days
    )
    return after % {"n": count(days)}


def _proposed(form: RetentionForm, request: HttpRequest) -> bool:
    """Whether the version was laid down; the form says why not."""
    try:
        services.terms_propose(form.days(), reason=form.cleaned_data["reason"], by=request.user)
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
def retention_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
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
        services.terms_decide(found, accept=accept, reason=form.cleaned_data["reason"], by=request.user)
        text = _("The terms are in force.") if accept else _("The proposal was rejected.")
        messages.success(request, text)
    return redirect("organisation:retention")
