"""The pages inside a project on which a publication is proposed, decided and withdrawn."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.pages import project_view, reason_missing

from ...enums import PublicationStatus
from ...forms import EndForm
from ...models import Publication
from ...selectors import current_release
from . import rules, selectors, services
from .forms import PublicationDecisionForm, PublicationForm
from .presentation import content_of, tone_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who may see the project: what was published of it; the planning manager proposes."""
    verdict = rules.may_propose(request.user, project)
    last = selectors.publications_of(project).first()
    kept = ("title", "summary", "conditions", "contact")
    initial = {name: getattr(last, name) for name in kept} if last else {}
    form = PublicationForm(request.POST or None, initial=initial)
    if (answer := draft_answer(request, form, verdict, project=project)) is not None:
        return answer
    if request.method == "POST":
        verdict.require()
        if form.is_valid():
            said = dict(form.cleaned_data)
            understood = said.pop("irrevocable")
            made = services.publication_propose(
                project, **said, irrevocable_understood=understood, by=request.user
            )
            draft_end(request, form)
            messages.success(request, _("Proposed. The supervisor has been notified."))
            return redirect("releases:publication", project_id=project.pk, publication_id=made.pk)
    context = {
        "project": project,
        "rows": [
            {"publication": one, "tone": tone_of(one), "downloads": one.fetched}
            for one in selectors.publications_of(project)
        ],
        "release": current_release(project),
        "is_public": rules.is_public(project),
        "may_propose": verdict,
        "form": form,
    }
    return render(request, "releases/publications.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def publication(request: HttpRequest, project: Project, publication_id: uuid.UUID) -> HttpResponse:
    """Who may see the project looks at what everybody will read; the supervisor decides, and says their password or a code again."""
    found = selectors.publication_get(project, publication_id)
    form = PublicationDecisionForm(request.POST or None, confirms=request.confirms)  # type: ignore[attr-defined]
    if request.method == "POST":
        rules.may_decide(request.user, found).require()
        if form.is_valid():
            approve = form.cleaned_data["decision"] == "approve"
            reason, seen = form.cleaned_data["reason"], request.POST.get("content_hash", "")
            services.publication_decide(
                found, approve=approve, reason=reason, seen_hash=seen, by=request.user
            )
            messages.success(request, _("Your decision is recorded."))
            return redirect("releases:publication", project_id=project.pk, publication_id=found.pk)
    return render(
        request,
        "releases/publication.html",
        _context(request, project, found) | {"form": form},
        status=422 if form.is_bound else 200,
    )


def _context(request: HttpRequest, project: Project, found: Publication) -> dict[str, Any]:
    availability = rules.availability_of(found) if found.status == PublicationStatus.LIVE else None
    return {
        "project": project,
        "tone": tone_of(found),
        "downloads": found.fetched,
        "availability": availability,
        "address": request.build_absolute_uri(reverse("published:page", args=[found.token]))
        if found.published_at
        else "",
        "may_decide": rules.may_decide(request.user, found),
        "may_approve": rules.may_approve(request.user, found),
        "may_withdraw": rules.may_withdraw(request.user, found),
    } | content_of(found)


@require_POST
@project_view
def withdraw(request: HttpRequest, project: Project, publication_id: uuid.UUID) -> HttpResponse:
    """The planning manager or the supervisor: the address hands nothing out any more."""
    found = selectors.publication_get(project, publication_id)
    rules.may_withdraw(request.user, found).require()
    form = EndForm(request.POST)
    if not form.is_valid():
        return reason_missing(request, project, form, title=_("Withdraw it"), tone="danger")
    services.publication_withdraw(found, why=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("Withdrawn. The address says so and hands nothing out."))
    return redirect("releases:publication", project_id=project.pk, publication_id=found.pk)
