"""The page of the conversation about the model: answers in; k, l, t and the measure of risk out."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.tables.selectors import table_of
from projects.datasets.tables.views import table_context, to_table
from techniques.core.messages import EngineError

from ... import rules, wording
from ..selectors import model_advice_records
from . import conversation as shown
from . import services as model_services


@require_http_methods(["GET", "POST"])
@project_view
def model_advice(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project reads; the project's executor answers while the data is being processed."""
    table = table_of(project, request.GET.get("table"))
    may_answer = rules.may_edit_recipe(request.user, project)
    if request.method == "POST":
        may_answer.require()
        answers = shown.model_answers_read(table, request.POST)
        made = model_services.model_advice_record(table, answers=answers, by=request.user)
        messages.success(
            request, _("The answers and the advice were recorded (no. %(number)s).") % {"number": made.number}
        )
        return redirect(request.get_full_path())
    records = list(model_advice_records(project).filter(table=table)[:20])
    record = records[0] if records else None
    context = table_context(table, "processing:model_advice") | {
        "project": project,
        "record": record,
        "earlier": records[1:],
        "parts": shown.parts_of(record) if record else [],
        "settled": shown.settled(table, model_services.facts_of(table)) if project.sharing_type else [],
        "questions": shown.overall_questions(record),
        "columns": shown.column_questions(table, record),
        "may_answer": may_answer,
        "may_take": model_services.may_take(request.user, table, record) if record else None,
    }
    return render(request, "processing/model_advice.html", context)


@require_POST
@project_view
def model_advice_take(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed: the advice becomes a version of the recipe."""
    table = table_of(project, request.GET.get("table"))
    try:
        version = model_services.model_advice_take(table, by=request.user)
    except EngineError as error:
        messages.error(request, wording.engine_text(error))
        return to_table("processing:model_advice", table)
    messages.success(
        request,
        _("The advice has been added to version %(number)s of the recipe.") % {"number": version.number},
    )
    return redirect("processing:version", project_id=project.pk, number=version.number)
