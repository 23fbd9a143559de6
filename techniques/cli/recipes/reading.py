"""The recipe of a command, with the values that its options give to the variables."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from techniques.core.messages import EngineError, _
from techniques.core.validation import invalid
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet
from techniques.recipe.template import Template, given_values


@dataclass(frozen=True)
class Given:
    """What a command was given: the recipe, the values of its variables, and the files that were read for it."""

    recipes: RecipeSet
    variables: dict[str, Any]
    files: list[Path] = field(default_factory=list)


def add_variables(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the value of a variable of the recipe; it stands in the report, so never a secret",
    )


def template_of(path: Path) -> tuple[Template, list[Path]]:
    """The template, and the files that were read for it, to which reading on adds."""
    files = [path]

    def read(name: str) -> bytes:
        files.append(path.parent / name)
        return files[-1].read_bytes()

    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise EngineError("recipe_encoding", _("The recipe must be UTF-8 text.")) from None
    return Template.parse(text, read, path.name), files


def recipe_of(path: Path, given: list[str]) -> Given:
    """The recipe in a file. EngineError names file and line of what stands in another file."""
    template, files = template_of(path)
    recipes, values = template.with_values(given_values(given, template))
    return Given(recipes, values, files)


def recipe_of_one_table(path: Path) -> Recipe:
    """The recipe of a table in a file, its variables as the file has them."""
    recipes = recipe_of(path, []).recipes
    if "" not in recipes.tables:
        raise invalid("tables", _("%(path)s: is not known here"))
    return recipes.tables[""]
