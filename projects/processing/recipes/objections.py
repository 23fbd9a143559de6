"""Which runs the policy about cryptography stops, though they ended before it was switched on (GB/T 37964 A.2.1)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from techniques.recipe.policy import Foreign, foreign_steps, secret_steps
from techniques.recipe.recipe import Recipe

from ..models import RecipeVersion, Run
from ..wording import technique_name
from .policy import national_only


def recipe_objections(version: RecipeVersion) -> list[str]:
    """What the policy that holds now has against a recipe, a sentence a step; empty where it may go forward."""
    return [text for _table, _step, text in _foreign(version)] if national_only() else []


def run_objections(run: Run) -> list[str]:
    """The objections of the current policy to the result of ``run``, a sentence a step with its remedy.

    Its recipe may use SM3 and SM4 alone, and where that draws or derives a key the run must have begun under the
    policy: before, draws and keys came from AES-256 and HMAC-SHA-256 whatever the recipe said.
    """
    if not national_only():
        return []
    found = _foreign(run.recipe_version)
    if run.national:
        return [text for _table, _step, text in found]
    named = {(table, step) for table, step, _text in found}
    drawn = [
        (
            table,
            step,
            _(
                "%(place)s (%(technique)s) drew at random or derived its key with AES-256 and "
                "HMAC-SHA-256, because other than national commercial cryptography (SM3, SM4) was "
                "allowed when run %(run)s started. Run the recipe again in processing."
            )
            % {
                "place": _place(table, step),
                "technique": technique_name(recipe.steps[step].technique),
                "run": run.number,
            },
        )
        for table, recipe in _recipes(run.recipe_version)
        for step in secret_steps(recipe)
        if (table, step) not in named
    ]
    return [text for _table, _step, text in (*found, *drawn)]


def _recipes(version: RecipeVersion) -> list[tuple[str, Recipe]]:
    """Table → its recipe."""
    return [(table, Recipe.from_data(content)) for table, content in version.tables.items()]


def _foreign(version: RecipeVersion) -> list[tuple[str, int, str]]:
    """(table, step from 0, sentence) for every step that uses other cryptography."""
    return [
        (table, found.number, _foreign_text(table, found))
        for table, recipe in _recipes(version)
        for found in foreign_steps(recipe)
    ]


def _foreign_text(table: str, found: Foreign) -> str:
    named = "Paillier" if found.setting == "technique" else found.algorithm
    return _(
        "%(place)s (%(technique)s) uses %(algorithm)s, but only national commercial cryptography "
        "(SM3, SM4) is allowed. In processing, choose another algorithm or technique for it, save the"
        " recipe and run it again."
    ) % {
        "place": _place(table, found.number),
        "technique": technique_name(found.technique),
        "algorithm": named,
    }


def _place(table: str, number: int) -> str:
    if table:
        return _("Table %(table)s, step %(number)s") % {"table": table, "number": number + 1}
    return _("Step %(number)s") % {"number": number + 1}
