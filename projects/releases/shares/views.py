"""Who gets which file of a result that was split into shares."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.processing.runs.selectors import latest_run
from projects.processing.runs.shares import share_files_of

from .. import rules
from ..forms import ShareForm
from ..selectors import holdings_of
from .services import share_assign


def share_rows(project: Project) -> list[dict[str, Any]]:
    """The files of each number with who holds them; empty where everybody gets the same files."""
    run = latest_run(project)
    files = [] if run is None else share_files_of(run.pk)
    if not files:
        return []
    held = {holding.number: holding for holding in holdings_of(project) if holding.ended_at is None}
    return [
        {"number": number, "files": list(shares), "holding": held.get(number)}
        for number, shares in groupby(files, key=attrgetter("number"))
    ]


@require_POST
@project_view
def assign(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager, once the result is approved: one file of shares to one recipient."""
    rules.may_assign_shares(request.user, project).require()
    form = ShareForm(request.POST, project=project)
    if not form.is_valid():
        messages.error(request, _("Choose a recipient of this project."))
    else:
        share_assign(
            project, number=form.cleaned_data["number"], holder=form.cleaned_data["holder"], by=request.user
        )
        messages.success(request, _("The shares have their holder."))
    return redirect("releases:page", project_id=project.pk)
