"""The page of the trends."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from .presentation import headings, pictures_of, rows_of
from .selectors import trends_of


def year_of(text: str) -> int | None:
    """The year of an address; None for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) == 4 else None


@require_safe
def trends(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: a year of the projects that they may see."""
    found = trends_of(request.user, year_of(request.GET.get("year", "")))
    context = {
        "trends": found,
        "rows": rows_of(found),
        "headings": headings(),
        "pictures": pictures_of(found),
        "before": found.year - 1 if found.year > found.first else None,
        "after": found.year + 1 if found.year < timezone.localdate().year else None,
    }
    return render(request, "lessons/trends.html", context)
