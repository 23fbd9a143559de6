"""Pages of the account: for the team who spent what, for a recipient the own account, questions and answers."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from approvals.documents.selectors import documents_of_project
from projects.core.drafts.pages import draft_answer, draft_begin, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from projects.processing.runs.selectors import latest_run
from projects.processing.wording import engine_text
from projects.releases.models import Release
from projects.releases.rules import ReleaseReason, may_receive
from projects.releases.selectors import recipients_of, release_get
from techniques.core.messages import EngineError

from . import rules, services
from .asked import summary
from .documents import KIND, statement_start
from .forms import DecideForm, MoreForm, ProposeForm, QuestionForm
from .presentation import answer_row, book, grant_row, own_accounts, query_rows
from .pricing import price_of, price_row
from .selectors import (
    askable_columns,
    grant_get,
    grants_of,
    queries_by,
    queries_of,
    sources_of,
)
from .services import source_in

LATEST = 100
"""Entries and questions that a page shows at most; the API has all."""


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: who was granted what, and who spent what; never an answer."""
    form = _propose_form(project)
    draft_begin(request, form, rules.may_propose(request.user, project), project=project)
    return _page(request, project, form, DecideForm())


def _page(
    request: HttpRequest, project: Project, form: ProposeForm, decision: DecideForm, status: int = 200
) -> HttpResponse:
    grants = [grant_row(one) for one in grants_of(project)]
    for row in grants:
        row["may_refuse"] = rules.may_refuse(request.user, row["grant"])
    context = {
        "project": project,
        "book": book(project, _sources(project)),
        "grants": grants,
        "queries": query_rows(queries_of(project)[:LATEST]),
        "may_propose": rules.may_propose(request.user, project),
        "may_print": rules.may_print(request.user, project),
        "documents": documents_of_project(project.pk).filter(kind=KIND)
        if may_see_inside(request.user, project)
        else (),
        "form": form,
        "decision": decision,
    }
    return render(request, "queries/page.html", context, status=status)


def _sources(project: Project) -> dict[str, Any]:
    run = latest_run(project)
    return {} if run is None else sources_of(run.pk)


def _tables(sources: dict[str, Any]) -> list[tuple[str, str]]:
    return [(name, name or str(dataset)) for name, dataset in sources.items()]


def _propose_form(project: Project, data: Any = None) -> ProposeForm:
    people = [(str(one.pk), str(one)) for one in recipients_of(project)]
    sources = _sources(project)
    return ProposeForm(data, tables=_tables(sources), recipients=people, columns=_askable(sources))


