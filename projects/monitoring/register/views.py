"""The page of the register of releases."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from .forms import RegisterForm
from .presentation import line_row
from .selectors import lines_of, releases_seen

ON_A_PAGE = 20


@require_safe
def register(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the releases of the projects that they may see."""
    form = RegisterForm(request.GET)
    form.is_valid()
    page = Paginator(releases_seen(request.user, **form.cleaned_data), ON_A_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "form": form,
        "page": page,
        "rows": [line_row(line) for line in lines_of(request.user, list(page))],
        "filtered": any(request.GET.get(name) for name in ("q", "over")),
    }
    return render(request, "monitoring/register.html", context)
