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
from .holders import RecipientLine
from .selectors import Portfolio, portfolio_of

# A picture of more bars than these tells nothing; the table has them all.
BARS = 15
# How the address says which portion of each list is shown.
PAGES = ("page", "due_page", "recipients_page")
ON_A_PAGE, DUE_ON_A_PAGE, RECIPIENTS_ON_A_PAGE = 50, 20, 20
# So many releases of one recipient are named; the register has them all.
NAMED = 20


def _found(
    request: HttpRequest, *, most_risks: int = 0, named: int | None = None
) -> tuple[PortfolioForm, Portfolio]:
    """The portfolio that the address asks for; what is no choice narrows nothing."""
    form = PortfolioForm(request.GET)
    form.is_valid()
    return form, portfolio_of(request.user, **form.cleaned_data, most_risks=most_risks, named=named)


def _recipient(line: RecipientLine) -> dict[str, Any]:
    more = line.count - len(line.projects)
    query = urlencode({"q": line.organisation}) if line.organisation else ""
    return {
        "line": line,
        "name": presentation.recipient_name(line),
        "projects": line.projects,
        "more": presentation.more_releases(more) if more > 0 else "",
        "more_url": reverse("board:register") + (f"?{query}" if query else ""),
    }


@require_safe
def portfolio(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the projects that they may see, by stage, age, deadline and measured risk."""
    form, found = _found(request, most_risks=BARS + 1, named=NAMED)
    pages: list[Any] = [
        Paginator(lines, most).get_page(request.GET.get(parameter))
        for lines, most, parameter in (
            (found.lines, ON_A_PAGE, PAGES[0]),
            (found.due, DUE_ON_A_PAGE, PAGES[1]),
            (found.recipients, RECIPIENTS_ON_A_PAGE, PAGES[2]),
        )
    ]
    page, due, recipients = pages
    query = urlencode({name: value for name, value in request.GET.items() if value and name not in PAGES})
    context: dict[str, Any] = {
        "form": form,
        "found": found,
        "page": page,
        "rows": [presentation.line_row(line) | {"line": line} for line in page],
        "headings": presentation.headings(),
        "stages": [(str(stage.label), count) for stage, count in found.by_stage.items()],
        "risks": found.risks[:BARS],
        "risks_cut": len(found.risks) > BARS,
        "recipients_page": recipients,
        "recipients": [_recipient(line) for line in recipients],
        "shares": [(presentation.recipient_name(line), line.count) for line in found.holders[:BARS]],
        "shares_cut": len(found.holders) > BARS,
        "due_page": due,
        "due": [{"line": line, "text": presentation.due_text_of(line)} for line in due],
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
