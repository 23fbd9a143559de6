"""The page of the 13 questions: answers in, ranked techniques with reasons out."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.tables.selectors import table_of
from projects.datasets.tables.views import table_context

from .. import rules
from .presentation import dimensions_shown
from .questions import SHOWN, answers_read, columns, dataset_questions
from .selectors import current_advice
from .services import advice_record


@require_http_methods(["GET", "POST"])
@project_view
def advice(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project reads; the project's executor answers while the data is being processed."""
    table = table_of(project, request.GET.get("table"))
    may_answer = rules.may_edit_recipe(request.user, project)
    if request.method == "POST":
        may_answer.require()
        made = advice_record(table, answers=answers_read(table, request.POST), by=request.user)
        messages.success(
            request, _("The answers and the advice were recorded (no. %(number)s).") % {"number": made.number}
        )
        return redirect(request.get_full_path())
    record = current_advice(table)
    context = table_context(table, "processing:advice") | {
        "project": project,
        "record": record,
        "questions": dataset_questions(record),
        "columns": columns(table, record),
        "may_answer": may_answer,
        "shown": SHOWN,
        "dimensions": dimensions_shown(record) if record else [],
    }
    return render(request, "processing/advice.html", context)
