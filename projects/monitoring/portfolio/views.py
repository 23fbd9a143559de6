"""The page of the portfolio and its file."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from . import presentation
from .forms import PortfolioForm
from .selectors import Portfolio, portfolio_of

# A picture of more bars than these tells nothing; the table has them all.
RISK_BARS = 15


def _found(request: HttpRequest) -> tuple[PortfolioForm, Portfolio]:
    """The portfolio that the address asks for; what is no choice narrows nothing."""
    form = PortfolioForm(request.GET)
    form.is_valid()
    return form, portfolio_of(request.user, **form.cleaned_data)


@require_safe
def portfolio(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the projects that they may see, by stage, age, deadline and measured risk."""
    form, found = _found(request)
    page = Paginator(found.lines, 50).get_page(request.GET.get("page"))
    measured = [
        (line.project.number, line.risk.share)
        for line in found.lines
        if line.risk and line.risk.share is not None
    ]
    query = urlencode({name: value for name, value in request.GET.items() if value and name != "page"})
    context: dict[str, Any] = {
        "form": form,
        "found": found,
        "page": page,
        "rows": [presentation.line_row(line) | {"line": line} for line in page],
        "headings": presentation.headings(),
        "stages": [(str(stage.label), count) for stage, count in found.by_stage.items()],
        "risks": sorted(measured, key=lambda one: -one[1])[:RISK_BARS],
        "risks_cut": len(measured) > RISK_BARS,
        "recipients": [
            {"line": line, "name": presentation.recipient_name(line)} for line in found.recipients
        ],
        "shares": [(presentation.recipient_name(line), len(line.projects)) for line in found.recipients],
        "due": [{"line": line, "text": presentation.due_text_of(line)} for line in found.due],
        "filtered": any(request.GET.get(name) for name in ("q", "stage", "due", "over")),
        "csv_url": reverse("board:portfolio_csv") + (f"?{query}" if query else ""),
    }
    return render(request, "monitoring/portfolio.html", context)


@require_safe
def portfolio_csv(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the same lines as a file for a spreadsheet."""
    _form, found = _found(request)
    name = _("portfolio-%(day)s.csv") % {"day": timezone.localdate().isoformat()}
    answer = HttpResponse(presentation.as_csv(found), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return answer
