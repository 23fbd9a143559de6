"""The page of the numbers of signatures: in force, proposed, and every version."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
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
from . import quorum as services
from .forms import SignersForm


@require_http_methods(["GET", "POST"])
def signers(request: HttpRequest, decision: DecisionForm | None = None) -> HttpResponse:
    """Everybody inside reads them; planning managers and administrators propose others, with a reason."""
    may_read_organisation(request.user).require()
    versions = list(services.versions())
    now = services.version_now()
    form = SignersForm(pages.sent(request, decision), now=services.signers_in(now))
    form.address = reverse("organisation:signers")

    def propose(given: dict[str, Any]) -> None:
        services.signers_propose(form.needed(), reason=given["reason"], by=request.user)

    if (answer := pages.kept(request, form, now.number if now else 0)) is not None:
        return answer
    if request.method == "POST" and decision is None and pages.laid_down(request, form, propose):
        return redirect("organisation:signers")
    waiting = pages.waiting_of(versions)
    context = pages.context_of(request, versions, form, decision) | {
        "rows": signer_rows(services.signers_in(now)),
        "number": now.number if now else 0,
        "waiting_rows": signer_rows(services.signers_in(waiting)) if waiting else [],
    }
    return render(request, "organisation/signers.html", context, status=pages.status_of(form, decision))


def signer_rows(needed: Mapping[str, int]) -> list[tuple[str, str]]:
    """How many sign, by sharing type."""
    return [(str(kind.label), count(needed[kind.value])) for kind in SharingType]


@require_POST
def signers_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = services.version_get(version_id)
    decision = pages.decide(
        request, found, services.signers_decide, in_force=_("The numbers of signatures are in force.")
    )
    if decision is not None:
        return signers(request, decision)
    return redirect("organisation:signers")
