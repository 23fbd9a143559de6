"""What the recipe and the targets promise about the sensitive attributes of the result (B.1.2, B.1.3); plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from techniques.catalogue.models import Conditions, KAnonymitySettings
from techniques.core.attributes import AttributeRole
from techniques.core.messages import gettext_noop

from ..reports.stored import text
from .check import OF_TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..reports.stored import Text
    from .case import Case


@dataclass(frozen=True)
class Condition:
    """One condition that every class of the result has to hold for ``column``.

    ``measure`` is its kind as a model's settings call it; ``bound`` is l, t, or the c of the recursive condition, whose l
    is ``place``; ``hierarchy`` is that of the distance by hierarchy, ``levels`` are those of the values whose share is bound.
    """

    column: str
    measure: str
    bound: float
    place: int = 0
    hierarchy: Any = None
    levels: Any = None


def conditions_of(case: Case) -> list[tuple[Condition, list[Text]]]:
    """Every condition once, with who asked for it: the steps of the recipe, the targets, or both."""
    found: list[tuple[Condition, list[Text]]] = []
    for number, step in enumerate(case.recipe.steps, start=1):
        if not isinstance(step.parameters, KAnonymitySettings):
            continue
        message = gettext_noop("Promised by step %(number)d of the recipe: %(technique)s.")
        who = text(message, number=number, technique=step.spec.name)
        for column, conditions in step.parameters.sensitive.items():
            for condition in _of_step(column, conditions):
                _add(found, condition, who)
    who = text(OF_TARGETS)
    for condition in _of_targets(case):
        _add(found, condition, who)
    return found


def not_in_model(case: Case, model: KAnonymitySettings | None) -> list[str]:
    """Columns about which something is promised that a search with the settings ``model`` would not keep."""
    kept = [
        condition
        for column, conditions in (model.sensitive if model else {}).items()
        for condition in _of_step(column, conditions)
    ]
    return sorted({condition.column for condition, _who in conditions_of(case) if condition not in kept})


def _add(found: list[tuple[Condition, list[Text]]], condition: Condition, who: Text) -> None:
    # A hierarchy has no hash, so the conditions are compared one by one; they are few.
    for known, said in found:
        if known == condition:
            said.append(who)
            return
    found.append((condition, [who]))


def _of_step(column: str, settings: Conditions) -> Iterator[Condition]:
    for kind, limit, factor in settings.bounds:
        if kind == "recursive":
            yield Condition(column, kind, factor, int(limit))
        elif kind == "share" and settings.levels:
            yield Condition(column, "level_share", limit, levels=settings.levels)
        else:
            yield Condition(
                column, kind, limit, hierarchy=settings.hierarchy if kind == "hierarchical" else None
            )


def _of_targets(case: Case) -> Iterator[Condition]:
    if not case.risk.conditions:
        return
    settings = Conditions.model_validate(case.risk.conditions)
    for column in case.result.columns():
        if case.roles.get(column) == AttributeRole.SENSITIVE_ATTRIBUTE:
            yield from _of_step(column, settings)
