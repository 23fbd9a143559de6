"""A dbt model in Python (dbt-duckdb): what the model ``visits`` has, treated by a recipe and held against a policy."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from deid_step import release


def model(dbt: Any, session: Any) -> Any:
    dbt.config(materialized="table")
    visits = dbt.ref("visits")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "visits.parquet", Path(folder) / "released.parquet"
        visits.write_parquet(str(source))
        release(
            dbt.config.get("recipe"),
            str(source),
            str(target),
            policy=dbt.config.get("policy"),
            report=dbt.config.get("report"),
        )
        return pq.read_table(target)
