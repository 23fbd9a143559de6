"""Tables in files of SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

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
    import pyarrow as pa


class Sqlite:
    """A file of SQLite. Its columns hold values of any kind, so each is looked at for its type."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
            return
        except sqlite3.Error as error:
            reason = str(getattr(error, "sqlite_errorname", None) or type(error).__name__)
        raise failed(self._address, reason)

    def _open(self, how: str) -> sqlite3.Connection:
        if self._connection is None:
            with self._said():
                self._connection = sqlite3.connect(
                    f"file:{quote(self._address.base)}?mode={how}", uri=True, isolation_level=None
                )
        return self._connection

    def _there(self, connection: sqlite3.Connection) -> bool:
        with self._said():
            query = "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND lower(name) = lower(?)"
            return connection.execute(query, self._address.table).fetchone() is not None

    @contextmanager
    def rows(self) -> Iterator[Rows]:
        import pyarrow as pa

        connection = self._open("ro")
        try:
            with self._said():
                connection.execute("BEGIN")
            if not self._there(connection):
                raise missing(self._address)
            table = quoted(self._address.table)
            with self._said():
                names = [one[0] for one in connection.execute(f"SELECT * FROM {table} LIMIT 0").description]
                types = [self._type(connection, table, name) for name in names]
            schema = pa.schema(zip(names, types, strict=True))

            def batches() -> Iterator[pa.RecordBatch]:
                with self._said():
                    cursor = connection.execute(f"SELECT * FROM {table}")
                    while rows := cursor.fetchmany(ROWS):
                        columns = zip(*rows, strict=True)
                        arrays = [
                            _sqlite_cells(cells, kind) for cells, kind in zip(columns, types, strict=True)
                        ]
                        yield pa.RecordBatch.from_arrays(arrays, schema=schema)

            yield schema, batches()
        finally:
            self.close()

    def _type(self, connection: sqlite3.Connection, table: str, name: str) -> pa.DataType:
        import pyarrow as pa

        column = quoted([name])
        found = {row[0] for row in connection.execute(f"SELECT DISTINCT typeof({column}) FROM {table}")}
        found -= {"null"}
        if found == {"integer"}:
            declared = {
                row[2].upper()
                for row in connection.execute(f"PRAGMA table_info({table})")
                if row[1] == name and row[2]
            }
            truth = f"SELECT 1 FROM {table} WHERE {column} NOT IN (0, 1) LIMIT 1"
            if declared & {"BOOL", "BOOLEAN"} and connection.execute(truth).fetchone() is None:
                return pa.bool_()
            return pa.int64()
        if found in ({"real"}, {"real", "integer"}):
            return pa.float64()
        return pa.binary() if found == {"blob"} else pa.string()

    def require_writable(self) -> None:
        file = Path(self._address.base)
        require_folder(file)
        if not file.exists():
            return
        connection = self._open("ro")
        try:
            there = self._there(connection)
        finally:
            self.close()
        if there and self._address.mode == "create":
            raise exists_already(self._address)

    def write(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        connection = self._open("rwc")
        with self._said():
            connection.execute("BEGIN IMMEDIATE")
        table = quoted(self._address.table)
        there = self._there(connection)
        if there and self._address.mode == "create":
            raise exists_already(self._address)
        names = ", ".join(quoted([name]) for name in schema.names)
        with self._said():
            if there and self._address.mode == "replace":
                connection.execute(f"DROP TABLE {table}")
            if not there or self._address.mode == "replace":
                columns = ", ".join(f"{quoted([one.name])} {_sqlite_type(one.type)}" for one in schema)
                connection.execute(f"CREATE TABLE {table} ({columns})")
            marks = ", ".join("?" * len(schema))
            insert = f"INSERT INTO {table} ({names}) VALUES ({marks})"
            for batch in batches:
                cells = [_sqlite_values(column) for column in batch.columns]
                connection.executemany(insert, zip(*cells, strict=True))

    def commit(self) -> None:
        if self._connection is not None:
            with self._said():
                self._connection.execute("COMMIT")

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _sqlite_cells(cells: tuple[Any, ...], kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    if pa.types.is_string(kind):
        texts = [None if one is None else one if isinstance(one, str) else _as_text(one) for one in cells]
        return pa.array(texts, kind)
    if pa.types.is_boolean(kind):
        return pa.array([None if one is None else bool(one) for one in cells], kind)
    if pa.types.is_floating(kind):
        return pa.array([None if one is None else float(one) for one in cells], kind)
    return pa.array(cells, kind)


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def _sqlite_type(kind: pa.DataType) -> str:
    import pyarrow as pa

    types = pa.types
    if types.is_boolean(kind):
        return "BOOLEAN"
    if types.is_integer(kind) and kind != pa.uint64():
        return "INTEGER"
    if types.is_floating(kind):
        return "REAL"
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return "BLOB"
    return "TEXT"


def _sqlite_values(column: pa.Array) -> list[Any]:
    import pyarrow as pa

    from techniques.tables.canonical import column_text

    if _sqlite_type(column.type) != "TEXT":
        values: list[Any] = column.to_pylist()
        return values
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return list(column.to_pylist())
    return list(column_text(column).to_pylist())
