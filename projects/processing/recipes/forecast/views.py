"""The page on which the planned steps of a recipe are measured before it is run."""

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
from techniques.core.messages import EngineError

from ... import wording
from . import pages, services
from .forms import AttackForm


@require_GET
@project_view
def forecast(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: what each step of a table's recipe is going to do to the risk."""
    return _page(request, table_of(project, request.GET.get("table")), AttackForm())


@require_POST
@project_view
def forecast_start(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed. Measures the planned steps as a job."""
    table = table_of(project, request.GET.get("table"))
    services.may_forecast(request.user, table).require()
    form = AttackForm(request.POST)
    if form.is_valid():
        try:
            services.forecast_start(table, attack=form.cleaned_data, by=request.user)
        except EngineError as error:
            form.add_error(None, wording.engine_text(error))
        else:
            messages.success(request, _("Measuring the planned steps has been queued."))
            return to_table("processing:forecast", table)
    return _page(request, table, form, status=422)


def _page(request: HttpRequest, table: Table, form: AttackForm, status: int = 200) -> HttpResponse:
    context = {"project": table.project, "form": form} | table_context(table, "processing:forecast")
    context |= pages.overview(table, request.user)
    return render(request, "processing/forecast.html", context, status=status)
