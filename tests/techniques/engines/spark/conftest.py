"""A real Spark of two executors in processes of their own, once for all its tests; everything that it writes lies in one folder."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.core.secrets import Secrets
from techniques.engines.local import DirectoryWorkspace, LocalRun
from techniques.engines.parts import Source
from techniques.recipe.recipe import Order, Recipe
from techniques.tables import FileFormat

KEY = b"the key of a run that nobody else is to see"
SECRETS = Secrets(key=KEY, seed=20261126, salt=b"and a salt of more than sixteen bytes")
PARQUET = FileFormat(kind="parquet")
WIDE = 1 << 40
"""A size so overstated that parts have 256 rows."""


@dataclass(frozen=True)
class Spark:
    session: Any
    folder: Path

    def executors(self) -> list[psutil.Process]:
        """The processes of the executors, which are children of Java's."""
        return [
            one
            for one in psutil.Process().children(recursive=True)
            if one.status() != psutil.STATUS_ZOMBIE
            and "org.apache.spark.executor.CoarseGrainedExecutorBackend" in " ".join(one.cmdline())
        ]

    def events(self) -> list[dict[str, Any]]:
        """The log that a history server would show."""
        logs = [path for path in (self.folder / "events").rglob("*") if path.is_file()]
        lines = [line for path in logs for line in path.read_text(encoding="utf-8").splitlines()]
        return [json.loads(line) for line in lines if line.endswith("}")]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spark]:
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("pyspark is not installed: make install-test")
    if shutil.which("java") is None:
        pytest.skip("there is no Java: make install-test")
    # Connections are closed after the test run has closed its log.
    logging.getLogger("py4j").setLevel(logging.ERROR)
    import pyspark
    from pyspark.sql import SparkSession

    from techniques.engines.spark import session as own

    folder = tmp_path_factory.mktemp("spark")
    # Workers write the logs of their executors below Spark's home: one that has Spark's own files by links.
    home = folder / "home"
    home.mkdir()
    for one in Path(pyspark.__file__).parent.iterdir():
        if one.name != "work":
            (home / one.name).symlink_to(one)
    (folder / "events").mkdir()
    settings = own.SETTINGS | {
        "spark.log.level": "INFO",
        "spark.local.dir": str(folder / "local"),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.eventLog.logBlockUpdates.enabled": "true",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.ui.port": "0",
        "spark.speculation": "true",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(home))
        patch.setenv("SPARK_LOCAL_DIRS", str(folder / "local"))
        patch.setenv("PYSPARK_PYTHON", os.sys.executable)
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("tests")
        for name, value in settings.items():
            builder = builder.config(name, value)
        # Java inherits the standard error: what the driver logs goes into the folder too.
        kept = os.dup(2)
        log = os.open(folder / "driver.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(log, 2)
        try:
            made = builder.getOrCreate()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            os.close(log)
        try:
            yield Spark(made, folder)
        finally:
            made.stop()


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
    from techniques.engines.spark.layout import File
    from techniques.engines.spark.run import SparkRun, counted_layout
    from techniques.tables.readers.parquet import ParquetReader

    files = []
    for path in paths:
        with path.open("rb") as stream, ParquetReader(stream) as reader:
            files.append(File(str(path), path.name, PARQUET, (), reader.group_rows))
            columns, types = reader.columns, list(reader.types.values())
    layout, digests = counted_layout(spark.session, files, columns, types, WIDE)
    folder.mkdir(parents=True, exist_ok=True)
    workspace = DirectoryWorkspace(folder / f"driver-{output}")
    return SparkRun(
        spark.session, Recipe.parse(recipe), layout, digests[0], folder / output, workspace, SECRETS, order
    )


MEASURED = (
    "recipe_sha256", "rows_in", "rows_out", "rows_removed", "columns_in", "columns_out", "steps", "only_masks", "secrets",
)  # fmt: skip
"""What a report says of the data, and not of files."""
