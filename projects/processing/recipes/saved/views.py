"""The page of saved recipes: what can be taken as a draft, and where the current recipe gets a name."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now, table_of, table_query
from projects.datasets.tables.views import table_context, to_table
from techniques.core.messages import EngineError

from ... import rules, wording
from ...editor.desk import Desk
from ...editor.drafts import draft_of
from ..selectors import current_recipe
from . import services

PAGE_ROWS = 25


class SaveForm(forms.Form):
    """The name, and for whom."""

    name = forms.CharField(label=gettext_lazy("Name of the saved recipe"), max_length=120)
    of_organisation = forms.BooleanField(
        label=gettext_lazy("For everyone who writes recipes here, not just for me"), required=False
    )


@require_http_methods(["GET", "POST"])
@project_view
def saved(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed."""
    rules.may_edit_recipe(request.user, project).require()
    table = table_of(project, request.GET.get("table"))
    form = SaveForm(request.POST if request.POST.get("do") == "save" else None)
    if request.method == "POST":
        action, _colon, argument = request.POST.get("do", "").partition(":")
        try:
            if action == "take":
                return _take(request, table, argument)
            if action == "withdraw":
                services.SAVED_RECIPES.withdraw(services.saved_get(argument, request.user), by=request.user)
                messages.success(request, _("The saved recipe was withdrawn."))
                return to_table("processing:saved", table)
        except EngineError as error:
            messages.error(request, wording.engine_text(error))
            return to_table("processing:saved", table)
        if action == "save" and form.is_valid():
            services.saved_create(table, **form.cleaned_data, by=request.user)
            messages.success(request, _("The recipe was saved under its name."))
            return to_table("processing:saved", table)
    current = current_recipe(project)
    page = Paginator(services.SAVED_RECIPES.available(request.user), PAGE_ROWS).get_page(
        request.GET.get("page")
    )
    context = table_context(table, "processing:saved") | {
        "project": project,
        "form": form,
        "current": current,
        "may_save": services.may_save(request.user, table),
        "recipes": [
            {"saved": one, "steps": len(one.content["steps"]), "is_own": one.saved_by_id == request.user.pk}
            for one in page
        ],
        "page": page,
    }
    return render(request, "processing/saved.html", context, status=422 if form.errors else 200)


def _take(request: HttpRequest, table: Table, saved_id: str) -> HttpResponse:
    """The saved recipe becomes the entries of the editor; what did not fit is said there."""
    chosen, dataset = services.saved_get(saved_id, request.user), dataset_now(table)
    if dataset is None or not dataset.is_ready:
        messages.error(request, _("There is no checked data set to write a recipe for."))
        return to_table("processing:page", table)
    found = services.saved_fit(chosen, table, by=request.user)
    current = current_recipe(table.project)
    draft = draft_of(
        found.content,
        dataset_columns(dataset),
        dataset=str(dataset.pk),
        basis=current.number if current else 0,
    )
    desk = Desk(request.user, dataset)
    desk.keep(draft, desk.current)
    messages.success(request, _("The entries are now those of “%(name)s”.") % {"name": chosen.name})
    for text in found.left:
        messages.warning(request, text)
    address = reverse("processing:recipe", kwargs={"project_id": table.project_id})
    return redirect(address + table_query(table))
