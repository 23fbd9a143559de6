"""The part of the editor that shows the whole result, asked for again while a job works it out."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.tables.selectors import dataset_now, table_of
from projects.datasets.tables.views import table_context

from ... import rules
from ..desk import Desk
from . import pages


@require_GET
@project_view
def whole(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed."""
    rules.may_edit_recipe(request.user, project).require()
    table = table_of(project, request.GET.get("table"))
    dataset = dataset_now(table)
    own = ""
    if dataset is not None and dataset.is_ready:
        desk = Desk(request.user, dataset)
        own = desk.previewed(desk.current)
    context = table_context(table, "processing:recipe") | {"project": project}
    context |= pages.overview(table, request.user, own=own)
    return render(request, "processing/_whole.html", context)
