"""Pages of monitoring: the record of reviews, changes and re-assessments, the review of a stage (5.6.1), and the board over all
projects."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.decisions.models import ReviewOutcome
from approvals.decisions.selectors import management_reviews_of, reviews_of
from approvals.documents.selectors import documents_about
from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.evidence import content_of
from projects.core.help.clauses import Clause, clauses
from projects.core.models import Project
from projects.core.pages import HANDED_ON, handed_on, judged_content, project_view, stage_context, stage_url
from projects.core.returns import returns_to_judge
from projects.core.selectors import role_of
from projects.findings.rules import may_raise
from projects.jobs.selectors import latest_job
from projects.releases.selectors import current_release
from projects.workflow import STAGES, STATES, Stage, State

from . import documents, rules, selectors, services
from .acceptance.forms import AcceptanceForm
from .acceptance.rules import may_accept_risk, may_conclude_so
from .acceptance.selectors import acceptance_of
from .amendments.presentation import amendment_row, columns_counted
from .amendments.rules import may_propose
from .amendments.selectors import amendments_of
from .checklists.items import checklist_of
from .enums import AmendmentKind, ReassessmentOutcome
from .forms import ChangeForm, ConclusionForm, ReviewForm
from .measuring import MEASURE_JOB
from .models import Reassessment
from .oversight.presentation import management_rows, stages_to_review
from .presentation import (
    ReviewRow,
    degree_fell_text,
    gate_rows,
    met_text,
    outside_texts,
    reassessment_row,
    relations_texts,
)
from .relations import outside_tables


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project reads; its planner, executor and supervisor report a change (POST)."""
    may_report = rules.may_report_change(request.user, project)
    release = current_release(project)
    form = None
    if request.method == "POST":
        may_report.require()
    if may_report and release is not None:
        form = ChangeForm(request.POST or None, initial={"happened_on": timezone.localdate()})
        if (answer := draft_answer(request, form, may_report, project=project)) is not None:
            return answer
        if request.method == "POST" and form.is_valid():
            made = services.change_report(project, **form.cleaned_data, by=request.user)
            draft_end(request, form)
            messages.success(request, _("The change is recorded and a re-assessment is open."))
            return redirect("monitoring:reassessment", project_id=project.pk, reassessment_id=made.pk)
    context = {
        "project": project,
        "reviews": [ReviewRow(row) for row in reviews_of(project.pk)],
        "management_rows": management_rows(project, management_reviews_of(project.pk)),
        "stages_to_review": stages_to_review(project),
        "changes": selectors.changes_of(project),
        "reassessments": [reassessment_row(row) for row in selectors.reassessments_of(project)],
        "release": release,
        "my_role": role_of(request.user, project),
        "may_raise": may_raise(request.user, project),
        "may_report": may_report,
        "form": form,
    }
    status = 422 if form is not None and form.is_bound else 200
    return render(request, "monitoring/page.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def reassessment(request: HttpRequest, project: Project, reassessment_id: uuid.UUID) -> HttpResponse:
    """Everybody who may see the project reads; its supervisor concludes (POST)."""
    found = selectors.reassessment_get(project, reassessment_id)
    may_conclude = rules.may_conclude(request.user, found)
    if request.method == "POST":
        may_conclude.require()
    form = None
    if may_conclude:
        may_keep = may_conclude_so(request.user, found, ReassessmentOutcome.KEEP)
        form = ConclusionForm(
            request.POST or None, nothing_new=selectors.is_nothing_new(found), may_keep=may_keep
        )
    if request.method == "POST" and form is not None and form.is_valid():
        services.reassessment_conclude(found, **form.cleaned_data, by=request.user)
        messages.success(request, _("The re-assessment is concluded."))
        return redirect(request.path)
    return reassessment_page(request, project, found, form=form)


def reassessment_page(
    request: HttpRequest,
    project: Project,
    found: Reassessment,
    *,
    form: ConclusionForm | None = None,
    acceptance_form: AcceptanceForm | None = None,
) -> HttpResponse:
    """One re-assessment, with the form of whoever has to act."""
    may_conclude = rules.may_conclude(request.user, found)
    if acceptance_form is None and may_accept_risk(request.user, found):
        acceptance_form = AcceptanceForm(confirms=request.confirms)  # type: ignore[attr-defined]
    job = latest_job(project, MEASURE_JOB, found.pk)
    context: dict[str, Any] = reassessment_row(found) | {
        "project": project,
        "form": form,
        "acceptance_form": acceptance_form,
        "acceptance": acceptance_of(found) if found.measured_at else None,
        "may_conclude": may_conclude,
        "may_measure": rules.may_measure(request.user, found),
        "may_open": rules.may_open(request.user, found),
        "may_raise": may_raise(request.user, project),
        "my_role": role_of(request.user, project),
        "gate_rows": gate_rows(found),
        "amendments": [
            amendment_row(one)
            for one in amendments_of(project)
            if one.reassessment_id == found.pk or one.number in found.remeasured.amendments
        ],
        "amendable": [kind for kind in AmendmentKind if may_propose(request.user, found, kind)],
        "degree_fell": degree_fell_text(found.remeasured) if found.remeasured.degree_fell else "",
        "counted": columns_counted(found),
        "outside": outside_texts(found.remeasured),
        "outside_tables": outside_tables(request.user, found),
        "met_text": met_text(found.remeasured),
        "relations": found.remeasured.relations,
        "relations_texts": relations_texts(found.remeasured.relations),
        "job": job if job is not None and (job.is_active or found.measured_at is None) else None,
        "documents": list(documents_about(documents.report_subject(found), kind=documents.REPORT))
        if found.concluded_at
        else [],
    }
    bound = any(one is not None and one.is_bound for one in (form, acceptance_form))
    return render(request, "monitoring/reassessment.html", context, status=422 if bound else 200)


@require_POST
@project_view
def reassessment_open(request: HttpRequest, project: Project, reassessment_id: uuid.UUID) -> HttpResponse:
    """The supervisor: open a planned re-assessment before its time."""
    found = selectors.reassessment_get(project, reassessment_id)
    services.reassessment_open_early(found, by=request.user)
    messages.success(request, _("The re-assessment is open; the released file is being measured again."))
    return redirect("monitoring:reassessment", project_id=project.pk, reassessment_id=found.pk)


@require_POST
@project_view
def reassessment_measure(request: HttpRequest, project: Project, reassessment_id: uuid.UUID) -> HttpResponse:
    """The supervisor: have the released file measured once more."""
    found = selectors.reassessment_get(project, reassessment_id)
    services.reassessment_measure_again(found, by=request.user)
    return redirect("monitoring:reassessment", project_id=project.pk, reassessment_id=found.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def review(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project may look; its supervisor records the review while a stage is under review."""
    verdict = rules.may_review_stage(request.user, project)
    if request.method == "POST":
        verdict.require()
    if not STATES[State(project.state)].under_review:
        return _reviewed(request, project)
    stage = project.stage
    content = content_of(project, stage)
    context = stage_context(project, request.user, stage)
    form = None
    may_pass = rules.may_pass_stage(request.user, project)
    judged = judged_content(project, stage) if content is not None else None
    if verdict and content is not None and judged is not None:
        form = ReviewForm(
            request.POST or None,
            initial=ReviewForm.known(judged.title, content),
            current_hash=content.hash,
            may_pass=may_pass,
            requirements=_requirements(stage),
            checklist=checklist_of(stage),
        )
        if request.method == "POST" and form.is_valid():
            services.stage_review_record(project, **form.review(), by=request.user)
            passed = form.cleaned_data["outcome"] == ReviewOutcome.PASSED
            messages.success(
                request,
                _("The review is recorded; the project continues.")
                if passed
                else _("The review is recorded; the project goes back for rework."),
            )
            return redirect(handed_on(request.path))
    context |= (judged.context if judged else {}) | {
        "form": form,
        "verdict": verdict,
        "may_pass": may_pass,
        "judged": content,
        "judged_title": judged.title if judged else "",
        "judged_template": judged.template if judged else "",
        "stage_url": stage_url(project, stage),
        "submitted_by": services.stage_submitter(project, stage),
        "documents": list(documents_about(content)) if content else [],
        "returns": returns_to_judge(project, stage),
        "earlier": [row for row in reviews_of(project.pk) if row.stage == stage],
        # The moves of this state are made with the form of this page.
        "offers": [],
    }
    status = 422 if form is not None and form.is_bound else 200
    return render(request, "monitoring/review.html", context, status=status)


def _reviewed(request: HttpRequest, project: Project) -> HttpResponse:
    """Nothing is under review: who has just reviewed sees what they recorded, anybody else all reviews."""
    newest = reviews_of(project.pk)[:1]
    if HANDED_ON not in request.GET or not newest or newest[0].reviewed_by != request.user:
        return redirect("monitoring:page", project_id=project.pk)
    (review,) = newest
    context = stage_context(project, request.user, Stage(review.stage)) | {"review": review}
    return render(request, "monitoring/reviewed.html", context)


def _requirements(stage: Stage) -> list[Clause]:
    """What the standard asks of the stage, without the approval that comes after its review."""
    return clauses(key for key in STAGES[stage].clauses if not key.endswith(": approval"))


@require_GET
def board(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the re-assessments of the projects that they may see, the most urgent first."""
    found = selectors.board(request.user)
    counted = selectors.counted(found)
    paginator = Paginator(found, 50)
    paginator.count = counted["all"]
    page = paginator.get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [reassessment_row(row) for row in page] if counted["all"] else [],
        "overdue_count": counted["overdue"],
        "open_count": counted["open"],
        "planned_count": counted["all"] - counted["overdue"] - counted["open"],
    }
    return render(request, "monitoring/board.html", context)
