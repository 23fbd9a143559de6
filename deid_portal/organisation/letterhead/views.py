"""The page of the letterhead."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals.governance.verdict import Refused

from .. import rules
from .forms import LetterheadForm
from .versions import letterhead_set, versions


@require_http_methods(["GET", "POST"])
def letterhead(request: HttpRequest) -> HttpResponse:
    """Everybody inside reads it; administrators set it."""
    rules.may_read_organisation(request.user).require()
    made = list(versions())
    current = made[0] if made else None
    form = LetterheadForm(request.POST or None, request.FILES or None, current=current)
    if request.method == "POST":
        rules.may_set_letterhead(request.user).require()
        if form.is_valid():
            try:
                letterhead_set(**form.letterhead(), by=request.user)
            except Refused as refusal:
                if refusal.verdict.reason != rules.OrganisationReason.NOTHING_CHANGED:
                    raise
                form.add_error(None, refusal.verdict.text)
            else:
                messages.success(request, _("The letterhead is set. Documents made from now on carry it."))
                return redirect("organisation:letterhead")
    context = {
        "form": form,
        "current": current,
        "versions": made,
        "may_set": rules.may_set_letterhead(request.user),
    }
    return render(request, "organisation/letterhead.html", context, status=422 if form.is_bound else 200)
