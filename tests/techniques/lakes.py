"""Tables of Iceberg in a catalogue of SQL, made by PyIceberg as its own users make them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyiceberg.catalog import load_catalog
from pyiceberg.manifest import DataFile, DataFileContent, ManifestContent, ManifestWriterV2
from pyiceberg.table import Table
from pyiceberg.types import DoubleType, LongType
from pyiceberg.utils.config import Config

CATALOG = "lake"


def configure(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let PyIceberg find the catalogue as its users do, by the environment, which it reads once when it is imported."""
    prefix = f"PYICEBERG_CATALOG__{CATALOG.upper()}__"
    patch.setenv("PYICEBERG_HOME", str(folder))
    patch.setenv(f"{prefix}TYPE", "sql")
    patch.setenv(f"{prefix}URI", f"sqlite:///{folder}/catalogue.db")
    patch.setenv(f"{prefix}WAREHOUSE", folder.as_uri())
    patch.setattr("pyiceberg.catalog._ENV_CONFIG", Config())


def grown(rows: int = 40) -> tuple[Table, list[int]]:
    """The table ``raw.visits`` of three snapshots, and their numbers: the columns of the first one's files were renamed and widened
    before the second, one more has come before the third."""
    catalog = load_catalog(CATALOG)
    catalog.create_namespace("raw")
    first = pa.table(
        {
            "id": pa.array(range(rows), pa.int32()),
            "who": [f"p{number % 7}" for number in range(rows)],
            "fee": pa.array([number / 10 for number in range(rows)], pa.float32()),
            "day": pa.array([number % 3 for number in range(rows)], pa.date32()),
        }
    )
    table = catalog.create_table(("raw", "visits"), first.schema)
    snapshots = []

    def append(rows: pa.Table) -> None:
        table.append(rows)
        newest = table.current_snapshot()
        assert newest is not None
        snapshots.append(newest.snapshot_id)

    append(first)
    with table.update_schema() as change:
        change.update_column("id", LongType())
        change.update_column("fee", DoubleType())
        change.rename_column("who", "person")
    append(
        pa.table(
            {
                "id": pa.array([1 << 40], pa.int64()),
                "person": ["p9"],
                "fee": [2.5],
                "day": pa.array([9], pa.date32()),
            }
        )
    )
    with table.update_schema() as change:
        change.add_column("who", LongType())
    more = {"id": [7], "person": ["p8"], "fee": [None], "day": [None], "who": [5]}
    append(pa.table(more, schema=table.schema().as_arrow()))
    return table, snapshots


def delete_first_row(table: Table, kind: DataFileContent = DataFileContent.POSITION_DELETES) -> None:
    """Take out the first row of the first file of a table by a delete file beside it, as engines that merge on reading do; of another
    ``kind`` there is a delete file that nobody can apply."""
    held = sorted(task.file.file_path for task in table.scan().plan_files())[0]
    place = f"{table.location()}/data/deletes.parquet"
    fields = [
        pa.field("file_path", pa.string(), False, {"PARQUET:field_id": "2147483546"}),
        pa.field("pos", pa.int64(), False, {"PARQUET:field_id": "2147483545"}),
    ]
    deletes = pa.table({"file_path": [held], "pos": [0]}, schema=pa.schema(fields))
    path = place.removeprefix("file://")
    pq.write_table(deletes, path)
    with table.transaction() as change, change.update_snapshot().fast_append() as added:
        given = DataFile.from_args(
            content=kind,
            file_path=place,
            file_format="PARQUET",
            partition={},
            record_count=1,
            file_size_in_bytes=Path(path).stat().st_size,
            equality_ids=[1] if kind is DataFileContent.EQUALITY_DELETES else None,
        )
        given.spec_id = table.spec().spec_id
        added.new_manifest_writer = lambda spec: _Deletes(  # type: ignore[method-assign]
            spec, table.schema(), added.new_manifest_output(), added.snapshot_id, "null"
        )
        added.append_data_file(given)


class _Deletes(ManifestWriterV2):
    def content(self) -> ManifestContent:
        return ManifestContent.DELETES
