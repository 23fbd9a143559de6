"""Pages of reversal: the requests, the question, the decision, the answer."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.jobs.selectors import jobs_of
from projects.processing.wording import engine_text
from techniques.core.messages import EngineError

from . import rules
from .forms import AskForm, ReasonForm
from .models import ReversalRequest
from .presentation import request_row
from .selectors import is_current, reversal_get, reversals_of, reversible_columns
from .services import reversal_ask, reversal_decide, reversal_end, reversal_read

LATEST = 100


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: who asked for what, why, and what became of it; never a value."""
    rows = [request_row(row) for row in reversals_of(project)[:LATEST]]
    may_ask = rules.may_ask(request.user, project)
    return render(request, "reversal/page.html", {"project": project, "rows": rows, "may_ask": may_ask})


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@project_view
def ask(request: HttpRequest, project: Project) -> HttpResponse:
    """The executor and the planning manager, once the result is approved."""
    rules.may_ask(request.user, project).require()
    columns = reversible_columns(project)
    form = AskForm(request.POST or None, request.FILES or None, columns=columns)
    if request.method == "POST" and form.is_valid():
        chosen = form.chosen()
        try:
            made = reversal_ask(
                chosen.run,
                table=chosen.table,
                column=chosen.column,
                values=form.all_values(),
                reason=form.cleaned_data["reason"],
                by=request.user,
            )
        except EngineError as error:
            form.add_error("values", engine_text(error))
        else:
            messages.success(request, _("The request is waiting for a second person."))
            return redirect("reversal:detail", project_id=project.pk, reversal_id=made.pk)
    context = {"project": project, "form": form, "columns": columns}
    return render(request, "reversal/ask.html", context, status=422 if form.is_bound else 200)


@require_GET
@project_view
def detail(request: HttpRequest, project: Project, reversal_id: uuid.UUID) -> HttpResponse:
    """Everybody who may see the project: one request, its decision, and what was done with its answer."""
    return _detail(request, reversal_get(project, reversal_id), ReasonForm())


def _detail(
    request: HttpRequest, found: ReversalRequest, form: ReasonForm, status: int = 200
) -> HttpResponse:
    job = jobs_of(found.project).filter(pk=found.job_id).first() if found.job_id else None
    context = {
        "project": found.project,
        "row": request_row(found),
        "found": found,
        "is_current": is_current(found),
        "job": job,
        "form": form,
        "may_refuse": rules.may_refuse(request.user, found),
        "may_approve": rules.may_approve(request.user, found),
        "may_read": rules.may_read(request.user, found),
        "may_end": rules.may_end(request.user, found),
    }
    return render(request, "reversal/detail.html", context, status=status)


@require_POST
@project_view
def decide(request: HttpRequest, project: Project, reversal_id: uuid.UUID) -> HttpResponse:
    """The supervisor or senior management, but never the person who asked. Approve or refuse, with a reason."""
    found = reversal_get(project, reversal_id)
    rules.may_refuse(request.user, found).require()
    form = ReasonForm(request.POST)
    decision = request.POST.get("decision")
    if not form.is_valid() or decision not in ("approve", "refuse"):
        return _detail(request, found, form, status=422)
    approve = decision == "approve"
    reversal_decide(found, approve=approve, reason=form.cleaned_data["reason"], by=request.user)
    text = _("Approved. The requester will be told when the values are available.")
    messages.success(request, text if approve else _("Refused. The values requested were destroyed."))
    return redirect("reversal:detail", project_id=project.pk, reversal_id=found.pk)


@require_POST
@project_view
def read(request: HttpRequest, project: Project, reversal_id: uuid.UUID) -> HttpResponse:
    """Only who asked, while the time runs: the values; each reading is in the audit log."""
    found = reversal_get(project, reversal_id)
    rules.may_read(request.user, found).require()
    answers = reversal_read(found, by=request.user)
    return render(request, "reversal/answer.html", {"project": project, "found": found, "answers": answers})


@require_POST
@project_view
def end(request: HttpRequest, project: Project, reversal_id: uuid.UUID) -> HttpResponse:
    """Who asked, the supervisor or senior management: the answer is destroyed at once."""
    found = reversal_get(project, reversal_id)
    rules.may_end(request.user, found).require()
    reversal_end(found, by=request.user)
    messages.success(request, _("The answer was destroyed."))
    return redirect("reversal:detail", project_id=project.pk, reversal_id=found.pk)
