"""The settings of a search, from the step of a recipe or from a person, and the columns that it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
from pydantic import ValidationError

from techniques.catalogue.models import KAnonymitySettings
from techniques.catalogue.technique import Scope
from techniques.core.messages import EngineError, _
from techniques.core.validation import first_problem
from techniques.hierarchies.definitions import Free, ModelHierarchy
from techniques.recipe.recipe import Recipe, Step
from techniques.tables.dictionary import EncodedColumn, encode_columns

_LOCAL_LOSS = "geometric"
"""The only loss that says nothing about a local recoding."""


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


def search_settings(
    quasi: Iterable[str],
    *,
    k: int,
    suppression_limit: float = 0.0,
    hierarchies: Mapping[str, ModelHierarchy] | None = None,
    **more: Any,
) -> KAnonymitySettings:
    """The settings of a step for the columns ``quasi``, from a person's bounds without a recipe.

    Without ``hierarchies`` a local recoding takes any intervals and sets, a full-domain search intervals of doubling
    width for numbers and ``*`` for other values. EngineError ``objective_invalid``, and what a recipe would refuse.
    """
    known = dict.fromkeys(quasi, Free(kind="free")) if hierarchies is None else dict(hierarchies)
    values = {"k": k, "suppression_limit": suppression_limit, "hierarchies": known, **more}
    return _validated(KAnonymitySettings, values)


def changed(settings: KAnonymitySettings, **changes: Any) -> KAnonymitySettings:
    """The settings with these values instead; raises what :func:`search_settings` raises."""
    return _validated(type(settings), {**dict(settings), **changes})


def _validated(kind: type[KAnonymitySettings], values: Mapping[str, Any]) -> KAnonymitySettings:
    loss = values.get("loss", _LOCAL_LOSS)
    if values.get("recoding") == "local" and loss != _LOCAL_LOSS:
        text = _(
            "Local recoding always loses the least share of values per cell: %(loss)s can be minimised only where "
            "each column is generalised as a whole."
        )
        raise EngineError("objective_invalid", text, loss=loss)
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        place = str(error.errors()[0]["loc"][0]) if error.errors()[0]["loc"] else ""
        if place in ("loss", "weights"):
            raise EngineError(
                "objective_invalid", _("This loss is not known, or a weight is not above 0.")
            ) from None
        raise first_problem(error, "") from None


def columns_of(
    batches: Iterable[pa.RecordBatch], quasi: Iterable[str], sensitive: Iterable[str]
) -> tuple[dict[str, EncodedColumn], dict[str, EncodedColumn]]:
    """The quasi-identifiers and the sensitive columns in codes, in one pass over the table."""
    names, read = list(quasi), list(sensitive)
    table: Mapping[str, EncodedColumn] = encode_columns(batches, [*names, *read])
    return {name: table[name] for name in names}, {name: table[name] for name in read}
