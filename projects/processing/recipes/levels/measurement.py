"""Counting and joining protection levels; works in the worker, returns plain figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from projects.datasets.selectors import dataset_columns, dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace, store_open
from techniques.models.personalized.answers import Answers, Joining
from techniques.models.personalized.requested import requested
from techniques.tables import FileFormat, open_table
from techniques.tables.subjects import read_subjects
from techniques.tables.writers.writing import TableWriter

from ...models import LevelAnswers, LevelCount
from .joining import JOINED


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


def joined(
    answers: LevelAnswers, workspace: EncryptedWorkspace, tick: Callable[[float], None]
) -> dict[str, Any]:
    """The table with the column of levels, written into ``workspace``, and what was joined. EngineError with nothing of the data in it."""
    assert answers.stored is not None
    with store_open(answers.stored, whole=True) as stream:
        mark = stream.read(3) == b"\xef\xbb\xbf"
    with (
        store_open(answers.stored, whole=True) as stream,
        open_table(stream, FileFormat(kind="csv", bom=mark)) as table,
    ):
        joining = Joining(Answers.read(table.batches(), answers.keys), answers.default)
    tick(0.1)
    dataset = answers.dataset
    with (
        dataset_open(dataset) as stream,
        open_table(stream, dataset_format(dataset)) as table,
        workspace.open_write(JOINED) as target,
        TableWriter(target, FileFormat(kind="csv"), [*dataset_columns(dataset), joining.column]) as writer,
    ):
        for batch in joining.joined(table.batches()):
            writer.write(batch)
            tick(0.5)
    return joining.counts().model_dump(mode="json")
