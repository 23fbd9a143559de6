"""The page on which a supervisor reviews the stage that was submitted (5.6.1)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals.decisions.models import ReviewOutcome
from approvals.decisions.selectors import reviews_of
from approvals.documents.selectors import documents_about
from approvals.governance.draft import Subject
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.core.pages import project_view, stage_context, stage_url
from projects.workflow import STATES, Stage, State

from . import rules, services
from .forms import ReviewForm


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def review(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project may look; its supervisor records the review while a stage is under review."""
    verdict = rules.may_review_stage(request.user, project)
    if request.method == "POST":
        verdict.require()
    if not STATES[State(project.state)].under_review:
        return redirect("monitoring:page", project_id=project.pk)
    stage = project.stage
    content = content_of(project, stage)
    context = stage_context(project, request.user, stage)
    form = None
    may_pass = rules.may_pass_stage(request.user, project)
    if verdict and content is not None:
        form = ReviewForm(
            request.POST or None,
            initial=_initial(stage, content, context["check_rows"]),
            current_hash=content.hash,
            may_pass=may_pass,
        )
        if request.method == "POST" and form.is_valid():
            services.stage_review_record(project, **form.review(), by=request.user)
            passed = form.cleaned_data["outcome"] == ReviewOutcome.PASSED
            messages.success(
                request,
                _("The review is recorded; the project goes on.")
                if passed
                else _("The review is recorded; the project goes back for rework."),
            )
            return redirect("core:project", project_id=project.pk)
    context |= {
        "form": form,
        "verdict": verdict,
        "may_pass": may_pass,
        "judged": content,
        "stage_url": stage_url(project, stage),
        "submitted_by": services.stage_submitter(project, stage),
        "documents": list(documents_about(content)) if content else [],
        "earlier": [row for row in reviews_of(project.pk) if row.stage == stage],
        # The moves of this state are made with the form of this page.
        "offers": [],
    }
    status = 422 if form is not None and form.is_bound else 200
    return render(request, "monitoring/review.html", context, status=status)


def _initial(stage: Stage, content: Subject, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the portal knows already; the judgement itself is left to the person."""
    found = [row for row in rows if row["state"] == "done"]
    return {
        "content": content.hash,
        "object": _("%(stage)s: %(label)s (content %(hash)s)")
        % {"stage": stage.label, "label": content.label, "hash": content.hash[:12]},
        "time": timezone.localtime().replace(second=0, microsecond=0),
        "process": "\n".join(
            [
                _(
                    "Compared the stage's documents and records with what the standard asks. The portal found present:"
                ),
                *(f"– {row['label']}" for row in found),
            ]
        )
        if found
        else _("Compared the stage's documents and records with what the standard asks."),
        "measures": "",
    }
