"""What a recipe's model has to choose from on its data; works in the worker, returns plain figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, cast

import numpy as np
import pyarrow as pa

from techniques.anonymization.preflight import frontier, what_if
from techniques.anonymization.release import anonymize
from techniques.anonymization.settings import changed, columns_of, model_step, treated_before
from techniques.anonymization.solution_space import solution_space
from techniques.anonymization.sparing import sparing
from techniques.catalogue.models import KAnonymitySettings
from techniques.core.messages import EngineError, gettext_noop
from techniques.core.subjects import Subjects
from techniques.hierarchies.build import build
from techniques.models.k_anonymity.operation import NOTHING_FOUND
from techniques.models.k_anonymity.problem import Attribute
from techniques.recipe.recipe import Recipe
from techniques.tables import open_table
from techniques.tables.dictionary import EncodedColumn
from techniques.tables.formats import FileFormat
from techniques.tables.subjects import read_subjects

Tick = Callable[[float], None]
_KS = (2, 3, 5, 10, 20, 50)
_LIMITS = (0.0, 0.01, 0.05, 0.1)
_EFFORT = 2_000
"""Checks of one search, as :func:`what_if` has them."""


def space_of(recipe: Recipe, stream: BinaryIO, table_format: FileFormat, tick: Tick) -> dict[str, Any]:
    """The solutions around the best, as ``SolutionSpace.as_dict``; under ``sparing`` whether fewer columns can be emptied."""
    settings, quasi, sensitive, subjects = _read(recipe, stream, table_format)
    tick(0.1)
    space = solution_space(
        quasi, sensitive, settings, tick=lambda share: tick(0.1 + 0.5 * share), subjects=subjects
    ).as_dict()
    bounded = changed(settings, effort=min(settings.effort, _EFFORT))
    spared = sparing(quasi, sensitive, bounded, lambda share: tick(0.6 + 0.4 * share), subjects=subjects)
    return space | {"sparing": spared and spared.as_dict()}


def frontier_of(
    recipe: Recipe, stream: BinaryIO, table_format: FileFormat, tick: Tick
) -> list[dict[str, Any]]:
    """The best solution for other k and limits, without those that another one beats."""
    settings, quasi, sensitive, subjects = _read(recipe, stream, table_format)
    tick(0.1)
    ks = sorted({*_KS, settings.k})
    limits = sorted({*_LIMITS, settings.suppression_limit})
    # The average of the recipe would hide what k alone costs.
    unlimited = changed(settings, average_risk=None)
    points = frontier(
        quasi, sensitive, unlimited, ks, limits, lambda share: tick(0.1 + 0.9 * share), subjects=subjects
    )
    return [point.as_dict() for point in points]


def what_if_of(
    recipe: Recipe, stream: BinaryIO, table_format: FileFormat, tick: Tick
) -> list[dict[str, Any]]:
    """The gain from dropping each quasi-identifier, or from one level more of it, with the recipe's own bounds.

    ``before`` is the detail that the same columns keep now, so without the one that is dropped; ``gained`` what they
    keep more. Both are None where the recipe has no solution as it is.
    """
    settings, quasi, sensitive, subjects = _read(recipe, stream, table_format)
    tick(0.1)
    effort = min(settings.effort, _EFFORT)
    now = _lost_now(quasi, sensitive, changed(settings, effort=effort), subjects)
    tick(0.2)
    found = []
    for one in what_if(quasi, sensitive, settings, subjects=subjects):
        point = one.point.as_dict()
        before = None if now is None else _kept(now, one.column if one.change == "dropped" else "")
        gained = None if before is None else point["granularity"] - before
        found.append(
            {"column": one.column, "change": one.change, "before": before, "gained": gained, **point}
        )
    return sorted(found, key=lambda one: (one["levels"] is None, -(one["gained"] or 0.0)))


def _lost_now(
    quasi: Mapping[str, EncodedColumn],
    sensitive: Mapping[str, EncodedColumn],
    settings: KAnonymitySettings,
    subjects: Subjects | None,
) -> dict[str, tuple[float, float]] | None:
    """Column → share of its detail that the best solution loses, and the most that it could lose."""
    try:
        made = anonymize(quasi, sensitive, settings, subjects=subjects)
    except EngineError as error:
        if error.code not in NOTHING_FOUND:
            raise
        return None
    lost = {}
    for name, column in quasi.items():
        hierarchy = build(settings.hierarchies[name], column.values.cast(pa.string()))
        missing = column.missing > 0 or bool(hierarchy.unfit.any())
        attribute = Attribute.from_hierarchy(hierarchy, missing, 0, hierarchy.levels - 1)
        level = made.report["levels"][name]
        share = attribute.shares[level][attribute.maps[level]][column.codes + 1]
        leaf = 1 / attribute.leaves
        lost[name] = (float(np.where(made.suppressed, 1.0, share).mean()) - leaf, 1 - leaf)
    return lost


def _kept(lost: Mapping[str, tuple[float, float]], without: str) -> float:
    """Granularity of the columns but ``without``: 1 is everything, 0 a table of nothing but ``*``."""
    most = sum(top for name, (_, top) in lost.items() if name != without)
    return 1 - sum(part for name, (part, _) in lost.items() if name != without) / most if most else 1.0


def _read(
    recipe: Recipe, stream: BinaryIO, table_format: FileFormat
) -> tuple[KAnonymitySettings, Any, Any, Subjects | None]:
    step = model_step(recipe)
    if step is None:
        text = gettext_noop("The recipe has no step with a model of equivalence classes.")
        raise EngineError("no_model", text)
    before = sorted(treated_before(recipe))
    if before:
        text = gettext_noop(
            "Another step treats %(columns)s as well, so what a search on the source would find is not what the "
            "recipe would do."
        )
        raise EngineError("treated_before", text, columns=", ".join(before))
    settings = cast(KAnonymitySettings, step.parameters)
    with open_table(stream, table_format) as reader:
        quasi, sensitive = columns_of(reader.batches(), step.columns, settings.sensitive)
    subjects = None
    if recipe.subject:
        stream.seek(0)
        with open_table(stream, table_format) as reader:
            subjects = read_subjects(reader.batches(), recipe.subject)
    return settings, quasi, sensitive, subjects
