"""The page of the disposal: what lies there, who proposes and decides, what became of it, and what stays."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from approvals.documents.selectors import documents_made
from approvals.governance.verdict import Verdict
from projects.core.drafts.pages import draft_answer, draft_begin, draft_end
from projects.core.models import Project
from projects.core.numbers import count
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from projects.jobs.selectors import latest_job

from . import rules, selectors, services
from .enums import DESTROY_JOB, DisposalOutcome
from .forms import CarryOutForm, KeepForm, ProposeForm
from .models import Disposal
from .presentation import (
    copies_text,
    copy_rows,
    file_rows,
    key_rows,
    kinds_text,
    measured_rows,
    staying,
    term_rows,
)


def _page(
    request: HttpRequest, project: Project, *, failed: dict[str, forms.Form] | None = None
) -> HttpResponse:
    found = list(selectors.disposals_of(project))
    # What was carried out stands on top; what was kept is history.
    current = found[0] if found and found[0].outcome != DisposalOutcome.KEPT else None
    content, copies = selectors.content_now(project), selectors.copies_stated(project)
    job = latest_job(project, DESTROY_JOB, current.pk) if current and current.is_destroying else None
    may_propose = rules.may_propose(request.user, project)
    proposal = ProposeForm(there=selectors.kinds_in(content))
    draft_begin(request, proposal, may_propose, project=project)
    shown: dict[str, forms.Form] = {
        "propose": proposal,
        "carry_out": CarryOutForm(auto_id="id_carry_out_%s"),
        "keep": KeepForm(auto_id="id_keep_%s"),
    } | (failed or {})
    context = {
        "project": project,
        "current": current,
        "job": job,
        "files": file_rows(content),
        "keys": key_rows(content),
        "left": len(selectors.still_there(current)) if current and current.is_destroying else 0,
        "proposed_kinds": [kinds_text(kind) for kind in current.kinds] if current else [],
        "destroyed": measured_rows(current) if current and not current.is_waiting else [],
        "destroyed_keys": key_rows(current.content) if current and not current.is_waiting else [],
        "copies": copy_rows(copies),
        "copies_said": copies_text(copies),
        "terms": term_rows(project, content),
        "staying": staying(selectors.evidence_counted(project)),
        "forms": shown,
        "may_propose": may_propose,
        "may_carry_out": rules.may_carry_out(request.user, current) if current else None,
        "may_keep": rules.may_keep(request.user, current) if current else None,
        "may_resume": rules.may_resume(request.user, current) if current else None,
        "is_interrupted": current is not None and rules.is_interrupted(current),
        "earlier": [one for one in found if one != current],
        "documents": [
            one for one in documents_made(project.pk) if one.subject_id in {str(each.pk) for each in found}
        ],
    }
    return render(request, "disposal/page.html", context, status=422 if failed else 200)


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who works on the project, auditors and assessors."""
    may_see_inside(request.user, project).require()
    return _page(request, project)


@require_POST
@project_view
def propose(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager, with a reason, once the project has ended."""
    may_propose = rules.may_propose(request.user, project)
    may_propose.require()
    form = ProposeForm(request.POST, there=selectors.kinds_in(selectors.content_now(project)))
    page = reverse("disposal:page", args=[project.pk])
    if (answer := draft_answer(request, form, may_propose, project=project, back=page)) is not None:
        return answer
    if not form.is_valid():
        return _page(request, project, failed={"propose": form})
    services.disposal_propose(project, **form.cleaned_data, by=request.user)
    draft_end(request, form)
    messages.success(request, _("Proposed. The supervisor decides whether to destroy or keep the data."))
    return redirect("disposal:page", project_id=project.pk)


@require_POST
@project_view
def carry_out(request: HttpRequest, project: Project, disposal_id: uuid.UUID) -> HttpResponse:
    """The supervisor, with a reason, of what the planning manager has proposed."""
    text = _(
        "The keys are destroyed; nobody can read the data any more. The encrypted files are being removed."
    )
    form = CarryOutForm(request.POST, auto_id="id_carry_out_%s")
    return _decide(
        request,
        project,
        disposal_id,
        "carry_out",
        form,
        rules.may_carry_out,
        services.disposal_carry_out,
        text,
    )


@require_POST
@project_view
def keep(request: HttpRequest, project: Project, disposal_id: uuid.UUID) -> HttpResponse:
    """The supervisor declines what was proposed, or the planning manager takes it back."""
    form = KeepForm(request.POST, auto_id="id_keep_%s")
    text = _("The data are kept.")
    return _decide(request, project, disposal_id, "keep", form, rules.may_keep, services.disposal_keep, text)


def _decide(
    request: HttpRequest,
    project: Project,
    disposal_id: uuid.UUID,
    name: str,
    form: forms.Form,
    rule: Callable[[Any, Disposal], Verdict],
    service: Callable[..., Disposal],
    text: str,
) -> HttpResponse:
    found = selectors.disposal_get(project, disposal_id)
    rule(request.user, found).require()
    if not form.is_valid():
        return _page(request, project, failed={name: form})
    service(found, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, text)
    return redirect("disposal:page", project_id=project.pk)


@require_POST
@project_view
def resume(request: HttpRequest, project: Project, disposal_id: uuid.UUID) -> HttpResponse:
    """The supervisor, where the removal of the encrypted files was interrupted."""
    found = selectors.disposal_get(project, disposal_id)
    rules.may_resume(request.user, found).require()
    left = len(selectors.still_there(found))
    services.disposal_resume(found, by=request.user)
    messages.success(
        request, _("The removal goes on; encrypted files still there: %(left)s.") % {"left": count(left)}
    )
    return redirect("disposal:page", project_id=project.pk)
