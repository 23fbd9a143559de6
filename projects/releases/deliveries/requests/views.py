"""Pages of requests to fetch and of fetches: inside the project, and a recipient's own."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.governance.verdict import Refused
from projects.core.drafts.pages import draft_answer, draft_begin, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside

from ...models import Release
from ...rules import ReleaseReason, may_receive, needs_approval
from ...selectors import release_get
from . import rules, selectors, services
from .documents import slip_start
from .forms import FetchDecisionForm, FetchRequestForm
from .models import APPROVAL_HOLDS, Fetch
from .presentation import fetch_rows, request_row

ON_A_PAGE = 20


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project: what recipients requested to fetch, and what they fetched."""
    may_see_inside(request.user, project).require()
    requested = Paginator(selectors.requests_of(project), ON_A_PAGE).get_page(request.GET.get("page"))
    fetched = Paginator(selectors.fetches_of(project), ON_A_PAGE).get_page(request.GET.get("fetches_page"))
    context = {
        "project": project,
        "page": requested,
        "rows": [request_row(one) for one in requested],
        "fetched": fetched,
        "fetches": fetch_rows(fetched),
    }
    return render(request, "releases/requests/page.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def detail(request: HttpRequest, project: Project, fetch_request_id: uuid.UUID) -> HttpResponse:
    """Who sees the project reads a request; the supervisor decides, and says their password or a code again."""
    may_see_inside(request.user, project).require()
    found = selectors.request_get(project, fetch_request_id)
    may_decide = rules.may_decide(request.user, found)
    may_approve = rules.may_approve(request.user, found)
    form = FetchDecisionForm(
        request.POST or None,
        may_approve=bool(may_approve),
        confirms=request.confirms,  # type: ignore[attr-defined]
    )
    if request.method == "POST":
        may_decide.require()
        if form.is_valid():
            approve = form.cleaned_data["decision"] == "approve"
            services.fetch_decide(found, approve=approve, reason=form.cleaned_data["reason"], by=request.user)
            messages.success(request, _("Your decision is recorded."))
            return redirect("releases:fetch_request", project_id=project.pk, fetch_request_id=found.pk)
    context = request_row(found) | {
        "project": project,
        "may_decide": may_decide,
        "may_approve": may_approve,
        "days": APPROVAL_HOLDS.days,
        "form": form,
    }
    return render(request, "releases/requests/detail.html", context, status=422 if form.is_bound else 200)


@require_POST
@project_view
def slip(request: HttpRequest, project: Project, fetch_id: uuid.UUID) -> HttpResponse:
    """Who sees the project: have the slip of a fetch printed in both languages."""
    may_see_inside(request.user, project).require()
    slip_start(selectors.fetches_of(project).get(pk=fetch_id), by=request.user)
    messages.success(request, _("The delivery slip is being printed; it appears here in a moment."))
    return redirect("releases:fetches", project_id=project.pk)


# -- a recipient's own pages -----------------------------------------------------------------------------------


def own_release(request: HttpRequest, release_id: uuid.UUID) -> Release:
    """The release, for its recipient; a former one is refused."""
    release = release_get(request.user, release_id)
    verdict = may_receive(request.user, release)
    if verdict.reason == ReleaseReason.NOT_A_RECIPIENT:
        verdict.require()
    return release


@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient of the release: what they requested and fetched; they request another fetch (POST)."""
    release = own_release(request, release_id)
    verdict = rules.may_request(request.user, release)
    form = FetchRequestForm(request.POST or None, release=release)
    if request.method == "POST":
        verdict.require()
        back = reverse("recipient_fetches:page", args=[release.pk])
        answer = draft_answer(request, form, verdict, project=release.project, about=release.pk, back=back)
        if answer is not None:
            return answer
        if form.is_valid():
            try:
                services.fetch_request(release, **form.cleaned_data, by=request.user)
            except Refused as refused:
                form.add_error("purpose", refused.verdict.text)
            else:
                draft_end(request, form)
                messages.success(request, _("Requested. The supervisor has been notified."))
                return redirect("recipient_fetches:page", release_id=release.pk)
    else:
        draft_begin(request, form, verdict, project=release.project, about=release.pk)
    requested = Paginator(selectors.requests_by(request.user, release), ON_A_PAGE)
    fetched = Paginator(selectors.fetches_by(request.user, release), ON_A_PAGE)
    page, fetches = (
        requested.get_page(request.GET.get("page")), fetched.get_page(request.GET.get("fetches_page"))
    )  # fmt: skip
    context = {
        "release": release,
        "project": release.project,
        "needs_approval": needs_approval(request.user, release.project),
        "verdict": verdict,
        "days": APPROVAL_HOLDS.days,
        "page": page,
        "rows": [request_row(one) for one in page],
        "fetched": fetches,
        "fetches": fetch_rows(fetches),
        "form": form,
    }
    return render(request, "releases/requests/own.html", context, status=422 if form.is_bound else 200)


@require_POST
def own_slip(request: HttpRequest, release_id: uuid.UUID, fetch_id: uuid.UUID) -> HttpResponse:
    """Who fetched it, former recipients too: have the slip printed in both languages."""
    release = release_get(request.user, release_id)
    slip_start(own_fetch(request, release, fetch_id), by=request.user)
    messages.success(request, _("The delivery slip is being printed; it appears here in a moment."))
    return redirect("recipient_fetches:page", release_id=release.pk)


def own_fetch(request: HttpRequest, release: Release, fetch_id: uuid.UUID) -> Fetch:
    """One of the caller's own fetches; else ``Fetch.DoesNotExist``."""
    return selectors.fetches_by(request.user, release).get(pk=fetch_id)
