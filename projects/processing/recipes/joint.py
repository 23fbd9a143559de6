"""A recipe over several tables: how a version holds it, and whether the declared links survive it (ADR 8)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from projects.core.models import Project
from projects.datasets.models import Table
from projects.datasets.tables.selectors import links_of, named_tables, tables_of
from projects.identification.selectors import canonical_hash
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet

from ..models import RecipeVersion
from ..wording import engine_text
from .checks import recipe_check


def is_set(content: Mapping[str, Any]) -> bool:
    """Whether the content of a recipe is one over several tables."""
    return "tables" in content


def parts_of(version: RecipeVersion | None) -> dict[str, dict[str, Any]]:
    """Table → its recipe, the main table's first; empty for the recipe of a single table."""
    if version is None or not version.joint:
        return {}
    return {version.joint["main"]: version.content, **version.joint["tables"]}


def part_of(version: RecipeVersion | None, table: Table) -> dict[str, Any] | None:
    """The recipe of one table, None where that was not written yet."""
    if version is None:
        return None
    if table.is_first:
        return dict(version.content)
    found: dict[str, Any] | None = version.joint.get("tables", {}).get(table.name)
    return found


def joint_overview(project: Project, version: RecipeVersion | None) -> dict[str, Any]:
    """What a page says of the recipe beside the main table's: the other parts, what is missing, what would break."""
    if version is None or not named_tables(project):
        return {}
    broken = broken_link(project, version)
    return {
        "parts": list(parts_of(version).items()),
        "without_recipe": tables_without_recipe(project, version),
        "broken_link": engine_text(broken) if broken is not None else "",
    }


def whole_of(version: RecipeVersion) -> dict[str, Any]:
    """The recipe of a version as it is saved: of a single table, or all parts together."""
    parts = parts_of(version)
    return {"recipe": 1, "tables": parts} if parts else dict(version.content)


def set_data(version: RecipeVersion) -> dict[str, Any]:
    """A version as the engine's recipe set, for reading by people and by the engine."""
    return {
        "recipe": 1,
        "title": version.content.get("title", ""),
        "tables": parts_of(version),
        "references": version.joint["references"],
    }


def recipe_set(version: RecipeVersion) -> RecipeSet:
    """The engine's view of a version over several tables; EngineError where the links would not survive it."""
    return RecipeSet.from_data(set_data(version))


def recipe_of(version: RecipeVersion, table: str) -> Recipe:
    """The recipe of one table as a run carries it out: linked columns under one domain. "" is a single table."""
    return recipe_set(version).tables[table] if version.joint else Recipe.from_data(version.content)


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


def joint_checked(
    project: Project, content: Mapping[str, Any], table: Table | None, current: RecipeVersion | None
) -> tuple[dict[str, Any], dict[str, Any], str]:
    """``content`` as what a version keeps: the main table's recipe, ``joint``, and the content hash.

    A whole set is checked across its tables too. The recipe of one table takes the place of that table's in
    the current version, and whether the links survive is asked when the version is run.
    """
    tables = tables_of(project)
    names = [one.name for one in tables]
    if is_set(content):
        given = content["tables"] if isinstance(content["tables"], dict) else {}
        if set(given) != set(names):
            raise EngineError(
                "tables_differ",
                gettext_noop("The recipe and the files do not have the same tables: %(tables)s."),
                tables=", ".join(sorted(map(str, set(given) ^ set(names)))),
            )
        references = references_of(project)
        _same_references(content.get("references"), references)
        whole = RecipeSet.from_data({**content, "references": references})
        # What is kept is what was written: the engine joins the domains of linked columns anew for each run.
        parts = {name: Recipe.from_data(given[name]) for name in names}
        assert set(whole.tables) == set(parts)
    else:
        of = table if table is not None else tables[0]
        parts = {name: Recipe.from_data(one) for name, one in parts_of(current).items() if name in names}
        parts[of.name] = Recipe.from_data(content)
        if names[0] not in parts:
            raise EngineError(
                "main_table_first",
                gettext_noop("Write the recipe of table “%(table)s” first."),
                table=names[0],
            )
    for one in tables:
        if one.name in parts:
            _named(project, parts[one.name], one)
    kept = {name: recipe.model_dump(mode="json") for name, recipe in parts.items()}
    joint = {
        "main": names[0],
        "tables": {name: one for name, one in kept.items() if name != names[0]},
        "references": references_of(project),
    }
    hashes = [[name, parts[name].content_hash()] for name in sorted(parts)]
    return kept[names[0]], joint, canonical_hash([hashes, joint["references"]])


def _named(project: Project, recipe: Recipe, table: Table) -> None:
    """Check one table's recipe against its columns and verdicts; the error says which table is meant."""
    try:
        recipe_check(recipe, table)
    except EngineError as error:
        inner = str(error.params.get("path", ""))
        path = f"tables.{table.name}.{inner}".rstrip(".")
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
    if not version.joint or tables_without_recipe(project, version):
        return None
    try:
        recipe_set(version)
    except EngineError as error:
        return error
    return None
