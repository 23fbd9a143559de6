"""Pages of incidents: of a project, of all projects, and of a recipient who reports one."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from approvals.documents.selectors import documents_of_project
from approvals.governance.verdict import ALLOW
from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from projects.releases.selectors import release_get

from . import rules, selectors, services
from .enums import REPORT, IncidentAct
from .forms import ActForm, IncidentForm
from .presentation import duties_of, incident_row, law_text


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project reads its incidents; whoever works in it or looks on from outside reports one (POST)."""
    may_see_inside(request.user, project).require()
    may_raise = rules.may_raise(request.user, project)
    if request.method == "POST":
        may_raise.require()
    form = IncidentForm(request.POST or None)
    if (answer := draft_answer(request, form, may_raise, project=project)) is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        made = services.incident_raise(project, **form.cleaned_data, by=request.user)
        draft_end(request, form)
        messages.success(
            request,
            _(
                "The incident has been reported; the planning manager, supervisor and senior management have been told."
            ),
        )
        return redirect("incidents:incident", project_id=project.pk, incident_id=made.pk)
    found = selectors.incidents_of(project).prefetch_related("steps")
    context = {
        "project": project,
        "rows": [incident_row(one, one.steps.all()) for one in found],
        "may_raise": may_raise,
        "form": form,
        "law": law_text(),
    }
    return render(request, "incidents/page.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def incident(request: HttpRequest, project: Project, incident_id: uuid.UUID) -> HttpResponse:
    """Who sees the project reads; the roles that have to act do so (POST)."""
    may_see_inside(request.user, project).require()
    found = selectors.incident_get(project, incident_id)
    steps = selectors.steps_of(found)
    done = [one.act for one in steps]
    verdicts = {act: rules.may_act(request.user, found, act, done) for act in IncidentAct}
    acts = [act for act, verdict in verdicts.items() if verdict]
    if request.method == "POST" and not acts:
        verdicts[IncidentAct.MEASURE].require()
    form = ActForm(request.POST or None, acts=acts) if acts else None
    if (
        form is not None
        and (answer := draft_answer(request, form, verdicts[acts[0]], project=project, about=found.pk))
        is not None
    ):
        return answer
    if request.method == "POST" and form is not None and form.is_valid():
        services.incident_act(found, **form.cleaned_data, by=request.user)
        draft_end(request, form)
        messages.success(request, _("It has been recorded."))
        return redirect("incidents:incident", project_id=project.pk, incident_id=found.pk)
    context = incident_row(found, steps) | {
        "project": project,
        "steps": steps,
        "duties": duties_of(found, steps),
        "law": law_text(),
        "form": form,
        "why_not_closed": verdicts[IncidentAct.CLOSE],
        "documents": documents_of_project(project.pk).filter(kind=REPORT, subject_id=str(found.pk))
        if found.closed_at
        else [],
    }
    return render(
        request, "incidents/incident.html", context, status=422 if form is not None and form.is_bound else 200
    )


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the incidents that are not closed in the projects that they may see."""
    rows = [incident_row(one, one.steps.all()) for one in selectors.incidents_open(request.user)]
    return render(request, "incidents/board.html", {"rows": rows, "law": law_text()})


@require_http_methods(["GET", "HEAD", "POST"])
def recipient_page(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """Recipients, former ones too, report what went wrong with what they received, and see what they have reported."""
    release = release_get(request.user, release_id)
    form = IncidentForm(request.POST or None)
    # Whoever received the release may report; the selector knows it for nobody else.
    answer = draft_answer(request, form, ALLOW, project=release.project, about=release.pk)
    if answer is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        services.incident_raise(release.project, **form.cleaned_data, release=release, by=request.user)
        draft_end(request, form)
        messages.success(request, _("Thank you. The people responsible have been told."))
        return redirect("recipient_incidents:page", release_id=release.pk)
    context = {
        "release": release,
        "rows": [incident_row(one) for one in selectors.reported_by(request.user, release.project)],
        "form": form,
    }
    return render(request, "incidents/recipient.html", context, status=422 if form.is_bound else 200)
