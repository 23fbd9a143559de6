"""From the step of a recipe to the search that it asks for, and the columns that the search reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa

from techniques.anonymize.release import Request
from techniques.catalogue.models import KAnonymitySettings
from techniques.catalogue.technique import Scope
from techniques.recipe.recipe import Recipe, Step
from techniques.tables.dictionary import EncodedColumn, encode_columns


def model_step(recipe: Recipe) -> Step | None:
    """The last step that holds a model of equivalence classes, or None."""
    return next(
        (step for step in reversed(recipe.steps) if isinstance(step.parameters, KAnonymitySettings)), None
    )


def treated_before(recipe: Recipe) -> set[str]:
    """Columns that the model reads and another step treats as well: their source is not what the model sees."""
    step = model_step(recipe)
    if step is None:
        return set()
    read = {*step.columns, *step.read_columns}
    others = (one for one in recipe.steps if one is not step and one.spec.scope is not Scope.STRUCTURE)
    return {column for one in others for column in one.columns if column in read}


def request_of(settings: KAnonymitySettings) -> Request:
    """The search that a step with these settings asks for."""
    return Request(
        k=settings.k,
        sensitive=settings.sensitive,
        suppression_limit=settings.suppression_limit,
        hierarchies=settings.hierarchies,
        local=settings.recoding == "local",
        average_risk=settings.average_risk,
        maximum_risk=settings.maximum_risk,
        weights=settings.weights,
        loss=settings.loss,
        unfit=settings.unfit,
        effort=settings.effort,
        options={"minimum_levels": settings.minimum_levels, "maximum_levels": settings.maximum_levels},
    )


def columns_of(
    batches: Iterable[pa.RecordBatch], quasi: Iterable[str], sensitive: Iterable[str]
) -> tuple[dict[str, EncodedColumn], dict[str, EncodedColumn]]:
    """The quasi-identifiers and the sensitive columns in codes, in one pass over the table."""
    names, read = list(quasi), list(sensitive)
    table: Mapping[str, EncodedColumn] = encode_columns(batches, [*names, *read])
    return {name: table[name] for name in names}, {name: table[name] for name in read}
