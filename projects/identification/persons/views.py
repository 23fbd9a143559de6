"""The page on which somebody says whose rows a table holds."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals.governance.verdict import Refused, deny
from projects.core.models import Project
from projects.core.pages import onward, project_view
from projects.core.services import project_hand_on
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import table_of, table_query, tables_of
from projects.datasets.tables.views import table_context, to_table
from projects.jobs.selectors import latest_job
from projects.workflow import Move

from .. import selectors
from ..models import IdentificationRound
from ..rules import IdentificationReason, may_judge
from . import services
from .forms import CountForm, PersonKeyForm
from .presentation import alternatives, choices_of, decision_text
from .rules import PersonsReason, against, is_settled
from .selectors import candidates_of, earlier_person_key


@require_http_methods(["GET", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project reads; its executor decides, or has rows counted by a further key (POST)."""
    table = table_of(project, request.GET.get("table"))
    round_ = selectors.round_now(table)
    if request.method == "POST":
        may_judge(request.user, project, round_).require()
        assert round_ is not None
        if request.POST.get("round") != str(round_.pk):
            deny(IdentificationReason.OLD_ROUND).require()
        return _count(request, round_) if "count" in request.POST else _decide(request, round_)
    if round_ is None:
        return redirect(
            reverse("identification:page", kwargs={"project_id": project.pk}) + table_query(table)
        )
    return _page(request, round_)


def _page(
    request: HttpRequest,
    round_: IdentificationRound,
    *,
    form: PersonKeyForm | None = None,
    count_form: CountForm | None = None,
    status: int = 200,
) -> HttpResponse:
    project, table = round_.project, round_.dataset.table
    key, candidates = selectors.person_key_in(round_), candidates_of(round_)
    choices = choices_of(round_, candidates, key)
    sign = None if key is None else against(tuple(key.columns), candidates)
    context: dict[str, Any] = table_context(table, "identification:persons") | {
        "project": project,
        "round": round_,
        "key": key,
        "decision": decision_text(round_, key),
        "overruled": "" if sign is None else _(", ").join(sign.columns),
        "settled": is_settled(round_, key),
        "choices": choices,
        "alternatives": alternatives(candidates),
        "may_judge": may_judge(request.user, project, round_),
        "earlier": earlier_person_key(round_) if key is None else None,
        "form": form or PersonKeyForm(choices=choices, reason=key.reason if key else ""),
        "count_form": count_form or CountForm(header=dataset_columns(round_.dataset)),
        # Where nothing else is open, the decision is the last thing before the review.
        "submits": not any(selectors.columns_without_verdict(one) for one in tables_of(project)),
        "count_job": latest_job(project, services.COUNT, round_.pk),
    }
    return render(request, "identification/persons.html", context, status=status)


def _decide(request: HttpRequest, round_: IdentificationRound) -> HttpResponse:
    choices = choices_of(round_, candidates_of(round_), selectors.person_key_in(round_))
    form = PersonKeyForm(request.POST, choices=choices)
    if not form.is_valid():
        return _page(request, round_, form=form, status=422)
    try:
        services.person_key_decide(round_, form.columns, reason=form.cleaned_data["reason"], by=request.user)
    except Refused as refusal:
        if not isinstance(refusal.verdict.reason, PersonsReason):
            raise
        form.add_error("reason", refusal.verdict.text)
        return _page(request, round_, form=form, status=422)
    messages.success(request, _("It has been recorded whose rows they are."))
    if request.POST.get("then") == "submit":
        moved = project_hand_on(round_.project, move=Move.SUBMIT_IDENTIFICATION, by=request.user)
        if moved is not None:
            text = _("Saved and submitted. The project now stands at: %(state)s.")
            messages.success(request, text % {"state": moved.get_state_display()})
            return redirect(onward(moved, request.user))
    return to_table("identification:page", round_.dataset.table)


def _count(request: HttpRequest, round_: IdentificationRound) -> HttpResponse:
    form = CountForm(request.POST, header=dataset_columns(round_.dataset))
    if not form.is_valid():
        return _page(request, round_, count_form=form, status=422)
    services.count_start(round_, form.named, by=request.user)
    messages.success(request, _("The rows of each person are being counted."))
    return redirect(_here(round_))


def _here(round_: IdentificationRound) -> str:
    url = reverse("identification:persons", kwargs={"project_id": round_.project_id})
    return url + table_query(round_.dataset.table)
