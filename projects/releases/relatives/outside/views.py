"""Pages of releases that were made outside the portal: record one, read it, correct or withdraw the entry."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from . import rules, services
from .forms import OutsideCorrectionForm, OutsideForm, WithdrawalForm
from .models import OutsideRelease
from .presentation import entry_facts
from .selectors import outside_get


@require_http_methods(["GET", "HEAD", "POST"])
def record(request: HttpRequest) -> HttpResponse:
    """Planning managers: enter a release that was made outside the portal."""
    rules.may_record_outside(request.user).require()
    form = OutsideForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        made = services.outside_record(form.facts, by=request.user)
        messages.success(
            request,
            _("It has been recorded. Live projects that it is related to look at their release again."),
        )
        return redirect("board:outside", entry_id=made.pk)
    context = {"form": form, "entry": None}
    return render(request, "releases/outside_form.html", context, status=422 if form.is_bound else 200)


@require_safe
def entry(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Who reads the entries: all that is known of one."""
    rules.may_read_outside(request.user).require()
    return _page(request, outside_get(entry_id), WithdrawalForm())


def _page(request: HttpRequest, found: OutsideRelease, form: WithdrawalForm) -> HttpResponse:
    context = {
        "facts": entry_facts(found),
        "entry": found,
        "later": getattr(found, "replaced_by", None),
        "may_change": rules.may_change_outside(request.user, found),
        "form": form,
    }
    return render(request, "releases/outside.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Planning managers: another entry in the place of one that is wrong, with what was wrong about it."""
    rules.may_record_outside(request.user).require()
    found = outside_get(entry_id)
    rules.may_change_outside(request.user, found).require()
    form = OutsideCorrectionForm(
        request.POST if request.method == "POST" else None, initial=OutsideForm.initial_of(found)
    )
    if request.method == "POST" and form.is_valid():
        made = services.outside_correct(
            found, form.facts, reason=form.cleaned_data["reason"], by=request.user
        )
        messages.success(request, _("The entry has been corrected; the one before it is kept."))
        return redirect("board:outside", entry_id=made.pk)
    context = {"form": form, "entry": found}
    return render(request, "releases/outside_form.html", context, status=422 if form.is_bound else 200)


@require_POST
def withdraw(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Planning managers: an entry counts no more, with the reason."""
    rules.may_record_outside(request.user).require()
    found = outside_get(entry_id)
    rules.may_change_outside(request.user, found).require()
    form = WithdrawalForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form)
    services.outside_withdraw(found, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("The entry has been withdrawn; it is kept."))
    return redirect("board:outside", entry_id=found.pk)
