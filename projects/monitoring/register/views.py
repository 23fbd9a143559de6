"""The page of the register of releases."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from projects.releases.relatives.outside.presentation import entry_row
from projects.releases.relatives.outside.rules import may_read_outside, may_record_outside
from projects.releases.relatives.outside.selectors import outside_seen

from .forms import RegisterForm
from .presentation import line_row
from .selectors import lines_of, releases_seen

ON_A_PAGE = 20


@require_safe
def register(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the releases of the projects that they may see; who reads them, those made outside the portal, too."""
    form = RegisterForm(request.GET)
    form.is_valid()
    page = Paginator(releases_seen(request.user, **form.cleaned_data), ON_A_PAGE).get_page(
        request.GET.get("page")
    )
    may_read = may_read_outside(request.user)
    entries = outside_seen(request.user, **form.cleaned_data)
    outside = Paginator(entries, ON_A_PAGE).get_page(request.GET.get("outside_page"))
    context = {
        "form": form,
        "page": page,
        "rows": [
            line_row(line, may_read_outside=bool(may_read)) for line in lines_of(request.user, list(page))
        ],
        "may_read_outside": may_read,
        "may_record": may_record_outside(request.user),
        "outside": outside,
        "outside_rows": [entry_row(one) for one in outside],
        "filtered": any(request.GET.get(name) for name in ("q", "over")),
    }
    return render(request, "monitoring/register.html", context)
