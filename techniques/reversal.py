"""Getting values back: only techniques that say so, only with the secrets of the run (GB/T 37964 A.2, A.4.1).

Who may do it, why, and with whose consent is the portal's to decide and to record.
"""

from __future__ import annotations

from typing import Protocol, cast, runtime_checkable

from techniques import catalogue
from techniques.messages import EngineError, gettext_noop
from techniques.operations import Context, Outcome, StringArray
from techniques.recipe import Recipe
from techniques.secrets import Secrets


@runtime_checkable
class Reversible(Protocol):
    """An operation that knows the way back."""

    def reverse(self, values: StringArray) -> Outcome:
        """What n results stand for; ``unfit`` where they are no results of this operation."""


def reversible_step(recipe: Recipe, column: str) -> int:
    """Number of the step whose results stand in ``column``; EngineError ``not_reversible``."""
    steps = [number for number, step in enumerate(recipe.steps) if column in step.columns]
    if len(steps) != 1 or not recipe.steps[steps[0]].spec.reversible:
        raise EngineError(
            "not_reversible",
            gettext_noop("Column %(column)s cannot be got back: it needs one single, reversible step."),
            column=column,
        )
    return steps[0]


def reverse(recipe: Recipe, column: str, values: StringArray, secrets: Secrets, rows: int) -> Outcome:
    """The values behind n distinct results in ``column``; ``rows`` is the number of rows of that run."""
    number = reversible_step(recipe, column)
    step = recipe.steps[number]
    context = Context(number, (column,), rows, secrets)
    made = catalogue.implementation(step.technique)(step.parameters, context)
    return cast(Reversible, made).reverse(values)
