"""Tables as files, and the same recipe carried out on this machine and on the cluster of :mod:`tests.spark`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from techniques.core.secrets import Secrets
from techniques.engines.local import DirectoryWorkspace, LocalRun
from techniques.engines.parts import Source
from techniques.recipe.recipe import Order, Recipe
from techniques.tables import FileFormat
from tests.spark import Spark

KEY = b"the key of a run that nobody else is to see"
SECRETS = Secrets(key=KEY, seed=20261126, salt=b"and a salt of more than sixteen bytes")
PARQUET = FileFormat(kind="parquet")
WIDE = 1 << 40
"""A size so overstated that parts have 256 rows."""


def small(rows: int) -> pa.Table:
    draw = random.Random(5)
    return pa.table(
        {
            "id": [f"person {draw.randrange(rows)}" for _ in range(rows)],
            "fee": [draw.randrange(10_000) / 100 for _ in range(rows)],
            "day": pa.array([draw.randrange(20_000) for _ in range(rows)], pa.date32()),
        }
    )


def write_parts(folder: Path, table: pa.Table, rows: int, group: int) -> list[Path]:
    """A table as files of ``rows`` rows, in row groups of ``group``."""
    folder.mkdir(parents=True)
    paths = []
    for start in range(0, table.num_rows, rows):
        paths.append(folder / f"{start:08}.parquet")
        pq.write_table(table.slice(start, rows), paths[-1], row_group_size=group)
    return paths


def local_result(folder: Path, recipe: str, table: pa.Table, order: Order) -> tuple[pa.Table, dict[str, Any]]:
    """The result and the report of the same recipe on this machine, from one file."""
    folder.mkdir(parents=True)
    path = folder / "whole.parquet"
    pq.write_table(table, path, row_group_size=1000)
    source = Source(lambda: path.open("rb"), PARQUET, table.num_rows, WIDE)
    run = LocalRun(
        Recipe.parse(recipe), source, DirectoryWorkspace(folder / "run"), SECRETS, "parquet", order
    )
    report = run.execute_all()
    with run.workspace.open_read(run.result_name) as stream:
        return pq.read_table(stream), report


def cluster_run(
    spark: Spark, folder: Path, recipe: str, paths: Sequence[Path], order: Order, output: str = "result"
) -> Any:
    """A run on the cluster of the same rows in files."""
    from techniques.engines.spark.layout import File, Located
    from techniques.engines.spark.run import SparkRun, counted_layout
    from techniques.tables.readers.parquet import ParquetReader

    files = []
    for path in paths:
        with path.open("rb") as stream, ParquetReader(stream) as reader:
            files.append(File(str(path), path.name, PARQUET, groups=reader.group_rows))
            columns, types = reader.columns, list(reader.types.values())
    table = Located(files, columns, types, len(files) > 1)
    layout, digests = counted_layout(spark.session, table)
    layout = replace(layout, size=WIDE)
    folder.mkdir(parents=True, exist_ok=True)
    workspace = DirectoryWorkspace(folder / f"driver-{output}")
    return SparkRun(
        spark.session, Recipe.parse(recipe), layout, digests[0], folder / output, workspace, SECRETS, order
    )


MEASURED = (
    "recipe_sha256", "rows_in", "rows_out", "rows_removed", "columns_in", "columns_out", "steps", "only_masks", "secrets",
)  # fmt: skip
"""What a report says of the data, and not of files."""
