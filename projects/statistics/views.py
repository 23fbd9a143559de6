"""Pages of tables of statistics: for the team what was made, hidden and decided, for a recipient the signed tables."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from approvals.governance.verdict import Refused
from projects.core.drafts.pages import draft_answer, draft_begin, draft_end
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.store.responses import CONTENT_TYPES, file_response
from projects.jobs.selectors import latest_job
from projects.processing.wording import engine_text
from projects.releases.models import Release
from projects.releases.rules import ReleaseReason, may_receive, may_receive_agreed
from projects.releases.selectors import release_get
from techniques.core.messages import EngineError

from . import rules, services
from .forms import AskForm, DecideForm, ImportForm, MakeForm
from .models import Tabulation
from .presentation import decisions, for_readers, made_of, report_view, table_row, table_rows
from .rule_sets import rule_source
from .selectors import (
    released_columns,
    released_tables,
    requested_by,
    signed_for,
    sources_of,
    spanning_columns,
    tabulation_get,
    tabulations_of,
)

LATEST = 100


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who works on the project, auditors and assessors: the tables; the executor makes one, or brings one in."""
    rules.may_look(request.user, project).require()
    return _page(request, project)


def _page(
    request: HttpRequest, project: Project, make: MakeForm | None = None, bring: ImportForm | None = None
) -> HttpResponse:
    may_make = rules.may_make(request.user, project)
    sets = rule_source().sets() if may_make else ()
    context = {
        "project": project,
        "tables": table_rows(tabulations_of(project)[:LATEST]),
        "may_make": may_make,
        "has_rules": bool(sets),
    }
    if sets:
        forms = (make or _make_form(project), bring or _import_form())
        for form in forms:
            if not form.is_bound:
                draft_begin(request, form, may_make, project=project)
        context["make"], context["bring"] = forms
    refused = make is not None or bring is not None
    return render(request, "statistics/page.html", context, status=422 if refused else 200)


def _make_form(project: Project, data: Any = None) -> MakeForm:
    sources = sources_of(project)
    columns = dict.fromkeys(one for dataset in sources.values() for one in spanning_columns(dataset))
    everything = dict.fromkeys(one for dataset in sources.values() for one in dataset.columns)
    names = [(name, name or str(dataset)) for name, dataset in sources.items()]
    return MakeForm(
        data, sets=rule_source().sets(), sources=names, columns=list(columns), everything=list(everything)
    )


def _import_form(data: Any = None, files: Any = None) -> ImportForm:
    return ImportForm(data, files, sets=rule_source().sets(), prefix="bring")


@require_POST
@project_view
def make(request: HttpRequest, project: Project) -> HttpResponse:
    """The executor: a table from the project's data."""
    may_make = rules.may_make(request.user, project)
    may_make.require()
    form = _make_form(project, request.POST)
    page = reverse("statistics:page", args=[project.pk])
    if (answer := draft_answer(request, form, may_make, project=project, back=page)) is not None:
        return answer
    if form.is_valid():
        given = form.cleaned_data
        try:
            made = services.table_make(
                project, title=given["title"], source=given["source"], definition=form.definition(),
                rules_id=uuid.UUID(given["rules"]), by=request.user,
            )  # fmt: skip
        except (EngineError, Refused) as error:
            form.add_error(None, _said(error))
        else:
            draft_end(request, form)
            return redirect("statistics:detail", project_id=project.pk, tabulation_id=made.pk)
    return _page(request, project, make=form)


@require_POST
@project_view
def bring(request: HttpRequest, project: Project) -> HttpResponse:
    """The executor: the cells of a table that was made elsewhere."""
    may_make = rules.may_make(request.user, project)
    may_make.require()
    form = _import_form(request.POST, request.FILES)
    page = reverse("statistics:page", args=[project.pk])
    if (answer := draft_answer(request, form, may_make, project=project, back=page)) is not None:
        return answer
    if form.is_valid():
        given = form.cleaned_data
        try:
            made = services.table_import(
                project, title=given["title"], content=given["file"], definition=form.definition(),
                rules_id=uuid.UUID(given["rules"]), by=request.user,
            )  # fmt: skip
        except (EngineError, Refused) as error:
            form.add_error(None, _said(error))
        else:
            draft_end(request, form)
            return redirect("statistics:detail", project_id=project.pk, tabulation_id=made.pk)
    return _page(request, project, bring=form)


def _said(error: EngineError | Refused) -> str:
    """What is wrong with the table that was asked for; who may not ask, and over what log nobody may, is refused as everywhere."""
    if isinstance(error, EngineError):
        return engine_text(error)
    if not isinstance(error.verdict.reason, rules.TableReason):
        raise error
    return error.verdict.text


@require_GET
@project_view
def detail(request: HttpRequest, project: Project, tabulation_id: uuid.UUID) -> HttpResponse:
    """Who works on the project, auditors and assessors: the table as it goes out, and why each cell is hidden."""
    rules.may_look(request.user, project).require()
    return _detail(request, tabulation_get(project, tabulation_id), DecideForm(confirms=request.confirms))  # type: ignore[attr-defined]


def _detail(request: HttpRequest, found: Tabulation, form: DecideForm, status: int = 200) -> HttpResponse:
    job = (
        latest_job(found.project, services.MAKE_JOB, found.pk)
        if found.status in ("running", "failed")
        else None
    )
    context = {
        "project": found.project,
        "row": table_row(found),
        "found": found,
        "job": job,
        "made_of": made_of(found),
        "decisions": decisions(found),
        "view": report_view(found, request.user),
        "may_refuse": rules.may_refuse(request.user, found),
        "may_accept": rules.may_accept(request.user, found),
        "may_fetch": rules.may_fetch(request.user, found),
        "form": form,
    }
    return render(request, "statistics/detail.html", context, status=status)


