"""Reading recipes. Callers have found the project among those that the reader may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from approvals.request_cache import cached_read
from projects.core.models import Project

from ..models import RecipeVersion

if TYPE_CHECKING:
    pass


def recipes_of(project: Project) -> QuerySet[RecipeVersion]:
    return RecipeVersion.objects.filter(project=project).select_related("created_by", "project")


@cached_read
def current_recipe(project: Project) -> RecipeVersion | None:
    return project.recipes.select_related("created_by").first()


def recipe_get(project: Project, number: int) -> RecipeVersion:
    return recipes_of(project).get(number=number)


def recipe_before(version: RecipeVersion) -> RecipeVersion | None:
    return RecipeVersion.objects.filter(project_id=version.project_id, number__lt=version.number).first()
