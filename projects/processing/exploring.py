"""What a recipe's model has to choose from on its data; works in the worker, returns plain figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, BinaryIO, cast

from techniques.messages import EngineError, gettext_noop
from techniques.models.asking import columns_of, model_step, request_of, treated_before
from techniques.models.preflight import frontier
from techniques.models.solution_space import solution_space
from techniques.parameters.models import KAnonymity
from techniques.recipe import Recipe
from techniques.tables import open_table
from techniques.tables.formats import FileFormat

Tick = Callable[[float], None]
_KS = (2, 3, 5, 10, 20, 50)
_LIMITS = (0.0, 0.01, 0.05, 0.1)


def space_of(recipe: Recipe, stream: BinaryIO, table_format: FileFormat, tick: Tick) -> dict[str, Any]:
    """The solutions around the best, as ``SolutionSpace.as_dict``."""
    settings, quasi, sensitive = _read(recipe, stream, table_format)
    tick(0.1)
    return solution_space(quasi, sensitive, settings, tick=lambda share: tick(0.1 + 0.9 * share)).as_dict()


def frontier_of(
    recipe: Recipe, stream: BinaryIO, table_format: FileFormat, tick: Tick
) -> list[dict[str, Any]]:
    """The best solution for other k and limits, without those that another one beats."""
    settings, quasi, sensitive = _read(recipe, stream, table_format)
    tick(0.1)
    ks = sorted({*_KS, settings.k})
    limits = sorted({*_LIMITS, settings.suppression_limit})
    # The average of the recipe would hide what k alone costs.
    request = replace(request_of(settings), average_risk=None)
    points = frontier(quasi, sensitive, request, ks, limits, tick=lambda share: tick(0.1 + 0.9 * share))
    return [point.as_dict() for point in points]


def _read(recipe: Recipe, stream: BinaryIO, table_format: FileFormat) -> tuple[KAnonymity, Any, Any]:
    step = model_step(recipe)
    if step is None:
        raise EngineError(
            "no_model", gettext_noop("The recipe has no step with a model of equivalence classes.")
        )
    before = sorted(treated_before(recipe))
    if before:
        raise EngineError(
            "treated_before",
            gettext_noop(
                "Another step treats %(columns)s as well, so what a search on the source would find is not what the "
                "recipe would do."
            ),
            columns=", ".join(before),
        )
    settings = cast(KAnonymity, step.parameters)
    with open_table(stream, table_format) as reader:
        quasi, sensitive = columns_of(reader.batches(), step.columns, settings.sensitive)
    return settings, quasi, sensitive
