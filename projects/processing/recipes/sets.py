"""A recipe over the tables of a project: how a version holds it, and whether the declared links survive it (ADR 10)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from projects.core.models import Project
from projects.datasets.models import Table
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import links_of
from projects.identification.selectors import person_key_of
from techniques.core.attributes import Scene
from techniques.core.canonical import canonical_hash, set_hash
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet, in_table

from ..models import RecipeVersion
from ..runs.shares import shares_check
from .checks import recipe_check
from .scenes.recipes import departures
from .selectors import Source


def written(title: str, tables: Mapping[str, Any], references: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A set as people and programs read and write it, by the names of its tables: the only one has none."""
    several = {"recipe": 1, "title": title, "tables": dict(tables), "references": list(references)}
    return dict(tables.get("", several))


def content_of(version: RecipeVersion) -> dict[str, Any]:
    """The content of a version as people and programs read and write it."""
    return written(title_of(version), version.tables, version.references)


def title_of(version: RecipeVersion) -> str:
    """What people called the recipe: what that of the first table is called."""
    return str(version.content["tables"][0]["recipe"].get("title", ""))


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
    table: Table, content: Mapping[str, Any], sources: Sequence[Source], scene: Scene | None = None
) -> tuple[dict[str, Any], str]:
    """``content`` as what a version keeps, and its hash; ``sources`` are all tables of the project as they are now.

    A whole set is checked across its tables too. The recipe of one ``table``, which began from ``scene``, takes the place
    of that table's, and whether the links survive is asked when the version is run.
    """
    references = references_of(table.project)
    is_whole = "tables" in content
    parts = _whole(content, sources, references) if is_whole else _part(table, content, sources)
    stay = [] if is_whole else [one for one in sources if one.scene]
    scenes = {**{one.table: Scene(one.scene) for one in stay}, table: scene}
    for one, recipe in parts.items():
        with in_table(label_of(one)):
            recipe_check(recipe, one)
    shares_check(parts.values())
    kept = {
        "recipe": 1,
        "tables": [_entry(one, recipe, scenes.get(one)) for one, recipe in parts.items()],
        "references": references,
    }
    hashes = {label_of(one): recipe.content_hash() for one, recipe in parts.items()}
    # A table whose recipe is still to be written is one of the set all the same.
    tables = [hashes.get(label_of(one.table), "") for one in sources]
    return kept, set_hash(tables, references, canonical_hash([sorted(hashes.items()), references]))


def table_checked(table: Table, content: Mapping[str, Any]) -> Recipe:
    """The recipe ``content`` of one table as a version would keep it; EngineError where none would."""
    with in_table(label_of(table)):
        recipe = Recipe.from_data(_of_persons(_ordered(content), table))
        recipe_check(recipe, table)
    return recipe


def _entry(table: Table, recipe: Recipe, scene: Scene | None) -> dict[str, Any]:
    """What a version keeps of a table."""
    content = recipe.model_dump(mode="json")
    began = {"scene": scene.value, "departures": departures(table, scene, content)} if scene else {}
    return {"name": label_of(table), "recipe": content, **began}


def _whole(
    content: Mapping[str, Any], sources: Sequence[Source], references: Sequence[Mapping[str, Any]]
) -> dict[Table, Recipe]:
    """The recipes of a whole set by table, in the order of the tables."""
    given = content["tables"] if isinstance(content["tables"], dict) else {}
    tables = {label_of(one.table): one.table for one in sources}
    differ = set(given) ^ set(tables)
    if differ:
        text = gettext_noop("The recipe and the files do not have the same tables: %(tables)s.")
        raise EngineError(
            "tables_differ", text, tables=", ".join(sorted(str(name) for name in differ if name))
        )
    _same_references(content.get("references"), references)
    RecipeSet.from_data({**content, "references": list(references)})
    # What is kept is what was written: the engine joins the domains of linked columns anew for each run.
    return {
        table: Recipe.from_data(_ordered(_of_persons(given[name], table))) for name, table in tables.items()
    }


def _ordered(content: Any) -> Any:
    """A recipe that says nothing of the order of the records shuffles them; those kept before this was asked say nothing."""
    return {"order": "shuffled", **content} if isinstance(content, Mapping) else content


def _part(table: Table, content: Mapping[str, Any], sources: Sequence[Source]) -> dict[Table, Recipe]:
    """The recipes that there are with ``content`` as that of one table, in the order of the tables."""
    found = {one.table: one.recipe and {**one.recipe, "subject": None} for one in sources} | {
        table: _ordered(content)
    }
    first = sources[0].table
    if found[first] is None:
        raise EngineError(
            "main_table_first",
            gettext_noop("Write the recipe of table “%(table)s” first."),
            table=first.name,
        )
    return {
        one: Recipe.from_data(_of_persons(recipe, one)) for one, recipe in found.items() if recipe is not None
    }


def _of_persons(content: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """The recipe of one table with whose rows they are as identification has decided; it may repeat that, never change it."""
    key, said = person_key_of(table), content.get("subject")
    if said is not None and (
        key is None or [*key] != ([*said] if isinstance(said, list | tuple) else [said])
    ):
        text = gettext_noop("%(path)s: whose rows they are is decided in identification.")
        raise EngineError("subject_decided", text, path="subject")
    return {**content, **({} if key is None else {"subject": [*key]})}


def _same_references(given: Any, declared: Sequence[Mapping[str, Any]]) -> None:
    """Links are declared with the data; a recipe may repeat them, never change them."""
    if given is None:
        return
    are_links = isinstance(given, list) and all(isinstance(one, dict) for one in given)
    kept = [{**one, "orphans": one.get("orphans", "keep")} for one in given] if are_links else []
    if not are_links or sorted(map(_text, kept)) != sorted(map(_text, declared)):
        raise EngineError(
            "references_declared",
            gettext_noop("%(path)s: the links between tables are those that were declared with the data."),
            path="references",
        )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
