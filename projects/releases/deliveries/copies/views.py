"""The page on which a recipient states what became of their copy."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ...selectors import release_get
from . import rules
from .forms import CopyForm
from .selectors import copy_of
from .services import copy_state


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipients of a release, former ones too: what became of the copy that they fetched."""
    release = release_get(request.user, release_id)
    form = CopyForm(request.POST or None)
    if request.method == "POST":
        rules.may_state(request.user, release).require()
        if form.is_valid():
            copy_state(release, how=form.cleaned_data["how"], by=request.user)
            messages.success(request, _("Thank you. The planning manager has been told."))
            return redirect("recipient_copies:page", release_id=release.pk)
    context = {
        "release": release,
        "copy": copy_of(request.user, release),
        "may_state": rules.may_state(request.user, release),
        "form": form,
    }
    return render(request, "releases/recipient_copy.html", context, status=422 if form.is_bound else 200)
