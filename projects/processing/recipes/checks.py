"""Whether a recipe deals with every column as its verdict demands; asked before it is saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now
from projects.identification.enums import ColumnRole
from projects.identification.selectors import verdicts_of
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe

from .pages import preparation_of
from .policy import policy_check

# A reason for leaving a quasi-identifier as it is must say something (4.1 a).
SHORTEST_REASON = 10


def preparation_check(recipes: Iterable[Mapping[str, Any]]) -> None:
    """Raise EngineError ``preparation_not_stated`` where one of ``recipes`` prepares no value and does not say why (5.4.2)."""
    for content in recipes:
        if preparation_of(content)[0] == "not_stated":
            text = gettext_noop(
                "The recipe prepares no value. Add a normalisation or a sample, or say why nothing is prepared (5.4.2)."
            )
            raise EngineError("preparation_not_stated", text)


def recipe_check(recipe: Recipe, table: Table) -> None:
    """Compare the recipe with the data set's columns and the verdicts about them.

    Raises EngineError: ``columns_…`` of the engine, ``algorithm_not_national`` by the organisation's policy, ``direct_identifier_untreated``, ``reason_too_short``.
    """
    dataset = dataset_now(table)
    if dataset is None or not dataset.is_ready:
        text = gettext_noop("There is no checked data set to write a recipe for.")
        raise EngineError("dataset_not_ready", text)
    policy_check(recipe)
    header = dataset_columns(dataset)
    recipe.check_columns(header)
    given = verdicts_of(table)
    result = set(recipe.output_columns(header))
    as_is = {c: s for s in recipe.steps if s.technique == "as_is" for c in s.columns}
    treated = {c for s in recipe.steps if s.spec.treats for c in s.columns}
    for column in header:
        role = given[column].role if column in given else None
        if column not in result or column in treated:
            continue
        if role == ColumnRole.DIRECT or role is None:
            text = gettext_noop(
                "%(column)s is a direct identifier and would go into the result as it is. "
                "Remove it, mask it or replace it by a pseudonym."
            )
            raise EngineError("direct_identifier_untreated", text, column=column)
        if role == ColumnRole.QUASI:
            step = as_is.get(column)
            reason = str(step.parameters.model_dump().get("reason", "")) if step else ""
            if len(reason.strip()) < SHORTEST_REASON:
                text = gettext_noop(
                    "%(column)s is a quasi-identifier and would go into the result as it is. "
                    "Treat it, or leave it as it is with a reason of at least %(length)d characters."
                )
                raise EngineError("reason_too_short", text, column=column, length=SHORTEST_REASON)
