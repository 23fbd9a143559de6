"""Reading recipes. Callers have found the project among those that the reader may see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.datasets.models import Dataset, Table
from projects.datasets.tables.selectors import datasets_now
from techniques.core.messages import EngineError
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet

from ..models import RecipeVersion


@dataclass(frozen=True)
class Source:
    """A table as a run takes it: what the recipe calls it, its data and its recipe, None where there is none yet."""

    table: Table
    name: str
    dataset: Dataset | None
    recipe: dict[str, Any] | None


def recipes_of(project: Project) -> QuerySet[RecipeVersion]:
    return RecipeVersion.objects.filter(project=project).select_related("created_by", "project")


@cached_read
def current_recipe(project: Project) -> RecipeVersion | None:
    return project.recipes.select_related("created_by").first()


def current_sources(project: Project) -> tuple[RecipeVersion | None, list[Source]]:
    """The newest version of the recipe, and every table with its part of it and its data as they are now."""
    version = current_recipe(project)
    return version, [
        Source(
            table,
            name_in(version, table) if version else "",
            dataset,
            part_of(version, table) if version else None,
        )
        for table, dataset in datasets_now(project)
    ]


def name_in(version: RecipeVersion, table: Table) -> str:
    """What the version calls a table: the first one keeps its place under any name."""
    return str(version.content["tables"][0]["name"]) if table.is_first else table.name


def part_of(version: RecipeVersion, table: Table) -> dict[str, Any] | None:
    """The recipe of one table, None where that was not written yet."""
    first, *others = version.content["tables"]
    # A further table may have got the name that the first one had when the version was written.
    of_table = [first] if table.is_first else [one for one in others if one["name"] == table.name]
    return of_table[0]["recipe"] if of_table else None


def recipe_set(version: RecipeVersion) -> RecipeSet:
    """The engine's view of a version; EngineError where the links would not survive it."""
    return RecipeSet.from_data({"recipe": 1, "tables": version.tables, "references": version.references})


def recipe_of(version: RecipeVersion, table: str) -> Recipe:
    """The recipe of one table as a run carries it out: linked columns under one domain."""
    return recipe_set(version).tables[table]


def without_recipe(sources: Iterable[Source]) -> list[str]:
    """Names of the tables that the recipe says nothing about yet."""
    return [one.table.name for one in sources if one.recipe is None]


def broken_link(version: RecipeVersion) -> EngineError | None:
    """Why a version with the recipes of all tables would break a declared link; None where it breaks none."""
    if not version.references:
        return None
    try:
        recipe_set(version)
    except EngineError as error:
        return error
    return None


def recipe_get(project: Project, number: int) -> RecipeVersion:
    return recipes_of(project).get(number=number)


def recipe_before(version: RecipeVersion) -> RecipeVersion | None:
    return RecipeVersion.objects.filter(project_id=version.project_id, number__lt=version.number).first()
