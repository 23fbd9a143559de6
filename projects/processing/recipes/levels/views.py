"""The page on which the protection levels are drawn and edited, and the form that collects them."""

from __future__ import annotations

import copy
import csv
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from approvals.audit.readers.export import neutral
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.numbers import whole_number
from projects.core.pages import project_view
from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now, table_of, table_query
from projects.datasets.tables.views import table_context, to_table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role, person_key_of

from ... import rules
from ...editor.desk import Desk
from ...models import LevelCount
from ...rules import ProcessingReason
from . import joining, pages, services
from .forms import MOST_LEVEL, AnswersForm, parameters
from .steps import with_levels


@require_GET
@project_view
def levels(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: how many ask for which level, and what becomes of the values."""
    return _page(request, table_of(project, request.GET.get("table")))


@require_POST
@project_view
def levels_count(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed. Counts the levels as a job."""
    table = table_of(project, request.GET.get("table"))
    services.may_count(request.user, table).require()
    form = pages.columns_form(table, dataset_now(table), None, request.POST)
    if not form.is_valid() or form.cleaned_data["column"] == form.cleaned_data["level_column"]:
        if form.is_valid():
            form.add_error("level_column", _("The levels are in a different column from the values."))
        return _page(request, table, {"columns_form": form}, status=422)
    services.count_start(table, **form.cleaned_data, by=request.user)
    messages.success(request, _("Counting the protection levels has been queued."))
    return to_table("processing:levels", table)


@require_POST
@project_view
def levels_take(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed: what the entries would do, or the step in the editor."""
    rules.may_edit_recipe(request.user, project).require()
    table = table_of(project, request.GET.get("table"))
    dataset, counted = dataset_now(table), _counted(table)
    if dataset is None or counted is None or counted.dataset != dataset:
        deny(ProcessingReason.LEVELS_OUTDATED).require()
    assert dataset is not None
    assert counted is not None
    form = pages.values_form(counted, request.POST)
    if not form.is_valid():
        return _page(request, table, {"values_form": form}, status=422)
    entries = form.entries()
    found = pages.effect(counted, entries)
    if found["out_of_tree"]:
        form.add_error(
            None,
            _("A sensitivity level is at most that of the tree, %(height)s.") % {"height": found["height"]},
        )
        return _page(request, table, {"values_form": form}, status=422)
    if request.POST.get("do") != "take":
        return _page(request, table, {"values_form": form, "effect": found})
    if not counted.level_column:
        form.add_error(None, _("The recipe needs a column containing the levels: collect them first."))
        return _page(request, table, {"values_form": form, "effect": found}, status=422)
    desk = Desk(request.user, dataset)
    before = desk.current
    draft = copy.deepcopy(before)
    places = {column: place for place, column in enumerate(dataset_columns(dataset))}
    number = with_levels(draft, parameters(entries, counted.level_column), counted.column, places)
    desk.keep(draft, before)
    messages.info(request, _("The step has been filled in; it takes effect once the recipe is saved."))
    return redirect(reverse("processing:recipe", args=[project.pk]) + table_query(table) + f"#step-{number}")


@require_POST
@project_view
def levels_answers(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while identifiers are identified: has the answers of the form joined to the data, as a job."""
    table = table_of(project, request.GET.get("table"))
    joining.may_join(request.user, table).require()
    dataset = dataset_now(table)
    assert dataset is not None  # as the rule requires
    form = AnswersForm(request.POST, request.FILES, columns=dataset_columns(dataset))
    if not form.is_valid():
        return _page(request, table, {"answers_form": form}, status=422)
    given = form.cleaned_data
    joining.answers_receive(
        table,
        content=given["file"],
        key=given["key"],
        more_keys=given["more_keys"],
        default=given["default"] or 0,
        by=request.user,
    )
    messages.success(request, _("Joining the answers has been queued."))
    return to_table("processing:levels", table)


@require_GET
@project_view
def levels_form(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: the form for the people concerned, to print or as CSV; no data stand in it."""
    # Loads the engine, which the web process has no need of before somebody asks for this.
    from techniques.models.personalized.answers import level_column

    table = table_of(project, request.GET.get("table"))
    key = person_key_of(table) or ()
    wanted = whole_number(request.GET.get("levels", ""))
    top = wanted if 2 <= wanted <= MOST_LEVEL else 3
    sensitive = columns_with_role(table, ColumnRole.SENSITIVE)
    asked = request.GET.get("column", "")
    column = asked if asked in sensitive else next(iter(sensitive), "")
    if request.GET.get("as") == "csv":
        response = HttpResponse(content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = 'attachment; filename="protection-levels.csv"'
        dataset = dataset_now(table)
        taken = dataset_columns(dataset) if dataset is not None else ()
        csv.writer(response).writerow(neutral(name) for name in [*key, level_column(taken, column)])
        return response
    context = {
        "project": project,
        "table": table,
        "key": key,
        "column": column,
        "meanings": pages.meanings(top)[1:],
    }
    return render(request, "processing/levels_form.html", context)


def _counted(table: Table) -> LevelCount | None:
    """The newest count of a table that is there."""
    return services.counts_of(table.project).filter(dataset__table=table, measured_at__isnull=False).first()


def _page(
    request: HttpRequest, table: Table, more: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    context = {"project": table.project} | table_context(table, "processing:levels")
    context |= pages.overview(table, request.user)
    counted = context["counted"]
    if counted is not None:
        form = (more or {}).get("values_form") or pages.values_form(counted)
        if not form.is_bound:
            context["effect"] = pages.effect(counted, form.initial_entries())
        context["values_form"] = form
    context |= more or {}
    found = context.get("effect") or {"values": [], "height": 3}
    if counted is not None:
        form, said = context["values_form"], {one["value"]: one for one in found["values"]}
        context["meanings"] = pages.meanings(found["height"])
        context["value_rows"] = [
            (value, form[f"level-{place}"], form[f"above-{place}"], said.get(value, {}))
            for place, value in enumerate(form.values)
        ]
    address = reverse("processing:levels_form", args=[table.project_id])
    about = {"table": str(table.pk), "levels": found["height"]}
    about |= {"column": counted.column} if counted is not None else {}
    context["form_url"] = f"{address}?{urlencode(about)}"
    context["form_csv_url"] = f"{address}?{urlencode(about | {'as': 'csv'})}"
    return render(request, "processing/levels.html", context, status=status)
