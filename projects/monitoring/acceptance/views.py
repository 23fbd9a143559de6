"""Senior management accepts the risk that a re-assessment found."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from projects.core.models import Project
from projects.core.pages import project_view

from .. import selectors
from ..views import reassessment_page
from . import rules, services
from .forms import AcceptanceForm


@require_POST
@project_view
def accept(request: HttpRequest, project: Project, reassessment_id: uuid.UUID) -> HttpResponse:
    """Senior management of a monitored project, with the password or a code: the release stays until a day."""
    found = selectors.reassessment_get(project, reassessment_id)
    rules.may_accept_risk(request.user, found).require()
    form = AcceptanceForm(request.POST, confirms=request.confirms)  # type: ignore[attr-defined]
    if not form.is_valid():
        return reassessment_page(request, project, found, acceptance_form=form)
    services.risk_accept(found, **form.cleaned_data, by=request.user)
    messages.success(request, _("Your decision is recorded."))
    return redirect("monitoring:reassessment", project_id=project.pk, reassessment_id=found.pk)
