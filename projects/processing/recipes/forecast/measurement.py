"""The risk of a source and after each step of its recipe; works in the worker, returns plain figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO

from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace
from techniques.disclosure_risk.entropy import Attack, entropy_risk
from techniques.engines.forecasts.planned import planned_risk
from techniques.engines.parts import Source
from techniques.recipe.recipe import Recipe
from techniques.tables import open_table
from techniques.tables.subjects import read_subjects

from ...models import Forecast


def risk_of_source(forecast: Forecast) -> dict[str, Any]:
    """The figures of the data as they were uploaded."""
    source, question = _source(forecast), forecast.question
    recipe = _recipe(forecast)
    whose = None
    if recipe.subject:
        with source.open() as stream, open_table(stream, source.format) as table:
            whose = read_subjects(table.batches(), list(recipe.subject))
    with source.open() as stream, open_table(stream, source.format) as table:
        found = entropy_risk(
            table.batches(),
            question["quasi"],
            question["sensitive"],
            attack=Attack.model_validate(question["attack"]),
            subjects=whose,
            average=None,
        )
    return found.model_dump(mode="json") | {"persons": whose is not None}


def risk_after(
    forecast: Forecast, number: int, workspace: EncryptedWorkspace, tick: Callable[[float], None]
) -> dict[str, Any]:
    """The figures after step ``number``; raw data stays in ``workspace``."""
    question = forecast.question
    return planned_risk(
        _recipe(forecast),
        number,
        _source(forecast),
        question["quasi"],
        question["sensitive"],
        workspace=workspace,
        attack=Attack.model_validate(question["attack"]),
        tick=tick,
    ).model_dump(mode="json")


def _recipe(forecast: Forecast) -> Recipe:
    return Recipe.from_data(forecast.recipe_version.part_of(forecast.dataset.table))


def _source(forecast: Forecast) -> Source:
    dataset = forecast.dataset
    assert dataset.rows is not None  # a recipe is written for checked data sets only
    opened: partial[BinaryIO] = partial(dataset_open, dataset)
    return Source(opened, dataset_format(dataset), dataset.rows, dataset.size)
