"""Which way leads from the results in a column back to its values; needs no numerical library.

The ways themselves are in ``techniques.engines.reversal``.
"""

from __future__ import annotations

from techniques.catalogue.technique import WayBack
from techniques.recipe.recipe import Recipe


def way_back(recipe: Recipe, column: str) -> WayBack | None:
    """The way back from ``column`` of a result; None where there is none.

    A column that several steps have treated has none: what the last of them made is not the value.
    """
    steps = [step for step in recipe.steps if column in step.columns]
    if len(steps) != 1:
        return None
    way = steps[0].spec.way_back
    if way is WayBack.RECOMPUTATION and getattr(steps[0].parameters, "joinable", "") == "never":
        return None
    if way is WayBack.MAPPING_TABLE and not steps[0].parameters.one_to_one:
        return None
    return way


def needs_result(recipe: Recipe, column: str) -> bool:
    """Whether only what stands in the result itself is got back.

    Sums of homomorphic ciphertexts stand in no result and are what that technique is for.
    """
    return not any(column in step.columns and step.spec.computable for step in recipe.steps)
