"""Help that is made from what the portal knows of itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from .clauses import CLAUSE_TEXTS
from .diagram import move_rows, state_rows
from .diagram_svg import anywhere_labels, process_svg
from .glossary import TERMS


@require_safe
def process(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the process as a picture and as tables."""
    context = {
        "picture": process_svg(),
        "moves": move_rows(),
        "states": state_rows(),
        "anywhere": anywhere_labels(),
        "clauses": CLAUSE_TEXTS.values(),
    }
    return render(request, "help/process.html", context)


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the terms, Chinese and English side by side."""
    return render(request, "help/glossary.html", {"terms": TERMS})
