"""What a measure of a table needs of it, counted on a cluster: the combinations that occur, how many rows have each, and whose these
are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.subjects import Subjects
from techniques.engines.spark import tasks
from techniques.engines.spark.cluster import collected, ddl, raise_first
from techniques.engines.spark.layout import Layout
from techniques.tables.subjects import read_subjects

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Combinations:
    """The different combinations of texts, null where a cell is missing, and the rows that have each: of one person where ``subjects``
    say whose they are, so that one combination stands there once for each of its persons."""

    batch: pa.RecordBatch
    counts: NDArray[np.int64]
    subjects: Subjects | None


def combinations(
    session: SparkSession, layout: Layout, measured: Sequence[str], key: Sequence[str] = ()
) -> Combinations:
    """The combinations of the columns that are ``measured``, by persons where ``key`` tells whose a row is. The driver holds them all.
    EngineError of a file that cannot be read."""
    from pyspark.sql import functions as f

    columns = list(dict.fromkeys([*measured, *key]))
    sent = session.sparkContext.broadcast(layout)
    try:
        task = tasks.Alike(tuple(columns), sent)
        number = len(layout.tasks())
        found = session.range(0, number, 1, max(number, 1)).mapInArrow(task, ddl(task.names))
        by = [name for name, kind in task.names if kind == "string"]
        table = collected(found.groupBy(*by).agg(f.sum("rows").alias("rows"), f.max("error").alias("error")))
    finally:
        sent.destroy()
    raise_first(table["error"].drop_null().to_pylist()[:1])
    cells = [table[name].combine_chunks() for name in by]
    batch = pa.RecordBatch.from_arrays(cells, names=columns)
    counts = table["rows"].to_numpy().astype(np.int64)
    subjects = read_subjects([batch], list(key))
    if subjects is None:
        return Combinations(batch, counts, None)
    # Each row of nobody is a person of its own.
    alone = subjects < 0
    rows = np.repeat(np.arange(len(counts)), np.where(alone, counts, 1))
    return Combinations(batch.take(pa.array(rows)), np.where(alone, 1, counts)[rows], subjects[rows])
