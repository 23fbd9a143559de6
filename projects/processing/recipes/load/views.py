"""The page on which the load of a recipe is measured before it is run on the whole table."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.models import Table
from projects.datasets.tables.selectors import table_of
from projects.datasets.tables.views import table_context, to_table

from . import pages, services
from .forms import SampleForm


@require_GET
@project_view
def load(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: what a table's recipe takes of the machine."""
    return _page(request, table_of(project, request.GET.get("table")), SampleForm())


@require_POST
@project_view
def load_start(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed. Carries the recipe out on samples, as a job."""
    table = table_of(project, request.GET.get("table"))
    services.may_measure_load(request.user, table).require()
    form = SampleForm(request.POST)
    if not form.is_valid():
        return _page(request, table, form, status=422)
    services.load_start(table, rows=form.cleaned_data["rows"], by=request.user)
    messages.success(request, _("Measuring the load has been queued."))
    return to_table("processing:load", table)


def _page(request: HttpRequest, table: Table, form: SampleForm, status: int = 200) -> HttpResponse:
    context = {"project": table.project, "form": form} | table_context(table, "processing:load")
    context |= pages.overview(table, request.user)
    return render(request, "processing/load.html", context, status=status)
