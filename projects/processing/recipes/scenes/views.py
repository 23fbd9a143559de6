"""The page of the scenes of use: for each, what its preset would do with every column."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from projects.core.models import Project
from projects.core.pages import project_view
from projects.datasets.tables.selectors import dataset_now, table_of
from projects.datasets.tables.views import table_context
from techniques.core.attributes import Scene
from techniques.recipe.scenes import SCENES

from ... import rules
from ..selectors import current_recipe
from .recipes import scene_lines


@require_GET
@project_view
def scenes(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project reads; the project's executor takes one as a draft while the data is processed."""
    table = table_of(project, request.GET.get("table"))
    wanted = request.GET.get("scene", "")
    shown = Scene(wanted) if wanted in set(Scene) else Scene.STATISTICS
    text = SCENES[shown]
    address = reverse("processing:scenes", args=[project.pk])
    about = table_context(table, "processing:scenes")
    also = about["table_query"].replace("?", "&")
    context = about | {
        "project": project,
        "tabs": [
            {"label": _(one.name), "url": f"{address}?scene={code.value}{also}", "current": code is shown}
            for code, one in SCENES.items()
        ],
        "scene": shown.value,
        "name": _(text.name),
        "clause": f"T/ISC 0078 {text.clause}",
        "aim": _(text.aim),
        "way": _(text.way),
        "limit": _(text.limit) if text.limit else "",
        "lines": scene_lines(table, shown),
        "dataset": dataset_now(table),
        "recipe": current_recipe(project),
        "may_edit": rules.may_edit_recipe(request.user, project),
    }
    return render(request, "processing/scenes.html", context)
