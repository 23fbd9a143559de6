"""Reading recipes. Callers have found the project among those that the reader may see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from approvals.request_cache import cached_read, one_reading
from projects.core.models import Project
from projects.datasets.models import Dataset, Table
from projects.datasets.tables.selectors import datasets_now

from ..models import RecipeVersion


@dataclass(frozen=True)
class Source:
    """A table as a run takes it: what the recipe calls it, its data and its recipe, None where there is none yet, and
    the scene of use that the recipe began from, "" for none."""

    table: Table
    name: str
    dataset: Dataset | None
    recipe: dict[str, Any] | None
    scene: str


def recipes_of(project: Project) -> QuerySet[RecipeVersion]:
    return RecipeVersion.objects.filter(project=project).select_related("created_by", "project")


@cached_read
def current_recipe(project: Project) -> RecipeVersion | None:
    return project.recipes.select_related("created_by").first()


@one_reading
def current_sources(project: Project) -> tuple[RecipeVersion | None, list[Source]]:
    """The newest version of the recipe, and every table with its part of it and its data as they are now."""
    version = current_recipe(project)
    return version, [
        Source(
            table,
            version.name_of(table) if version else "",
            dataset,
            version.part_of(table) if version else None,
            version.scene_of(table) if version else "",
        )
        for table, dataset in datasets_now(project)
    ]


def without_recipe(sources: Iterable[Source]) -> list[str]:
    """Names of the tables that the recipe says nothing about yet."""
    return [one.table.name for one in sources if one.recipe is None]


def recipe_get(project: Project, number: int) -> RecipeVersion:
    return recipes_of(project).get(number=number)


def recipe_before(version: RecipeVersion) -> RecipeVersion | None:
    return RecipeVersion.objects.filter(project_id=version.project_id, number__lt=version.number).first()
