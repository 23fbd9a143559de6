"""The page of the policy about cryptography."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from .. import rules
from ..forms import ReasonForm
from . import policy as cryptography


@require_http_methods(["GET", "POST"])
def policy(request: HttpRequest) -> HttpResponse:
    """Everybody inside reads it; planning managers and administrators change it, with a reason."""
    rules.may_read_organisation(request.user).require()
    form = ReasonForm(request.POST or None)
    versions = list(cryptography.policies())
    national = bool(versions and versions[0].national_only)
    if request.method == "POST":
        rules.may_edit_metadata(request.user).require()
        if form.is_valid():
            # What is wanted, not the other of what is: two people who press the same button want the same.
            if (wanted := request.POST.get("wanted")) not in ("national", "any"):
                raise BadRequest
            cryptography.policy_set(
                national=wanted == "national", reason=form.cleaned_data["reason"], by=request.user
            )
            messages.success(
                request, _("The policy has changed. It applies to every run that starts from now on.")
            )
            return redirect("organisation:cryptography")
    context = {
        "national": national,
        "versions": versions,
        "form": form,
        "may_edit": rules.may_edit_metadata(request.user),
    }
    return render(request, "organisation/cryptography.html", context, status=422 if form.is_bound else 200)
