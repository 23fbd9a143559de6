"""The page on which senior management reviews the records of a stage (5.6.1)."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals.decisions.models import ManagementOutcome
from approvals.decisions.selectors import reviews_of
from approvals.documents.selectors import documents_about
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.core.pages import judged_content, project_view, stage_context, stage_url
from projects.findings.rules import may_raise
from projects.workflow import Stage

from ..presentation import ReviewRow
from .forms import RecordsReviewForm
from .presentation import document_row, management_rows
from .rules import may_review_records
from .selectors import REVIEWED_STAGES, of_stage
from .services import records_review


def stage_named(stage: str) -> Stage:
    """The stage of that name, if its records are reviewed; else ``Http404``."""
    if stage not in REVIEWED_STAGES:
        raise Http404
    return Stage(stage)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def records(request: HttpRequest, project: Project, stage: str) -> HttpResponse:
    """Who sees the project reads the records with what is missing; its senior management reviews them (POST)."""
    of = stage_named(stage)
    verdict = may_review_records(request.user, project, of)
    if request.method == "POST":
        verdict.require()
    content = content_of(project, of)
    judged = judged_content(project, of) if content is not None else None
    form = None
    if verdict and content is not None and judged is not None:
        known = RecordsReviewForm.known(judged.title, content)
        form = RecordsReviewForm(
            request.POST or None, project=project, initial=known, current_hash=content.hash
        )
        if request.method == "POST" and form.is_valid():
            made = records_review(project, of, **form.review(), by=request.user)
            messages.success(
                request,
                _("The review is recorded, and each deviation is a finding now.")
                if made.outcome == ManagementOutcome.DEVIATING
                else _("The review is recorded."),
            )
            return redirect("monitoring:oversight", project_id=project.pk, stage=of.value)
    documents = list(documents_about(content)) if content is not None else []
    shown = stage_context(project, request.user, of)
    context = shown | {
        "form": form,
        "verdict": verdict,
        "judged": content,
        "judged_title": judged.title if judged else "",
        "judged_template": judged.template if judged else "",
        "stage_url": stage_url(project, of),
        "documents": documents,
        "check_rows": [*shown["check_rows"], document_row(documents)],
        "reviews": [ReviewRow(one) for one in reviews_of(project.pk) if one.stage == of],
        "rows": management_rows(project, of_stage(project, of)),
        "may_raise": may_raise(request.user, project),
        "offers": [],
    }
    status = 422 if form is not None and form.is_bound else 200
    return render(
        request, "monitoring/oversight.html", (judged.context if judged else {}) | context, status=status
    )