@require_POST
@project_view
def decide(request: HttpRequest, project: Project, tabulation_id: uuid.UUID) -> HttpResponse:
    """Whose word is next: the supervisor, then senior management; either takes back what was signed."""
    found = tabulation_get(project, tabulation_id)
    rules.may_refuse(request.user, found).require()
    decision = request.POST.get("decision")
    if decision not in ("accept", "refuse"):
        raise BadRequest
    form = DecideForm(request.POST, confirms=request.confirms)  # type: ignore[attr-defined]
    if not form.is_valid():
        return _detail(request, found, form, status=422)
    accept = decision == "accept"
    decided = services.table_decide(found, accept=accept, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, decided.get_status_display())
    return redirect("statistics:detail", project_id=project.pk, tabulation_id=found.pk)


@require_GET
@project_view
def download(request: HttpRequest, project: Project, tabulation_id: uuid.UUID) -> Any:
    """The executor, the supervisor and senior management: the table as it goes out; the log says who had it."""
    found = tabulation_get(project, tabulation_id)
    rules.may_fetch(request.user, found).require()
    return csv_response(found, services.table_fetch(found, by=request.user))


def csv_response(found: Tabulation, content: bytes) -> Any:
    return file_response(
        [content], name=found.file_name, content_type=CONTENT_TYPES["csv"], size=len(content)
    )


# -- a recipient's own pages -----------------------------------------------------------------------------------


def own_release(request: Any, release_id: uuid.UUID) -> Release:
    """The release, for its recipient."""
    release = release_get(request.user, release_id)
    verdict = may_receive(request.user, release)
    if verdict.reason == ReleaseReason.NOT_A_RECIPIENT:
        verdict.require()
    return release


@require_GET
def own(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient of the release: the signed tables of its project, while a release may be received; in an enclave they ask for some."""
    return _own(request, own_release(request, release_id))


def _own(request: HttpRequest, release: Release, form: AskForm | None = None) -> HttpResponse:
    receives, verdict = (
        may_receive_agreed(request.user, release),
        rules.may_have_signed(request.user, release),
    )
    may_ask = rules.may_ask(request.user, release)
    if form is None and may_ask:
        blank = _ask_form(release)
        draft_begin(request, blank, may_ask, project=release.project, about=release.pk)
    requested = requested_by(request.user, release.project) if receives else []
    context = {
        "release": release,
        "project": release.project,
        "verdict": verdict,
        "tables": [for_readers(one) for one in signed_for(request.user, release.project)] if verdict else [],
        "requested": table_rows(requested),
        "is_enclave": release.project.sharing_type == SharingType.ENCLAVE,
        "may_ask": may_ask,
        "form": form or (blank if may_ask else None),
    }
    return render(request, "statistics/own.html", context, status=422 if form else 200)


def _ask_form(release: Release, data: Any = None) -> AskForm:
    tables = released_tables(release)
    columns = dict.fromkeys(one for written in tables.values() for one in released_columns(written))
    return AskForm(data, sources=list(tables), columns=list(columns))


@require_POST
def ask(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient of an enclave: a table of the released rows, for a purpose."""
    release = own_release(request, release_id)
    may_ask = rules.may_ask(request.user, release)
    may_ask.require()
    form = _ask_form(release, request.POST)
    page = reverse("statistics_receive:page", args=[release.pk])
    answer = draft_answer(request, form, may_ask, project=release.project, about=release.pk, back=page)
    if answer is not None:
        return answer
    if form.is_valid():
        given = form.cleaned_data
        try:
            services.table_ask(
                release,
                title=given["title"],
                purpose=given["purpose"],
                source=given.get("source", ""),
                definition=form.definition(),
                by=request.user,
            )
        except (EngineError, Refused) as error:
            form.add_error(None, _said(error))
        else:
            draft_end(request, form)
            messages.success(
                request, _("Asked for. It is made, then reviewed and signed before you can fetch it.")
            )
            return redirect("statistics_receive:page", release_id=release.pk)
    return _own(request, release, form)


@require_GET
def look(request: HttpRequest, release_id: uuid.UUID, tabulation_id: uuid.UUID) -> HttpResponse:
    """Who asked for the table: its protected cells, within the portal and on the record."""
    release = own_release(request, release_id)
    may_receive_agreed(request.user, release).require()
    found = requested_by(request.user, release.project).get(pk=tabulation_id)
    heads, *rows = services.table_look(found, release=release, by=request.user)
    context = {
        "release": release, "row": table_row(found), "heads": heads, "rows": rows, **for_readers(found)
    }  # fmt: skip
    response = render(request, "statistics/own_look.html", context)
    response["Cache-Control"] = "no-store, private"
    return response


@require_GET
def own_download(request: HttpRequest, release_id: uuid.UUID, tabulation_id: uuid.UUID) -> Any:
    """The recipient, with an agreement in force: a signed table; the log says who had it."""
    release = own_release(request, release_id)
    may_receive_agreed(request.user, release).require()
    found = signed_for(request.user, release.project).get(pk=tabulation_id)
    return csv_response(found, services.table_fetch(found, by=request.user, release=release))
