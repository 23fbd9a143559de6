"""Tables in files of DuckDB, which reads and writes Arrow itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc

from techniques.tables.sources.databases import (
    ROWS,
    Address,
    Rows,
    exists_already,
    failed,
    missing,
    quoted,
    require_folder,
)

if TYPE_CHECKING:
    import duckdb

# Nothing is fetched from elsewhere because a table or a view asks for it.
_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
_AS_THEY_ARE: Final = frozenset(
    [
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "UTINYINT",
        "USMALLINT",
        "UINTEGER",
        "UBIGINT",
        "FLOAT",
        "DOUBLE",
        "VARCHAR",
        "BLOB",
        "DATE",
        "TIME",
        "TIMESTAMP_S",
        "TIMESTAMP_MS",
        "TIMESTAMP",
        "TIMESTAMP_NS",
    ]
)
_ZONED: Final = "TIMESTAMP WITH TIME ZONE"
_ROWS_GIVEN: Final = "deid_rows"


class Duck:
    """A table of a file of DuckDB (:class:`techniques.tables.sources.databases.Database`)."""

    def __init__(self, address: Address) -> None:
        # Only where the extra is installed.
        from duckdb import Error

        self._address = address
        self._error = Error
        self._connection: duckdb.DuckDBPyConnection | None = None

    @contextmanager
    def _said(self) -> Iterator[None]:
        """A fault by its name: what DuckDB says of it may quote a row."""
        try:
            yield
            return
        except self._error as error:
            reason = type(error).__name__
        raise failed(self._address, reason)

    def _open(self, *, reading: bool) -> duckdb.DuckDBPyConnection:
        from duckdb import connect

        if self._connection is None:
            with self._said():
                self._connection = connect(self._address.base, read_only=reading, config=_SETTINGS)
                self._connection.execute("SET TimeZone = 'UTC'")
        return self._connection

    def _there(self, connection: duckdb.DuckDBPyConnection) -> bool:
        *schema, name = self._address.table
        with self._said():
            query = (
                "SELECT 1 FROM information_schema.tables WHERE table_catalog = current_database() "
                "AND lower(table_name) = lower(?) AND lower(table_schema) = lower(coalesce(?, current_schema()))"
            )
            found = connection.execute(query, [name, schema[0] if schema else None]).fetchone()
        return found is not None

    @contextmanager
    def rows(self) -> Iterator[Rows]:
        connection = self._open(reading=True)
        try:
            with self._said():
                connection.execute("BEGIN TRANSACTION")
            if not self._there(connection):
                raise missing(self._address)
            table = quoted(self._address.table)
            with self._said():
                columns = connection.execute(f"DESCRIBE {table}").fetchall()
                wanted = ", ".join(_read(name, kind) for name, kind, *_rest in columns)
                reader = connection.sql(f"SELECT {wanted} FROM {table}").to_arrow_reader(ROWS)

            def batches() -> Iterator[pa.RecordBatch]:
                with self._said():
                    yield from reader

            yield reader.schema, batches()
        finally:
            self.close()

    def require_writable(self) -> None:
        file = Path(self._address.base)
        require_folder(file)
        if not file.exists():
            return
        connection = self._open(reading=True)
        try:
            if self._there(connection) and self._address.mode == "create":
                raise exists_already(self._address)
        finally:
            self.close()

    def write(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        connection = self._open(reading=False)
        there = self._there(connection)
        if there and self._address.mode == "create":
            raise exists_already(self._address)
        table = quoted(self._address.table)
        known = pa.schema([(one.name, _known(one.type)) for one in schema])
        given = pa.RecordBatchReader.from_batches(known, (_as_known(batch, known) for batch in batches))
        with self._said():
            connection.execute("BEGIN TRANSACTION")
            if there and self._address.mode == "replace":
                connection.execute(f"DROP TABLE {table}")
            connection.register(_ROWS_GIVEN, given)
            if there and self._address.mode == "append":
                names = ", ".join(quoted([name]) for name in schema.names)
                connection.execute(f"INSERT INTO {table} ({names}) SELECT * FROM {_ROWS_GIVEN}")
            else:
                connection.execute(f"CREATE TABLE {table} AS SELECT * FROM {_ROWS_GIVEN}")

    def commit(self) -> None:
        if self._connection is not None:
            with self._said():
                self._connection.execute("COMMIT")

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _read(name: str, kind: str) -> str:
    """A column as a table file can have it; what none has, as the text that DuckDB writes."""
    column = quoted([name])
    if kind in _AS_THEY_ARE or kind == _ZONED or kind.startswith("DECIMAL("):
        return column
    return f"CAST({column} AS VARCHAR) AS {column}"


def _known(kind: pa.DataType) -> pa.DataType:
    """The type of Arrow as which DuckDB takes a column."""
    types = pa.types
    if types.is_dictionary(kind):
        return _known(kind.value_type)
    if types.is_decimal256(kind) or types.is_duration(kind):
        return pa.string()
    if types.is_timestamp(kind) and kind.tz:
        return pa.timestamp("us", "UTC")
    if types.is_time(kind):
        return pa.time64("us")
    if types.is_date(kind):
        return pa.date32()
    return pa.float32() if types.is_float16(kind) else kind


def _as_known(batch: pa.RecordBatch, known: pa.Schema) -> pa.RecordBatch:
    columns = []
    for column, field in zip(batch.columns, known, strict=True):
        count = pc.cast(column, pa.int64()) if pa.types.is_duration(column.type) else column
        columns.append(pc.cast(count, field.type))
    return pa.RecordBatch.from_arrays(columns, schema=known)
