"""Naming the organisation that carries a project out, from the page of its team."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from projects.core.models import Project
from projects.core.pages import project_view

from . import rules, services
from .forms import ExecutingForm


@require_POST
@project_view
def executing(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager of the project: which organisation of the register carries its processing out."""
    rules.may_name(request.user, project).require()
    form = ExecutingForm(request.POST)
    if form.is_valid():
        services.executing_name(project, form.cleaned_data["party"], by=request.user)
        messages.success(request, _("The organisation is on record."))
    else:
        messages.error(request, _("Choose an organisation of the register."))
    return redirect("core:members", project_id=project.pk)
