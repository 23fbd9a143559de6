"""Pages of verification: what was measured, and the page on which senior management decides."""

from __future__ import annotations

import uuid
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.governance.verdict import first_denial
from projects.core.models import Project
from projects.core.pages import handed_on, project_view, stage_context
from projects.core.rules import may_see_inside
from projects.workflow import Move, Role, Stage, State

from . import documents, pages, rules, services
from .forms import ReleaseDecisionForm
from .remedies import services as remedy_services
from .selectors import current_verification, latest_verification, verifications_of
from .sign_off.related import related_of


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project: may this be signed, the gate, where the risk comes from, and the history."""
    may_see_inside(request.user, project).require()
    context = stage_context(project, request.user, Stage.VERIFICATION)
    context |= pages.overview(project)
    context["shows_classes"] = rules.may_see_values(request.user, project)
    context["measure_verdict"] = rules.may_verify(request.user, project)
    if context["measure_verdict"]:
        context["submit_verdict"] = rules.may_measure_and_submit(request.user, project)
    if context["my_role"] == Role.EXECUTOR:
        verification = context["verification"]
        context["remedies"] = [
            remedy_services.with_alterations(
                project,
                verification,
                replace(
                    shown,
                    may_take=remedy_services.may_take_remedy(request.user, verification, shown.table),
                    may_carry_out=remedy_services.may_carry_out(request.user, verification, shown.table),
                ),
            )
            if shown.passing
            else shown
            for shown in context.get("remedies", ())
        ]
        has_remedy = any(
            shown.passing and (shown.may_take or shown.may_carry_out) for shown in context["remedies"]
        )
        if context["answer"].code in ("failed", "could_not_run", "stopped") and not has_remedy:
            context["primary_move"] = Move.BACK_TO_PROCESSING
    return render(request, "verification/page.html", context)


@require_POST
@project_view
def measure(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the result is being verified."""
    hands_on = request.POST.get("then") == "submit"
    services.verification_start(project, hands_on=hands_on, by=request.user)
    messages.success(request, _("The measurement has been queued."))
    page = reverse("verification:page", kwargs={"project_id": project.pk})
    return redirect(handed_on(page) if hands_on else page)


@require_POST
@project_view
def remedy_take(
    request: HttpRequest, project: Project, verification_id: uuid.UUID, number: int
) -> HttpResponse:
    """The project's executor, while the data is being processed. A remedy that passes becomes a version of the recipe."""
    verification = verifications_of(project).get(pk=verification_id)
    version = remedy_services.remedy_take(verification, number=number, by=request.user)
    messages.success(
        request,
        _("The remedy is in version %(number)s of the recipe. Check what changed, then run it.")
        % {"number": version.number},
    )
    return redirect("processing:version", project_id=project.pk, number=version.number)


@require_POST
@project_view
def remedy_carry_out(
    request: HttpRequest, project: Project, verification_id: uuid.UUID, number: int
) -> HttpResponse:
    """The project's executor. Back to processing where need be, the remedy into the recipe, its run, and a trial."""
    verification = verifications_of(project).get(pk=verification_id)
    version, trial = remedy_services.remedy_carry_out(verification, number=number, by=request.user)
    text = _(
        "The remedy is in version %(version)s of the recipe, and run %(run)s is queued. Its result is"
        " measured as trial %(trial)s and shown here."
    )
    messages.success(
        request, text % {"version": version.number, "run": trial.run.number, "trial": trial.number}
    )
    return redirect("verification:trials", project_id=project.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def decide(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project may look; senior management decides while the release awaits approval."""
    may_see_inside(request.user, project).require()
    current = current_verification(project)
    # Whoever cannot decide accepts nothing, and is shown no form.
    related = related_of(project) if project.state == State.RELEASE_APPROVAL else None
    accepts = ["acceptance"] if current is not None and current.degree_below is not None else []
    accepts += ["related_acceptance"] if related is not None and not related.is_settled else []
    form = ReleaseDecisionForm(request.POST or None, accepts=accepts, confirms=request.confirms)  # type: ignore[attr-defined]
    if request.method == "POST":
        rules.may_decide(request.user, project).require()
        if form.is_valid():
            services.release_decide(
                project,
                **form.cleaned_data,
                seen_hash=request.POST.get("content_hash", ""),
                seen_related=request.POST.get("related", ""),
                by=request.user,
            )
            messages.success(request, _("Your decision is recorded."))
            return redirect(handed_on(request.path))
    verdict = rules.may_decide(request.user, project)
    approve = first_denial(rules.may_approve(request.user, project), rules.related_known(related))
    context = stage_context(project, request.user, Stage.VERIFICATION)
    context |= pages.decision(project)
    if not approve:
        form.without_approval()
    context |= {
        "form": form,
        "verdict": verdict,
        "approve_verdict": approve,
        "related": related,
        "comment_count": getattr(latest_verification(project), "comments_made", None),
        # The moves of this state are made with the form of this page.
        "offers": [] if project.state == State.RELEASE_APPROVAL else context["offers"],
    }
    status = 422 if form.is_bound and not form.is_valid() else 200
    return render(request, "verification/decide.html", context, status=status)


@require_POST
@project_view
def document_make(request: HttpRequest, project: Project) -> HttpResponse:
    """Every role of the team: write the approval report again after a failed job."""
    rules.may_print(request.user, project).require()
    verification = latest_verification(project)
    assert verification is not None  # as the rule requires
    kind = documents.SIGNED_KIND if documents.decision_about(verification) else documents.REPORT_KIND
    documents.report_document_start(verification, by=request.user, kind=kind)
    return redirect("verification:page", project_id=project.pk)
