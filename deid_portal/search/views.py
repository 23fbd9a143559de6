"""The page of the search."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from .forms import SearchForm
from .presentation import search
from .selectors import MOST


@require_http_methods(["GET", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the form (GET), and what they may see of what they search for (POST).

    It reads and is a POST all the same: who searches may write a person's name or a value of theirs, and an address stays in the
    browser's history, in the logs of proxies and in what is sent on as the referring page. Nothing of it is logged, recorded or kept.
    """
    form = SearchForm(request.POST if request.method == "POST" else None)
    searched = form.is_bound and form.is_valid()
    groups = search(request.user, form.cleaned_data["query"]) if searched else []
    context = {"form": form, "searched": searched, "groups": groups, "most": MOST}
    return render(request, "search/page.html", context, status=422 if form.errors else 200)
