"""Pages for who conducts an intruder test: inviting an outsider, and withdrawing it."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals.governance.verdict import Refused
from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.pages import project_view

from ..selectors import intruder_test_get
from . import rules, selectors, services
from .forms import EndForm, InviteForm


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def invite(request: HttpRequest, project: Project, test_id: uuid.UUID) -> HttpResponse:
    """The supervisor: invite an outsider to a test that goes on."""
    test = intruder_test_get(project, test_id)
    verdict = rules.may_invite(request.user, test)
    verdict.require()
    form = InviteForm(request.POST or None, people=selectors.testers())
    if (answer := draft_answer(request, form, verdict, project=project, about=test.pk)) is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        try:
            services.invitation_make(test, **form.cleaned_data, by=request.user)
        except Refused as refused:
            form.add_error(None, refused.verdict.text)
        else:
            draft_end(request, form)
            messages.success(request, _("They are invited, and see the result from now on."))
            return redirect("intrusion:test", project_id=project.pk, test_id=test.pk)
    context = {"project": project, "test": test, "form": form}
    return render(request, "intrusion/invite.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def end(request: HttpRequest, project: Project, test_id: uuid.UUID, invitation_id: uuid.UUID) -> HttpResponse:
    """The supervisor: withdraw an invitation before its last day."""
    invitation = selectors.invitation_of(intruder_test_get(project, test_id), invitation_id)
    rules.may_end(request.user, invitation).require()
    form = EndForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        services.invitation_end(invitation, **form.cleaned_data, by=request.user)
        messages.success(request, _("The invitation is withdrawn."))
        return redirect("intrusion:test", project_id=project.pk, test_id=test_id)
    context = {"project": project, "test": invitation.test, "invitation": invitation, "form": form}
    return render(request, "intrusion/invitation_end.html", context, status=422 if form.is_bound else 200)
