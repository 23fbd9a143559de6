"""Help that is made from what the portal knows of itself."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from .. import services
from .clauses import CLAUSE_TEXTS
from .diagram import move_rows, state_rows
from .diagram_svg import anywhere_labels, process_svg
from .glossary import TERMS
from .tours import TOURS, TOURS_KNOWN, Audience, audience_of


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


@require_safe
def tour(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the tour of what they do here, or of what others do."""
    named = request.GET.get("as", "")
    if named and named not in Audience.values:
        raise Http404
    own = audience_of(request.user)
    audience = Audience(named) if named else own
    # The pages of others' work are not open to everybody.
    context = {
        "audience": audience,
        "stops": TOURS[audience],
        "leads": audience == own,
        "audiences": Audience.choices,
    }
    return render(request, "help/tour.html", context)


@require_POST
def tour_end(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the first page shows the tour no more; it stays in the menu."""
    services.tour_end(audience_of(request.user), by=request.user)
    request.session.pop(TOURS_KNOWN, None)
    return redirect("core:home")
