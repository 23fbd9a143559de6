"""The tables that are measured, made up, and the recipe of ten steps."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

GROUP = 131_072
"""Rows of a row group: what one task of a cluster reads."""
QUASI = ("age", "sex", "region")
SENSITIVE = "illness"
FEWEST = 11
"""Columns that the recipe treats."""
RECIPE = """
unlisted: keep
steps:
  - {technique: suppression.remove_column, column: number}
  - {technique: pseudonymization.keyed_hash, column: person, parameters: {length: 24, domain: people}}
  - {technique: generalization.rounding, columns: [fee], parameters: {base: 10, method: stochastic}}
  - {technique: generalization.date, column: day, parameters: {unit: month}}
  - {technique: generalization.intervals, column: c8, parameters: {width: 10}}
  - {technique: suppression.mask, column: c9, parameters: {keep_left: 2}}
  - {technique: randomization.noise, column: c10, parameters: {spread: 5.0}}
  - {technique: suppression.rare_values, column: illness, parameters: {minimum_count: 8, maximum_share: 0.5}}
  - {technique: generalization.top_bottom_coding, column: fee, parameters: {top_rows: 20}}
  - technique: model.k_anonymity
    columns: [age, sex, region]
    parameters:
      k: 5
      suppression_limit: 0.1
      hierarchies: {age: {kind: intervals, widths: [5, 10, 20]}, sex: {kind: star}, region: {kind: star}}
"""


def names(columns: int) -> list[str]:
    """The columns of a table of so many."""
    return ["number", "person", *QUASI, "day", SENSITIVE, "fee", *(f"c{i}" for i in range(8, columns))]


def write(path: Path, rows: int, columns: int) -> None:
    """A Parquet file of ``rows`` rows, in row groups of :data:`GROUP`; the same each time."""
    draw = np.random.default_rng(37964)
    writer = None
    for start in range(0, rows, GROUP):
        count = min(GROUP, rows - start)
        batch = pa.table(_cells(draw, start, count, rows, columns), names=names(columns))
        writer = writer or pq.ParquetWriter(path, batch.schema)
        writer.write_table(batch)
    assert writer is not None
    writer.close()


def _cells(draw: np.random.Generator, start: int, count: int, rows: int, columns: int) -> list[pa.Array]:
    def texts(prefix: str, size: int) -> pa.Array:
        kinds = pa.array([f"{prefix}{one:04}" for one in range(size)])
        return kinds.take(pa.array(np.minimum(draw.geometric(8 / size, count), size) - 1))

    def days() -> pa.Array:
        return pa.array(draw.integers(15_000, 20_000, count).astype(np.int32)).cast(pa.date32())

    whose = draw.integers(0, max(rows // 3, 1), count)
    cells = [
        pa.array(np.arange(start, start + count)),
        pa.array([f"P{one:09}" for one in whose.tolist()]),
        pa.array(draw.integers(0, 100, count)),
        pa.array(["m", "f"]).take(pa.array(draw.integers(0, 2, count))),
        texts("R", 300),
        days(),
        texts("I", 500),
        pa.array(np.round(draw.exponential(100, count), 2)),
    ]
    kinds = (
        lambda: pa.array(draw.integers(0, 1000, count)),
        lambda: texts("K", 200),
        lambda: pa.array(np.round(draw.normal(0, 1000, count), 2)),
        days,
    )
    return cells + [kinds[place % 4]() for place in range(columns - 8)]


def distinct(path: Path, rows: int) -> None:
    """A table of one column whose every value occurs once: as many combinations as rows."""
    draw = random.Random(37964)
    # Texts of chance, which are not packed much smaller on their way.
    pq.write_table(
        pa.table({"key": [draw.randbytes(6).hex() for _ in range(rows)]}), path, row_group_size=GROUP
    )
