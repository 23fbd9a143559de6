"""The page of the team for personal information: who has which duty today, and who had one."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from approvals.governance.verdict import Refused

from . import rules, selectors, services
from .enums import MEANING, TeamDuty
from .forms import HeadForm, SeatEndForm, SeatForm
from .models import TeamSeat

# So many lines are less than two screens.
PAGE_ROWS = 12


@require_safe
def team(request: HttpRequest) -> HttpResponse:
    """Everybody inside: who leads the team, who has which duty, and who had one; trainings for who may know of them."""
    rules.may_read_team(request.user).require()
    return _page(request)


def _page(request: HttpRequest, **forms: Any) -> HttpResponse:
    """``forms``: one that came back with a fault: ``head``, ``seat``, or ``ending`` with the row that it is of."""
    with_trainings = rules.may_read_trainings(request.user)
    now = selectors.team_now(with_trainings=with_trainings)
    leads = now.head is not None and now.head.account_id == request.user.pk
    ended_with, ending = forms.get("ending", (None, None))

    def end_form(seat: TeamSeat) -> SeatEndForm | None:
        if not rules.may_end(request.user, seat, leads=leads):
            return None
        return ending if seat.pk == ended_with else SeatEndForm(prefix=str(seat.pk))

    may_propose = now.waiting is None and bool(rules.may_propose(request.user))
    context = {
        "team": now,
        "duties": [
            {
                "duty": duty,
                "meaning": MEANING[duty],
                "rows": [{"member": one, "end_form": end_form(one.seat)} for one in now.having(duty)],
            }
            for duty in TeamDuty
        ],
        "with_trainings": with_trainings,
        "waiting_end": end_form(now.waiting) if now.waiting else None,
        "take": rules.may_take(request.user, now.waiting) if now.waiting else None,
        "head_form": forms.get("head", HeadForm()) if may_propose else None,
        "seat_form": forms.get("seat", SeatForm()) if leads else None,
        "page": Paginator(selectors.seats_ended(), PAGE_ROWS).get_page(request.GET.get("page")),
    }
    return render(request, "organisation/team/team.html", context, status=422 if forms else 200)


@require_POST
def head_propose(request: HttpRequest) -> HttpResponse:
    """Administrators: who of senior management is to lead the team."""
    rules.may_propose(request.user).require()
    form = HeadForm(request.POST)
    if form.is_valid():
        try:
            services.head_propose(form.cleaned_data["account"], by=request.user)
        except Refused as refusal:
            form.add_error(None, refusal.verdict.text)
        else:
            messages.success(request, _("Proposed. The person has been notified and decides."))
            return redirect("organisation:team")
    return _page(request, head=form)


@require_POST
def head_take(request: HttpRequest, seat_id: uuid.UUID) -> HttpResponse:
    """Who is proposed as head: take the lead."""
    found = selectors.seat_get(seat_id)
    rules.may_take(request.user, found).require()
    services.head_take(found, by=request.user)
    messages.success(request, _("You lead the team from now on."))
    return redirect("organisation:team")


@require_POST
def seat_give(request: HttpRequest) -> HttpResponse:
    """The head of the team: give somebody a duty."""
    rules.may_name(request.user).require()
    form = SeatForm(request.POST)
    if form.is_valid():
        try:
            services.seat_give(
                form.cleaned_data["account"], TeamDuty(form.cleaned_data["duty"]), by=request.user
            )
        except Refused as refusal:
            form.add_error(None, refusal.verdict.text)
        else:
            messages.success(request, _("The duty is given, and the person has been notified."))
            return redirect("organisation:team")
    return _page(request, seat=form)


@require_POST
def seat_end(request: HttpRequest, seat_id: uuid.UUID) -> HttpResponse:
    """Who has the duty, the head and administrators: it is over, with the reason."""
    found = selectors.seat_get(seat_id)
    rules.may_end(request.user, found, leads=selectors.leads(request.user)).require()
    form = SeatEndForm(request.POST, prefix=str(found.pk))
    if form.is_valid():
        try:
            services.seat_end(found, reason=form.cleaned_data["reason"], by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The duty has ended."))
            return redirect("organisation:team")
    return _page(request, ending=(found.pk, form))
