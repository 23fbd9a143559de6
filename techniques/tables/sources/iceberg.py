"""Tables of Iceberg, by PyIceberg: which data files a snapshot has, and what these call the table's columns.

A field is found in a file by its number, so that columns which were renamed, added or widened since are read as the table has them now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.messages import EngineError, _
from techniques.tables.sources.catalogs import Catalogued, elsewhere, missing, not_parquet, refusing

if TYPE_CHECKING:
    from pyiceberg.table import DataScan, FileScanTask, Table

_NUMBER: Final = b"PARQUET:field_id"


@dataclass(frozen=True)
class DataFile:
    """A data file. ``numbers`` are those of the table's columns, ``said`` cells of columns where the file may lack them."""

    path: str
    name: str
    numbers: Mapping[str, int]
    said: Mapping[str, Any]
    mapping: Mapping[str, int]
    """By the names in files without numbers."""

    def names(self, schema: pa.Schema) -> dict[str, str]:
        """What the file, whose schema this is, calls those columns of the table that it holds. EngineError ``iceberg_unnumbered``."""
        numbered = {int(one.metadata[_NUMBER]): one.name for one in schema if _NUMBER in (one.metadata or {})}
        if len(numbered) < len(schema):
            # As PyIceberg does: where one column has no number, names count for all of them.
            numbered = {self.mapping[name]: name for name in schema.names if name in self.mapping}
            if not numbered:
                text = _(
                    "The file %(part)s has columns without field numbers, and the table's schema.name-mapping.default names none of them."
                )
                raise EngineError("iceberg_unnumbered", text, part=self.name)
        return {name: numbered[number] for name, number in self.numbers.items() if number in numbered}


class Iceberg:
    """One snapshot of a table. EngineError ``extra_missing``, ``catalog_…``."""

    def __init__(self, address: Catalogued) -> None:
        self._address = address
        try:
            import_module("pyiceberg")
        except ImportError:
            text = _("For this, the engine needs its extra %(extra)s: pip install 'deid[%(extra)s]'.")
            raise EngineError("extra_missing", text, extra="iceberg") from None
        with refusing(self._address, self._known):
            self._table = self._loaded()
            # Of an older snapshot the columns are those of its day, without one named those of now.
            self._scan: DataScan = self._table.scan(snapshot_id=self._snapshot())
            tasks = list(self._scan.plan_files())
        self._tasks: list[FileScanTask] = sorted(tasks, key=lambda task: task.file.file_path)
        self._fields = list(self._scan.projection().fields)

    def _known(self, found: Exception) -> EngineError | None:
        from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

        if isinstance(found, NoSuchTableError | NoSuchNamespaceError | FileNotFoundError):
            return missing(self._address)
        if "equality deletes" in str(found):
            text = _("%(address)s has equality deletes, which are not applied here: compact the table first.")
            return EngineError("iceberg_equality_deletes", text, address=str(self._address))
        return None

    def _loaded(self) -> Table:
        from pyiceberg.catalog import load_catalog
        from pyiceberg.table import StaticTable

        if self._address.metadata:
            return StaticTable.from_metadata(self._address.metadata)
        return load_catalog(self._address.catalog).load_table(self._address.names)

    def _snapshot(self) -> int | None:
        """The number of the snapshot that is named; a name may be of digits, too."""
        wanted = self._address.snapshot
        if not wanted:
            return None
        found = self._table.snapshot_by_id(int(wanted)) if wanted.isdecimal() else None
        found = found or self._table.snapshot_by_name(wanted)
        if found is None:
            raise missing(self._address)
        return found.snapshot_id

    @property
    def schema(self) -> pa.Schema:
        """The columns in the types that files of tables have. EngineError of a column that is no single value."""
        from pyiceberg.io.pyarrow import schema_to_pyarrow

        from techniques.tables.canonical import is_plain
        from techniques.tables.problems import problem

        fields = []
        for one in schema_to_pyarrow(self._scan.projection(), include_field_ids=False):
            if not is_plain(one.type):
                raise problem("table.parquet.type", column=one.name, type=str(one.type).split("<", 1)[0])
            fields.append((one.name, _SHORT.get(one.type, one.type)))
        return pa.schema(fields)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The rows, one data file in memory at a time, without those that delete files take out."""
        from pyiceberg.expressions import AlwaysTrue
        from pyiceberg.io.pyarrow import ArrowScan

        schema = self.schema
        scan = ArrowScan(self._table.metadata, self._table.io, self._scan.projection(), AlwaysTrue())
        for task in self._tasks:
            with refusing(self._address, self._known):
                found = list(scan.to_record_batches([task]))
            for batch in found:
                cells = [pc.cast(batch.column(one.name), one.type) for one in schema]
                yield pa.RecordBatch.from_arrays(cells, schema=schema)

    def files(self) -> list[DataFile]:
        """The data files, where these are files of this machine, hold Parquet and stand for themselves. EngineError."""
        mapped = self._table.name_mapping()
        mapping = {name: one.field_id for one in mapped or () for name in one.names if one.field_id}
        numbers = {one.name: one.field_id for one in self._fields}
        root = _path(self._table.location()).rstrip("/") + "/"
        found = []
        for task in self._tasks:
            file = task.file
            if task.delete_files:
                text = _(
                    "%(address)s has delete files, which Spark does not apply here: compact the table, or leave out --engine spark."
                )
                raise EngineError("iceberg_deletes", text, address=str(self._address))
            if file.file_format.value != "PARQUET":
                raise not_parquet(self._address, file.file_format.value)
            scheme = urlsplit(file.file_path).scheme
            if scheme not in ("", "file"):
                raise elsewhere(self._address, f"{scheme}://")
            path = _path(file.file_path)
            found.append(DataFile(path, path.removeprefix(root), numbers, self._cells(file), mapping))
        return found

    def _cells(self, file: Any) -> dict[str, Any]:
        """What a column has in each row of a file that lacks it: that of its partition, or what the table says of such files."""
        from pyiceberg.transforms import IdentityTransform

        spec = self._table.specs()[file.spec_id]
        parted = {
            field.source_id: file.partition[place]
            for place, field in enumerate(spec.fields)
            if isinstance(field.transform, IdentityTransform)
        }
        kinds = self.schema
        return {
            one.name: _cell(parted.get(one.field_id, one.initial_default), kinds.field(one.name).type)
            for one in self._fields
        }


_SHORT: Final = {pa.large_string(): pa.string(), pa.large_binary(): pa.binary()}


def _path(location: str) -> str:
    """Where a file lies. Iceberg takes these paths as they are: a folder of the value 北京 is called %E5%8C%97%E4%BA%AC itself."""
    parts = urlsplit(location)
    return parts.path if parts.scheme == "file" else location


def _cell(value: Any, kind: pa.DataType) -> Any:
    """Days and parts of seconds come as whole numbers."""
    if isinstance(value, int) and pa.types.is_temporal(kind):
        width = pa.int32() if pa.types.is_date32(kind) else pa.int64()
        return pa.scalar(value, width).cast(kind).as_py()
    return value
