"""The page of the terms of retention: in force, proposed, and every version."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.numbers import count
from projects.datasets.store.holdings import DATA
from projects.disposal.presentation import kinds_text
from projects.disposal.terms import Terms

from ..proposals import pages
from ..proposals.forms import DecisionForm
from ..rules import may_read_organisation
from . import terms as services
from .forms import RetentionForm


@require_http_methods(["GET", "POST"])
def retention(request: HttpRequest, decision: DecisionForm | None = None) -> HttpResponse:
    """Everybody inside reads them; planning managers and administrators propose others, with a reason."""
    may_read_organisation(request.user).require()
    versions = list(services.versions())
    now = services.terms_now()
    form = RetentionForm(pages.sent(request, decision), now=now)
    form.address = reverse("organisation:retention")

    def propose(given: dict[str, Any]) -> None:
        services.terms_propose(form.days(), reason=given["reason"], by=request.user)

    if (answer := pages.kept(request, form, now.version)) is not None:
        return answer
    if request.method == "POST" and decision is None and pages.laid_down(request, form, propose):
        return redirect("organisation:retention")
    waiting = pages.waiting_of(versions)
    context = pages.context_of(request, versions, form, decision) | {
        "rows": term_rows(now),
        "number": now.version,
        "waiting_rows": term_rows(services.terms_of(waiting)) if waiting else [],
    }
    return render(request, "organisation/retention.html", context, status=pages.status_of(form, decision))


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


@require_POST
def retention_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = services.version_get(version_id)
    decision = pages.decide(request, found, services.terms_decide, in_force=_("The terms are in force."))
    if decision is not None:
        return retention(request, decision)
    return redirect("organisation:retention")
