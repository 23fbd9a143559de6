"""Pages of intruder tests."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms as django_forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from approvals.documents.selectors import documents_of_project
from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from projects.processing.runs.selectors import tables_of_run

from . import rules, selectors, services
from .enums import REPORT, ClaimVerdict
from .forms import CheckForm, ClaimForm, CloseForm, OpenForm
from .invitations.presentation import invitation_rows
from .invitations.rules import may_invite
from .invitations.selectors import invitations_of
from .models import IntruderTest
from .presentation import intruder_test_row, wanted


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project reads its intruder tests; the supervisor opens one (POST)."""
    may_see_inside(request.user, project).require()
    may_open = rules.may_open(request.user, project)
    if request.method == "POST":
        may_open.require()
    form = OpenForm(request.POST or None)
    if (answer := draft_answer(request, form, may_open, project=project)) is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        made = services.intruder_test_open(project, **form.cleaned_data, by=request.user)
        draft_end(request, form)
        messages.success(request, _("The intruder test is open."))
        return redirect("intrusion:test", project_id=project.pk, test_id=made.pk)
    bound = selectors.bound_of(project)
    context = {
        "project": project,
        "rows": [intruder_test_row(one, one.claims.all(), bound) for one in selectors.tests_of(project)],
        "wanted": wanted(bound) if bound is not None else "",
        "may_open": may_open,
        "form": form,
    }
    return render(request, "intrusion/page.html", context, status=422 if form.is_bound else 200)


@require_safe
@project_view
def test(request: HttpRequest, project: Project, test_id: uuid.UUID) -> HttpResponse:
    """Who sees the project reads one test with its claims, and whoever may goes on with it."""
    may_see_inside(request.user, project).require()
    return _shown(request, project, selectors.intruder_test_get(project, test_id))


@require_POST
@project_view
def claim(request: HttpRequest, project: Project, test_id: uuid.UUID) -> HttpResponse:
    """Record what the testers claim."""
    found = selectors.intruder_test_get(project, test_id)
    rules.may_claim(request.user, found).require()
    form = ClaimForm(request.POST, tables=tables_of_run(found.run))
    if not form.is_valid():
        return _shown(request, project, found, claim_form=form)
    services.claims_record(found, **form.cleaned_data, by=request.user)
    return _done(request, found)


@require_POST
@project_view
def check(request: HttpRequest, project: Project, test_id: uuid.UUID) -> HttpResponse:
    """Say of claims whether they are right."""
    found = selectors.intruder_test_get(project, test_id)
    waiting = _waiting(found)
    rules.may_check(request.user, found, bool(waiting)).require()
    form = CheckForm(request.POST, waiting=waiting)
    if not form.is_valid():
        return _shown(request, project, found, check_form=form)
    chosen = {uuid.UUID(one) for one in form.cleaned_data["claims"]}
    services.claims_check(found, claims=chosen, right=form.cleaned_data["right"], by=request.user)
    return _done(request, found)


@require_POST
@project_view
def close(request: HttpRequest, project: Project, test_id: uuid.UUID) -> HttpResponse:
    """Conclude the test."""
    found = selectors.intruder_test_get(project, test_id)
    rules.may_close(request.user, found, bool(_waiting(found))).require()
    form = CloseForm(request.POST)
    if not form.is_valid():
        return _shown(request, project, found, close_form=form)
    services.intruder_test_close(found, **form.cleaned_data, by=request.user)
    return _done(request, found)


def _waiting(found: IntruderTest) -> list[Any]:
    return [one for one in selectors.claims_of(found) if one.verdict == ClaimVerdict.WAITING]


def _done(request: HttpRequest, found: IntruderTest) -> HttpResponse:
    messages.success(request, _("It is recorded."))
    return redirect("intrusion:test", project_id=found.project_id, test_id=found.pk)


def _shown(
    request: HttpRequest, project: Project, found: IntruderTest, **sent: django_forms.Form
) -> HttpResponse:
    """The page of a test; ``sent`` is a form that was not right."""
    claims = selectors.claims_of(found)
    waiting = [one for one in claims if one.verdict == ClaimVerdict.WAITING]
    user, bound = request.user, selectors.bound_of(project)
    may_close = rules.may_close(user, found, bool(waiting))
    context = intruder_test_row(found, claims, bound) | {
        "project": project,
        "wanted": wanted(bound) if bound is not None else "",
        "claim_form": ClaimForm(tables=tables_of_run(found.run)) if rules.may_claim(user, found) else None,
        "check_form": CheckForm(waiting=waiting) if rules.may_check(user, found, bool(waiting)) else None,
        "close_form": CloseForm() if may_close else None,
        "may_close": may_close,
        "invited": invitation_rows(invitations_of(found), claims, user),
        "may_invite": found.closed_at is None and bool(may_invite(user, found)),
        "documents": documents_of_project(project.pk).filter(kind=REPORT, subject_id=str(found.pk))
        if found.closed_at
        else [],
    }
    return render(request, "intrusion/test.html", context | sent, status=422 if sent else 200)
