"""Pages of the register of organisations: the list, one organisation, and the form in which one is entered and changed."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from approvals.governance.verdict import Refused
from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.timeline import timeline

from . import rules, selectors, services
from .enums import PartyKind
from .forms import PartyEndForm, PartyForm
from .models import Party

# So many lines are less than two screens.
PAGE_ROWS = 12
LATEST_ACTS = 20


@require_safe
def parties(request: HttpRequest) -> HttpResponse:
    """Who keeps the register or reads it: organisations, by what they are to us and by name, number and contact."""
    rules.may_read_parties(request.user).require()
    asked = {name: request.GET.get(name, "").strip() for name in ("kind", "state", "q")}
    found = selectors.parties(kind=asked["kind"], state=asked["state"], wanted=asked["q"])
    context = asked | {
        "page": Paginator(found, PAGE_ROWS).get_page(request.GET.get("page")),
        "kinds": PartyKind.choices,
        "narrowed": any(asked.values()),
        "may_keep": rules.may_keep(request.user),
    }
    return render(request, "organisation/parties/list.html", context)


@require_http_methods(["GET", "POST"])
def party_add(request: HttpRequest) -> HttpResponse:
    """Planning managers and administrators: enter an organisation."""
    verdict = rules.may_keep(request.user)
    verdict.require()
    form = PartyForm(request.POST or None)
    if (answer := draft_answer(request, form, verdict)) is not None:
        return answer
    if form.is_valid():
        try:
            made = services.party_register(**form.cleaned_data, by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            draft_end(request, form)
            messages.success(request, _("The organisation is in the register."))
            return redirect("organisation:party", party_id=made.pk)
    return _form(request, form, None)


@require_http_methods(["GET", "POST"])
def party_change(request: HttpRequest, party_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators: say what is true of an organisation now."""
    rules.may_keep(request.user).require()
    found = selectors.party_get(party_id)
    verdict = rules.may_change(request.user, found)
    verdict.require()
    form = PartyForm(request.POST or None, party=found)
    if (answer := draft_answer(request, form, verdict, about=party_id)) is not None:
        return answer
    if form.is_valid():
        try:
            services.party_change(found, **form.cleaned_data, by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        except Refused as refusal:
            form.add_error(None, refusal.verdict.text)
        else:
            draft_end(request, form)
            messages.success(request, _("The entry is changed; what it said before stands in the log."))
            return redirect("organisation:party", party_id=party_id)
    return _form(request, form, found)


def _form(request: HttpRequest, form: PartyForm, party: Party | None) -> HttpResponse:
    context = {
        "form": form,
        "party": party,
        "title": _("Change the entry") if party else _("Enter an organisation"),
    }
    return render(request, "organisation/parties/form.html", context, status=422 if form.is_bound else 200)


@require_safe
def party(request: HttpRequest, party_id: uuid.UUID) -> HttpResponse:
    """Who keeps the register or reads it: one organisation, its agreements, live releases and copies."""
    rules.may_read_parties(request.user).require()
    return _page(request, selectors.party_get(party_id), PartyEndForm())


def _page(request: HttpRequest, found: Party, form: PartyEndForm) -> HttpResponse:
    may_change = rules.may_change(request.user, found)
    context = {
        "party": found,
        "dealings": selectors.dealings_of(found, request.user),
        "events": timeline(selectors.history_of(found)[:LATEST_ACTS]),
        "may_change": may_change,
        "form": form if may_change else None,
    }
    return render(request, "organisation/parties/party.html", context, status=422 if form.is_bound else 200)


@require_POST
def party_end(request: HttpRequest, party_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators: it is over with an organisation."""
    rules.may_keep(request.user).require()
    found = selectors.party_get(party_id)
    rules.may_change(request.user, found).require()
    form = PartyEndForm(request.POST)
    if form.is_valid():
        try:
            services.party_end(found, **form.cleaned_data, by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The organisation has ended in the register."))
            return redirect("organisation:party", party_id=party_id)
    return _page(request, found, form)