@require_POST
@project_view
def propose(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager: a budget of a data set, or a part of it for a recipient."""
    may_propose = rules.may_propose(request.user, project)
    may_propose.require()
    form = _propose_form(project, request.POST)
    page = reverse("queries:page", args=[project.pk])
    if (answer := draft_answer(request, form, may_propose, project=project, back=page)) is not None:
        return answer
    if not form.is_valid():
        return _page(request, project, form, DecideForm(), status=422)
    given = form.cleaned_data
    whose = next((one for one in recipients_of(project) if str(one.pk) == given["recipient"]), None)
    services.grant_propose(
        project, dataset=source_in(_sources(project), given["table"]), recipient=whose, epsilon=given["epsilon"], delta=given["delta"] or 0.0,
        composition=given["composition"], neighbours=given["neighbours"], part=given["part"], exhaustion=given["exhaustion"], reason=given["reason"],
        by=request.user,
    )  # fmt: skip
    draft_end(request, form)
    messages.success(request, _("The proposal is waiting for a second person."))
    return redirect("queries:page", project_id=project.pk)


@require_POST
@project_view
def print_account(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager and those who grant: the statement of the accounts as a document in both languages."""
    rules.may_print(request.user, project).require()
    statement_start(project, by=request.user)
    messages.success(request, _("The statement is being printed; it appears here in a moment."))
    return redirect("queries:page", project_id=project.pk)


@require_POST
@project_view
def decide(request: HttpRequest, project: Project, grant_id: uuid.UUID) -> HttpResponse:
    """The supervisor or senior management, but never who proposed it. Grant or refuse, with a reason."""
    found = grant_get(project, grant_id)
    rules.may_refuse(request.user, found).require()
    form = DecideForm(request.POST)
    decision = request.POST.get("decision")
    if not form.is_valid() or decision not in ("approve", "refuse"):
        return _page(request, project, _propose_form(project), form, status=422)
    services.grant_decide(
        found, approve=decision == "approve", reason=form.cleaned_data["reason"], by=request.user
    )
    messages.success(
        request, _("The budget was granted.") if decision == "approve" else _("The budget was refused.")
    )
    return redirect("queries:page", project_id=project.pk)


# -- a recipient's own pages -----------------------------------------------------------------------------------


@require_GET
def own(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient of the release: the own account, the form of a question, and what was asked."""
    release = _release(request, release_id)
    form, verdict = _question_form(release), rules.may_ask(request.user, release)
    draft_begin(request, form, verdict, project=release.project, about=release.pk)
    return _own(request, release, form, _more_form(release))


def _release(request: HttpRequest, release_id: uuid.UUID) -> Release:
    release = release_get(request.user, release_id)
    verdict = may_receive(request.user, release)
    if verdict.reason == ReleaseReason.NOT_A_RECIPIENT:
        verdict.require()
    return release


def _question_form(release: Release, data: Any = None) -> QuestionForm:
    sources = sources_of(release.run_id)
    return QuestionForm(data, tables=_tables(sources), columns=_askable(sources))


def _askable(sources: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(column for dataset in sources.values() for column in askable_columns(dataset)))


def _more_form(release: Release, data: Any = None) -> MoreForm:
    return MoreForm(data, tables=_tables(sources_of(release.run_id)), prefix="more")


def _own(
    request: HttpRequest,
    release: Release,
    form: QuestionForm,
    more: MoreForm,
    price: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    accounts = own_accounts(request.user, release)
    context = {
        "release": release,
        "project": release.project,
        "accounts": accounts,
        "verdict": rules.may_ask(request.user, release),
        "may_ask_for_more": any(
            rules.may_ask_for_more(request.user, release, one["opened"]) for one in accounts
        ),
        "waiting": [grant_row(one) for one in grants_of(release.project).filter(recipient=request.user)],
        "queries": query_rows(queries_by(request.user, release)[:LATEST]),
        "form": form,
        "more": more,
        "price": price,
    }
    return render(request, "queries/own.html", context, status=status)


@require_POST
def ask(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient, with an agreement in force: the price of a question, or its answer."""
    release = _release(request, release_id)
    may_ask = rules.may_ask(request.user, release)
    may_ask.require()
    form = _question_form(release, request.POST)
    page = reverse("queries_receive:page", args=[release.pk])
    answer = draft_answer(request, form, may_ask, project=release.project, about=release.pk, back=page)
    if answer is not None:
        return answer
    more = _more_form(release)
    if not form.is_valid():
        return _own(request, release, form, more, status=422)
    try:
        question = form.question()
        if "price" in request.POST:
            price = price_of(request.user, release, form.cleaned_data["table"], question)
            return _own(request, release, form, more, price=price_row(price))
        made = services.query_ask(
            release, table=form.cleaned_data["table"], question=question, by=request.user
        )
    except EngineError as error:
        form.add_error(None, engine_text(error))
        return _own(request, release, form, more, status=422)
    draft_end(request, form)
    return redirect("queries_receive:detail", release_id=release.pk, query_id=made.pk)


@require_GET
def detail(request: HttpRequest, release_id: uuid.UUID, query_id: uuid.UUID) -> HttpResponse:
    """The recipient who asked: the question, what it cost, and its answer with what it guarantees."""
    release = _release(request, release_id)
    found = queries_by(request.user, release).get(pk=query_id)
    rules.may_read(request.user, found, release).require()
    (row,) = query_rows([found])
    context = {
        "release": release,
        "project": release.project,
        "row": row,
        "found": found,
        "question": summary(found),
        "answer": answer_row(found),
    }
    return render(request, "queries/detail.html", context)


@require_POST
def more(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient, where the account allows it: ask for more; a second person grants it."""
    release = _release(request, release_id)
    rules.may_ask(request.user, release).require()
    form = _more_form(release, request.POST)
    if not form.is_valid():
        return _own(request, release, _question_form(release), form, status=422)
    given = form.cleaned_data
    services.more_ask(
        release,
        dataset=source_in(sources_of(release.run_id), given["table"]),
        epsilon=given["epsilon"],
        reason=given["reason"],
        by=request.user,
    )
    messages.success(request, _("The proposal is waiting for a second person."))
    return redirect("queries_receive:page", release_id=release.pk)
