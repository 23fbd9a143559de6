"""A recipe over the tables of a project: how a version holds it, and whether the declared links survive it (ADR 10)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from projects.core.models import Project
from projects.datasets.models import Table
from projects.datasets.tables.selectors import label_of, links_of, named_tables, tables_of
from projects.identification.selectors import set_hash
from techniques.core.canonical import canonical_hash
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet

from ..models import RecipeVersion
from .checks import recipe_check


def is_set(content: Mapping[str, Any]) -> bool:
    """Whether the content of a recipe is one over several tables."""
    return "tables" in content


def part_of(version: RecipeVersion | None, table: Table) -> dict[str, Any] | None:
    """The recipe of one table, None where that was not written yet. The first table keeps its own under any name."""
    if version is None:
        return None
    if table.is_first:
        return version.first
    # A table may have got the name that the first one had when the version was written.
    return version.tables.get(table.name) if table.name != version.first_name else None


def content_of(version: RecipeVersion) -> dict[str, Any]:
    """The content as people and programs read and write it: the whole set, of a table without a name its recipe."""
    if not version.first_name:
        return version.first
    return {
        "recipe": 1,
        "title": version.first.get("title", ""),
        "tables": version.tables,
        "references": version.references,
    }


def recipe_set(version: RecipeVersion) -> RecipeSet:
    """The engine's view of a version; EngineError where the links would not survive it."""
    return RecipeSet.from_data({"recipe": 1, "tables": version.tables, "references": version.references})


def recipe_of(version: RecipeVersion, table: str) -> Recipe:
    """The recipe of one table as a run carries it out: linked columns under one domain."""
    return recipe_set(version).tables[table]


def references_of(project: Project) -> list[dict[str, Any]]:
    """The declared links as the engine takes them."""
    return [
        {
            "from": [link.source.name, link.source_column],
            "to": [link.target.name, link.target_column],
            "orphans": "keep",
        }
        for link in links_of(project)
    ]


def set_checked(
    project: Project, content: Mapping[str, Any], table: Table | None, current: RecipeVersion | None
) -> tuple[dict[str, Any], str]:
    """``content`` as what a version keeps, and its hash.

    A whole set is checked across its tables too. The recipe of one table, by default the first, replaces that table's
    in the current version; the links are checked when the version is run.
    """
    references = references_of(project)
    parts = (
        _whole(project, content, references) if is_set(content) else _part(project, content, table, current)
    )
    for one, recipe in parts.items():
        _named(recipe, one)
    named = [(label_of(one), recipe) for one, recipe in parts.items()]
    kept = {
        "recipe": 1,
        "tables": [{"name": name, "recipe": recipe.model_dump(mode="json")} for name, recipe in named],
        "references": references,
    }
    hashes = sorted((name, recipe.content_hash()) for name, recipe in named)
    content_hash = canonical_hash([hashes, references])
    # The first recipe of several that are still to be written is not a set of one: its links count too.
    return kept, content_hash if named_tables(project) else set_hash(hashes, [])


def _whole(
    project: Project, content: Mapping[str, Any], references: Sequence[Mapping[str, Any]]
) -> dict[Table, Recipe]:
    """The recipes of a whole set by table, in the order of the tables."""
    given = content["tables"] if isinstance(content["tables"], dict) else {}
    tables = named_tables(project)
    if set(given) != {table.name for table in tables}:
        raise EngineError(
            "tables_differ",
            gettext_noop("The recipe and the files do not have the same tables: %(tables)s."),
            tables=", ".join(sorted(map(str, set(given) ^ {table.name for table in tables}))),
        )
    _same_references(content.get("references"), references)
    RecipeSet.from_data({**content, "references": list(references)})
    # What is kept is what was written: the engine joins the domains of linked columns anew for each run.
    return {table: Recipe.from_data(given[table.name]) for table in tables}


def _part(
    project: Project, content: Mapping[str, Any], table: Table | None, current: RecipeVersion | None
) -> dict[Table, Recipe]:
    """The recipes that there are with ``content`` as that of one table, in the order of the tables."""
    tables = tables_of(project)
    written = {one: part_of(current, one) for one in tables} | {table or tables[0]: dict(content)}
    if written[tables[0]] is None:
        raise EngineError(
            "main_table_first",
            gettext_noop("Write the recipe of table “%(table)s” first."),
            table=tables[0].name,
        )
    return {one: Recipe.from_data(found) for one, found in written.items() if found is not None}


def _named(recipe: Recipe, table: Table) -> None:
    """Check one table's recipe against its columns and verdicts; the error says which table is meant."""
    try:
        recipe_check(recipe, table)
    except EngineError as error:
        label = label_of(table)
        if not label:
            raise
        inner = str(error.params.get("path", ""))
        path = f"tables.{label}.{inner}".rstrip(".")
        raise EngineError(error.code, error.message, **(error.params | {"path": path})) from None


def _same_references(given: Any, declared: Sequence[Mapping[str, Any]]) -> None:
    """Links are declared with the data; a recipe may repeat them, never change them."""
    if given is None:
        return
    kept = [{**one, "orphans": one.get("orphans", "keep")} for one in given if isinstance(one, dict)]
    if sorted(map(_text, kept)) != sorted(map(_text, declared)):
        raise EngineError(
            "references_declared",
            gettext_noop("%(path)s: the links between tables are those that were declared with the data."),
            path="references",
        )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def tables_without_recipe(project: Project, version: RecipeVersion) -> list[str]:
    """Names of the tables that the version says nothing about yet."""
    return [table.name for table in tables_of(project) if part_of(version, table) is None]


def broken_link(project: Project, version: RecipeVersion) -> EngineError | None:
    """Why the version would break a declared link; None where it breaks none or is not complete yet."""
    if not version.references or tables_without_recipe(project, version):
        return None
    try:
        recipe_set(version)
    except EngineError as error:
        return error
    return None
