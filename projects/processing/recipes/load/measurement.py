"""A recipe carried out on samples of a table; works in the worker, reorder figures."""

from __future__ import annotations

import os
import secrets as randomness
import shutil
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO

from django.conf import settings

from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace
from techniques.core.messages import EngineError, gettext_noop
from techniques.core.secrets import Secrets
from techniques.engines.forecasts.load import Load, carried_over, load_of, sample_sizes, sample_write
from techniques.engines.local import LocalRun
from techniques.engines.parts import Source
from techniques.recipe.recipe import Recipe

from ...models import LoadMeasurement
from ..policy import national_only

SAMPLE = "sample"
# What a sample meets for being small: its classes are, or the sample is smaller than k.
OF_SAMPLES = ("no_solution", "k_too_large")


def loads_of(
    measurement: LoadMeasurement,
    place: EncryptedWorkspace,
    run_place: EncryptedWorkspace,
    tick: Callable[[float], None],
) -> dict[str, Any]:
    """``samples``: the load of each size; ``whole``: carried over to all rows; ``machine``: what there is. Samples lie in ``place``
    and what runs make in ``run_place`` as long as a size is measured; the caller empties both."""
    dataset = measurement.dataset
    assert dataset.rows is not None  # a recipe is written for checked data sets only
    opened: partial[BinaryIO] = partial(dataset_open, dataset)
    source = Source(opened, dataset_format(dataset), dataset.rows, dataset.size)
    recipe = Recipe.from_data(measurement.recipe_version.part_of(dataset.table))
    sizes = sample_sizes(dataset.rows, measurement.most_rows)
    # The first one goes before the clock runs: it loads the libraries and compiles what is compiled.
    order = [sizes[0], *sizes]
    measured: list[Load | None] = []
    done, all_rows = 0, sum(order)
    for rows in order:
        before, share = done / all_rows, rows / all_rows
        measured.append(_load(recipe, source, rows, place, run_place, partial(_within, tick, before, share)))
        done += rows
    found = [one for one in measured[1:] if one is not None]
    if measured[-1] is None:
        text = gettext_noop(
            "In a sample of %(rows)d rows the recipe has no solution, because classes are smaller there than in the whole table. "
            "Take a larger sample."
        )
        raise EngineError("load.sample_too_small", text, rows=sizes[-1])
    free = shutil.disk_usage(settings.DEID_STORE_DIR).free
    return {
        "samples": [one.model_dump(mode="json") for one in found],
        "whole": carried_over(found, dataset.rows).model_dump(mode="json"),
        "as_csv": source.format.kind == "xlsx",
        "machine": {"processors": os.cpu_count(), "memory": _memory(), "free": free},
    }


def _load(
    recipe: Recipe,
    source: Source,
    rows: int,
    place: EncryptedWorkspace,
    run_place: EncryptedWorkspace,
    tick: Callable[[float], None],
) -> Load | None:
    """None where the recipe has no solution in a sample; of the whole table that is an error as it is of a run."""
    tick(0.0)
    with place.open_write(SAMPLE) as stream:
        form = sample_write(source, rows, randomness.randbits(63), stream)
    sample = Source(partial(place.open_read, SAMPLE), form, rows, place.stored(SAMPLE).size)
    keys = randomness.token_bytes(64)
    secrets = Secrets(
        keys[:32],
        keys[32:],
        purposes=dict.fromkeys(recipe.purposes(), keys[:32]),
        once=keys[32:],
        national=national_only(),
    )
    try:
        run = LocalRun(recipe, sample, run_place, secrets)

        def space() -> tuple[int, int]:
            sizes = {name: run_place.stored(name).size for name in run_place.names()}
            return sum(sizes.values()), sizes[run.result_name]

        return load_of(rows, partial(run.execute_all, tick), space)
    except EngineError as error:
        if error.code not in OF_SAMPLES or rows == source.rows:
            raise
        return None
    finally:
        run_place.clear()
        place.clear()


def _within(tick: Callable[[float], None], before: float, share: float, done: float) -> None:
    """The share of the whole job when one size is ``done`` so far."""
    tick(before + share * done)


def _memory() -> int | None:
    """Bytes of memory of the machine; None where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None
