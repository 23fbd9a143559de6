"""What a measure of a table needs of it, counted on a cluster: the combinations that occur, how many rows have each, and whose these
are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.subjects import Subjects
from techniques.engines.spark import tasks
from techniques.engines.spark.cluster import collected, ddl, raise_first
from techniques.engines.spark.layout import Layout
from techniques.identification.scanner import ColumnScanner
from techniques.identification.traces.telling import Telling, enough, rare_by
from techniques.tables.subjects import read_subjects

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@contextmanager
def _of_source(
    session: SparkSession, layout: Layout, work: type[tasks.OfSource], columns: Sequence[str]
) -> Iterator[DataFrame]:
    """What ``work`` gives of all parts, as long as the block lasts."""
    sent = session.sparkContext.broadcast(layout)
    try:
        task = work(tuple(columns), sent)
        number = len(layout.tasks())
        yield session.range(0, number, 1, max(number, 1)).mapInArrow(task, ddl(task.names))
    finally:
        sent.destroy()


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
    by = [f"c{place}" for place in range(len(columns))]
    with _of_source(session, layout, tasks.Alike, columns) as found:
        table = collected(found.groupBy(*by).agg(f.sum("rows").alias("rows"), f.max("error").alias("error")))
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


def scanned(session: SparkSession, layout: Layout, columns: Sequence[str]) -> dict[str, ColumnScanner]:
    """The scanner of each column, fed with all its rows. Those of one column are put together on one executor, in order: the driver gets
    one for each, of at most 4 MB. EngineError of a file that cannot be read."""
    from pyspark.sql import functions as f

    with _of_source(session, layout, tasks.Scanned, columns) as found:
        found = found.persist()
        try:
            errors = collected(found.where("error is not null").agg(f.max("error").alias("error")))
            raise_first(errors["error"].drop_null().to_pylist())
            apart = found.select("column", "task", "state").repartition(len(columns), "column")
            merged = apart.sortWithinPartitions("column", "task").mapInArrow(
                tasks.scanners_merged, ddl(tasks.SCANNED)
            )
            table = collected(merged)
        finally:
            found.unpersist()
    raise_first(table["error"].drop_null().to_pylist()[:1])
    return {columns[row["column"]]: tasks.scanner_of(row["state"]) for row in table.to_pylist()}


def telling(session: SparkSession, layout: Layout, columns: Sequence[str], alike: int) -> list[Telling]:
    """Those of ``columns`` that nearly tell rows apart, as :func:`techniques.identification.traces.telling.telling` finds them. No value
    leaves the executors. EngineError of a file that cannot be read."""
    from pyspark.sql import functions as f

    few = f.when(f.col("rows") < enough(alike, layout.rows), f.col("rows")).otherwise(0)
    with _of_source(session, layout, tasks.ValuesCounted, columns) as found:
        values = found.groupBy("column", "value").agg(
            f.sum("rows").alias("rows"), f.max("error").alias("error")
        )
        figures = values.groupBy("column").agg(
            f.count("value").alias("values"), f.sum("rows").alias("present"), f.sum(few).alias("alone"),
            f.max("error").alias("error"),
        )  # fmt: skip
        table = collected(figures)
    raise_first(table["error"].drop_null().to_pylist()[:1])
    by_column = {row["column"]: row for row in table.to_pylist()}
    made = [
        rare_by(name, layout.rows, row["values"], row["present"], row["alone"], row["alone"])
        for place, name in enumerate(columns)
        if (row := by_column.get(place)) is not None
    ]
    return [one for one in made if one is not None]
