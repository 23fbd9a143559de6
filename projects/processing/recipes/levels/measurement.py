"""Counting protection levels; works in the worker, returns plain figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from projects.datasets.selectors import dataset_format, dataset_open
from techniques.models.personalized.requested import requested
from techniques.tables import open_table
from techniques.tables.subjects import read_subjects

from ...models import LevelCount


def levels_of(count: LevelCount, tick: Callable[[float], None]) -> dict[str, Any]:
    """The levels of a table, by persons where it has a key of them."""

    def batches() -> Iterator[pa.RecordBatch]:
        with (
            dataset_open(count.dataset) as stream,
            open_table(stream, dataset_format(count.dataset)) as table,
        ):
            for batch in table.batches():
                tick(0.5)
                yield batch

    whose = read_subjects(batches(), count.person_key)
    found = requested(batches, count.column, count.level_column, whose)
    return found.model_dump(mode="json")
