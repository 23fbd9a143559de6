"""The page of the classes of a result, under a watermark."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from approvals.request_cache import one_reading, prime
from projects.core.models import Project
from projects.core.numbers import whole_number
from projects.core.pages import project_view
from projects.core.selectors import memberships_of
from projects.datasets.tables.selectors import table_of, tables_of
from projects.datasets.tables.views import table_context

from ...rules import may_see_values
from ...selectors import measured_with_classes
from . import services
from .presentation import sentences
from .rules import are_there
from .selectors import ClassesPage


@require_GET
@project_view
def classes(request: HttpRequest, project: Project) -> HttpResponse:
    """The supervisor and auditors: one page of the classes of the newest measurement, on the record; in words why there is none."""
    may_see_values(request.user, project).require()
    # To look is an act, and after it each part of the page would read anew what every page of a project shows.
    before: list[tuple[Any, Any]] = [(read, read(project)) for read in (memberships_of, tables_of)]
    table = table_of(project, request.GET.get("table"))
    verification = measured_with_classes(project)
    listed = are_there(verification)
    context = table_context(table, "verification:classes") | {
        "project": project,
        "verification": verification,
        "listed": listed,
    }
    if verification is not None and listed:
        number = whole_number(request.GET.get("page", "1"))
        page = services.classes_look(verification, table, page=max(1, number), by=request.user)
        context["said"] = sentences(verification, page)
        if isinstance(page, ClassesPage) and page.rows:
            of_file = context["table_query"].replace("?", "&")
            context |= {"page": page, "looked_at": timezone.localtime(), "of_file": of_file}

    @one_reading
    def shown() -> HttpResponse:
        for read, found in before:
            prime(read, project, result=found)
        return render(request, "verification/classes.html", context)

    response = shown()
    response["Cache-Control"] = "no-store, private"
    return response
