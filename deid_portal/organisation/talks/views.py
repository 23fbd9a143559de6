"""Pages of the record of talks: the list, one talk, and the form in which one is written down."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.core.drafts.pages import draft_answer, draft_begin, draft_end

from . import rules, selectors, services
from .enums import CounterpartKind
from .forms import ClosingForm, CorrectionForm, FollowUpForm, TalkForm
from .models import Talk

# So many lines are less than two screens.
PAGE_ROWS = 12


@require_safe
def talks(request: HttpRequest) -> HttpResponse:
    """Planning managers, senior management and auditors: the talks, by kind of counterpart and by what they are about."""
    rules.may_read_talks(request.user).require()
    kind, wanted = request.GET.get("kind", ""), request.GET.get("q", "").strip()
    found = selectors.talks(kind=kind, wanted=wanted)
    context = {
        "page": Paginator(found, PAGE_ROWS).get_page(request.GET.get("page")),
        "kind": kind,
        "kinds": CounterpartKind.choices,
        "q": wanted,
        "may_record": rules.may_record(request.user),
    }
    return render(request, "organisation/talks/list.html", context)


@require_http_methods(["GET", "POST"])
def talk_add(request: HttpRequest) -> HttpResponse:
    """Planning managers: write a talk down."""
    verdict = rules.may_record(request.user)
    verdict.require()
    form = TalkForm(request.POST or None, by=request.user)
    if (answer := draft_answer(request, form, verdict)) is not None:
        return answer
    if form.is_valid():
        try:
            made = services.talk_record(**form.recorded, by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            draft_end(request, form)
            messages.success(request, _("The talk is on record."))
            return redirect("organisation:talk", talk_id=made.pk)
    status = 422 if form.is_bound else 200
    return render(request, "organisation/talks/add.html", {"form": form}, status=status)


@require_safe
def talk(request: HttpRequest, talk_id: uuid.UUID) -> HttpResponse:
    """Who reads the talks, and who has something to do after this one."""
    found = selectors.talk_get(talk_id)
    owns = selectors.owns_follow_up(request.user, found)
    rules.may_read_talk(request.user, owns_follow_up=owns).require()
    return _page(request, found)


def _page(request: HttpRequest, found: Talk, **forms: Any) -> HttpResponse:
    """``forms``: one that came back with a fault: ``correction``, ``follow_up``, or ``closing`` with the row that it is of."""
    verdict = rules.may_record(request.user)
    context: dict[str, Any] = {"correction": None, "follow_up": None}
    if verdict:
        of = {"correction": CorrectionForm, "follow_up": FollowUpForm}
        for name, make in of.items():
            context[name] = forms.get(name) or make()
            context[name].address = reverse(
                "organisation:talk_correct" if name == "correction" else "organisation:talk_follow_up",
                args=[found.pk],
            )
            if name not in forms:
                draft_begin(request, context[name], verdict, about=found.pk)
    closed_with, closing = forms.get("closing", (None, None))
    rows = found.follow_ups.select_related("owner", "closed_by", "added_by")
    context |= {
        "talk": found,
        "participants": [one.account for one in found.participants.select_related("account")],
        "projects": selectors.projects_seen(found, request.user),
        "corrections": found.corrections.select_related("by"),
        "follow_ups": [
            {
                "row": row,
                "form": (closing if row.pk == closed_with else ClosingForm(prefix=str(row.pk)))
                if rules.may_close(request.user, row)
                else None,
            }
            for row in rows
        ],
        "reads_all": rules.may_read_talks(request.user),
    }
    return render(request, "organisation/talks/talk.html", context, status=422 if forms else 200)


@require_POST
def talk_correct(request: HttpRequest, talk_id: uuid.UUID) -> HttpResponse:
    """Planning managers: what is right where the record is wrong."""
    verdict = rules.may_record(request.user)
    verdict.require()
    found = selectors.talk_get(talk_id)
    form, here = CorrectionForm(request.POST), reverse("organisation:talk", args=[talk_id])
    if (answer := draft_answer(request, form, verdict, about=talk_id, back=here)) is not None:
        return answer
    if form.is_valid():
        try:
            services.talk_correct(found, **form.cleaned_data, by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            draft_end(request, form)
            messages.success(request, _("The correction is on record."))
            return redirect(here)
    return _page(request, found, correction=form)


@require_POST
def follow_up_give(request: HttpRequest, talk_id: uuid.UUID) -> HttpResponse:
    """Planning managers: something that is to be done after the talk."""
    verdict = rules.may_record(request.user)
    verdict.require()
    found = selectors.talk_get(talk_id)
    form, here = FollowUpForm(request.POST), reverse("organisation:talk", args=[talk_id])
    if (answer := draft_answer(request, form, verdict, about=talk_id, back=here)) is not None:
        return answer
    if form.is_valid():
        try:
            services.follow_up_give(found, form.to_do(), by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            draft_end(request, form)
            messages.success(request, _("The follow-up is on record and its owner has been notified."))
            return redirect(here)
    return _page(request, found, follow_up=form)


@require_POST
def follow_up_close(request: HttpRequest, talk_id: uuid.UUID, follow_up_id: uuid.UUID) -> HttpResponse:
    """Its owner and planning managers: what came of it."""
    found = selectors.follow_up_get(talk_id, follow_up_id)
    rules.may_close(request.user, found).require()
    form = ClosingForm(request.POST, prefix=str(found.pk))
    if not form.is_valid():
        return _page(request, selectors.talk_get(talk_id), closing=(found.pk, form))
    services.follow_up_close(found, **form.cleaned_data, by=request.user)
    messages.success(request, _("The follow-up is closed."))
    return redirect("organisation:talk", talk_id=talk_id)
