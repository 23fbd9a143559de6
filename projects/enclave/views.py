"""Pages of queries in the enclave: for a recipient their own, with what they found; for the team and auditors who ran how many."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from approvals.governance.verdict import Refused
from projects.core.drafts.pages import draft_answer, draft_begin, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.jobs.selectors import latest_job
from projects.releases.models import Release
from projects.releases.rules import ReleaseReason, may_look_inside
from projects.releases.selectors import release_get

from . import rules, services
from .enums import QueryState
from .forms import QueryForm
from .models import EnclaveQuery
from .presentation import query_row, query_rows
from .selectors import queries_by, queries_of, query_get, sources_of, statement_of

LATEST = 100


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who works on the project, auditors and assessors: who ran which query when, by its hash; never a text and never a row."""
    rules.may_read_log(request.user, project).require()
    rows = query_rows(queries_of(project)[:LATEST])
    return render(request, "enclave/page.html", {"project": project, "rows": rows})


# -- a recipient's own pages -----------------------------------------------------------------------------------


def own_release(request: Any, release_id: uuid.UUID) -> Release:
    """The release, for its recipient."""
    release = release_get(request.user, release_id)
    verdict = may_look_inside(request.user, release)
    if verdict.reason == ReleaseReason.NOT_A_RECIPIENT:
        verdict.require()
    return release


@require_GET
def own(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient of an enclave: their own queries, and the form of the next."""
    release = own_release(request, release_id)
    form, verdict = QueryForm(initial=_again(request, release)), rules.may_query(request.user, release)
    draft_begin(request, form, verdict, project=release.project, about=release.pk)
    return _own(request, release, form)


def _again(request: HttpRequest, release: Release) -> dict[str, str]:
    """The text of an earlier query of their own, to go on from."""
    try:
        earlier = uuid.UUID(request.GET.get("again", ""))
    except ValueError:
        return {}
    query = query_get(request.user, release, earlier)
    may_read = rules.may_query(request.user, release) and query.is_kept
    return {"statement": statement_of(query)} if may_read else {}


def _own(request: HttpRequest, release: Release, form: QueryForm) -> HttpResponse:
    may_query = rules.may_query(request.user, release)
    rows = query_rows(queries_by(request.user, release)[:LATEST])
    context = {
        "release": release,
        "project": release.project,
        "rows": rows,
        "may_query": may_query,
        "form": form if may_query else None,
        "sources": sources_of(release) if may_look_inside(request.user, release) else {},
        "notice_unread": may_query.reason == ReleaseReason.NOTICE_UNREAD,
    }
    response = render(request, "enclave/own.html", context, status=422 if form.is_bound else 200)
    response["Cache-Control"] = "no-store, private"
    return response


@require_POST
def ask(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient of an enclave has a query run."""
    release = own_release(request, release_id)
    may_query = rules.may_query(request.user, release)
    may_query.require()
    form = QueryForm(request.POST)
    back = reverse("enclave_receive:page", args=[release.pk])
    answer = draft_answer(request, form, may_query, project=release.project, about=release.pk, back=back)
    if answer is not None:
        return answer
    if form.is_valid():
        try:
            query = services.query_ask(release, **form.cleaned_data, by=request.user)
        except Refused as refused:
            if not isinstance(refused.verdict.reason, rules.EnclaveReason):
                raise
            form.add_error(None, refused.verdict.text)
        else:
            draft_end(request, form)
            return redirect("enclave_receive:detail", release_id=release.pk, enclave_query_id=query.pk)
    return _own(request, release, form)


@require_GET
def detail(request: HttpRequest, release_id: uuid.UUID, enclave_query_id: uuid.UUID) -> HttpResponse:
    """Who ran the query: how far it is, then what it found, under a watermark and on the record."""
    release = own_release(request, release_id)
    query = query_get(request.user, release, enclave_query_id)
    may_look = rules.may_look(request.user, query)
    context = {**_progress(query), "release": release, "row": query_row(query), "may_look": may_look}
    if query.is_kept and may_look_inside(request.user, release):
        context["statement"] = statement_of(query)
    if may_look:
        found = services.query_look(query, by=request.user)
        context |= {"found": found, "looked_at": timezone.localtime()}
    response = render(request, "enclave/detail.html", context)
    response["Cache-Control"] = "no-store, private"
    return response


def _progress(query: EnclaveQuery) -> dict[str, Any]:
    """How far the job is: pages of jobs are for the project's members."""
    if query.status != QueryState.RUNNING:
        return {"is_waiting": False}
    job = latest_job(query.project, services.QUERY_JOB, query.pk)
    assert job is not None  # begun with the query
    arguments = {"release_id": query.release_id, "enclave_query_id": query.pk}
    state = job.state if job.is_active else "running"
    return {
        "is_waiting": True,
        "job": {
            "label": job.title_text, "state": state, "percent": job.percent, "estimate": job.estimate_text
        },
        "poll_url": reverse("enclave_receive:progress", kwargs=arguments),
        "cancel_url": reverse("enclave_receive:cancel", kwargs=arguments),
    }  # fmt: skip


@require_GET
def progress(request: HttpRequest, release_id: uuid.UUID, enclave_query_id: uuid.UUID) -> HttpResponse:
    """Who ran the query: the fragment that htmx polls. The first answer after the end reloads the page."""
    release = own_release(request, release_id)
    query = query_get(request.user, release, enclave_query_id)
    context = {**_progress(query), "row": query_row(query)}
    response = render(request, "enclave/_progress.html", context)
    if not context["is_waiting"]:
        response["HX-Refresh"] = "true"
    return response


@require_POST
def cancel(request: HttpRequest, release_id: uuid.UUID, enclave_query_id: uuid.UUID) -> HttpResponse:
    """Who ran the query: stop it."""
    release = own_release(request, release_id)
    query = query_get(request.user, release, enclave_query_id)
    # Who was late sees what became of it.
    if query.status == QueryState.RUNNING:
        services.query_cancel(query, by=request.user)
        messages.success(request, _("The query is being stopped."))
    return redirect("enclave_receive:detail", release_id=release.pk, enclave_query_id=query.pk)
