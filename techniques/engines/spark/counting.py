"""What a measure of a table needs of it, counted on a cluster: the combinations that occur, and how many rows have each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.engines.spark import tasks
from techniques.engines.spark.cluster import collected, ddl, raise_first
from techniques.engines.spark.layout import Layout

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def combinations(
    session: SparkSession, layout: Layout, columns: Sequence[str]
) -> tuple[pa.RecordBatch, NDArray[np.int64]]:
    """(the different combinations of texts in ``columns``, null where a cell is missing; the rows that have each). The driver holds them
    all. EngineError of a file that cannot be read."""
    from pyspark.sql import functions as f

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
    return pa.RecordBatch.from_arrays(cells, names=list(columns)), table["rows"].to_numpy().astype(np.int64)
