"""Tables of PostgreSQL, by psycopg: read through a cursor of the server, written by COPY."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.messages import EngineError, _
from techniques.tables.problems import problem
from techniques.tables.sources.databases import (
    ROWS,
    Address,
    Rows,
    exists_already,
    failed,
    missing,
    quoted,
    without_secrets,
)

if TYPE_CHECKING:
    import psycopg

_NUMERIC: Final = 1700
_KNOWN: Final[dict[int, pa.DataType]] = {
    16: pa.bool_(), 17: pa.binary(), 20: pa.int64(), 21: pa.int16(), 23: pa.int32(), 25: pa.string(), 700: pa.float32(),
    701: pa.float64(), 1042: pa.string(), 1043: pa.string(), 1082: pa.date32(), 1083: pa.time64("us"),
    1114: pa.timestamp("us"), 1184: pa.timestamp("us", "UTC"),
}  # fmt: skip
"""Types by their number in the server's catalogue; others are read as the server writes them as text."""
_MOST_DIGITS: Final = 76


class Postgres:
    """A table of PostgreSQL (:class:`techniques.tables.sources.databases.Database`)."""

    def __init__(self, address: Address) -> None:
        # Only where the extra is installed.
        from psycopg import Error, conninfo, sql

        self._address = address
        self._error = Error
        self._settings = conninfo.conninfo_to_dict
        self._sql = sql.SQL
        self._name = sql.Identifier
        self._table = sql.Identifier(*address.table)
        self._connection: psycopg.Connection[Any] | None = None

    @contextmanager
    def _said(self) -> Iterator[None]:
        """A fault by its name: what the server says of it may quote a row."""
        try:
            yield
            return
        except self._error as error:
            reason = f"{type(error).__name__}{f' ({error.sqlstate})' if error.sqlstate else ''}"
        raise failed(self._address, reason)

    def _open(self) -> psycopg.Connection[Any]:
        from psycopg import connect

        if self._connection is None:
            try:
                self._connection = connect(self._address.base, options="-c TimeZone=UTC -c DateStyle=ISO")
                return self._connection
            except self._error as error:
                reason = self._hidden((str(error).strip().splitlines() or [""])[0])
            text = _("%(address)s cannot be reached: %(reason)s")
            raise EngineError("database_unreachable", text, address=str(self._address), reason=reason)
        return self._connection

    def _hidden(self, text: str) -> str:
        """The text without the password, however it was given."""
        try:
            secret = self._settings(self._address.base).get("password")
        except self._error:
            return "the address is not one that PostgreSQL understands"
        return without_secrets(text).replace(str(secret), "***") if secret else without_secrets(text)

    def _there(self) -> bool:
        with self._said():
            found = self._open().execute("SELECT to_regclass(%s)", [quoted(self._address.table)]).fetchone()
        return found is not None and found[0] is not None

    @contextmanager
    def rows(self) -> Iterator[Rows]:
        connection = self._open()
        try:
            with self._said():
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if not self._there():
                raise missing(self._address)
            fields: list[tuple[str, pa.DataType]] = []
            wanted: list[psycopg.sql.Composable] = []
            with self._said():
                none = self._sql("SELECT * FROM {} LIMIT 0").format(self._table)
                for one in connection.execute(none).description or []:
                    kind = self._decimal(one) if one.type_code == _NUMERIC else _KNOWN.get(one.type_code)
                    name = self._name(one.name)
                    wanted.append(name if kind is not None else self._sql("{}::text").format(name))
                    fields.append((one.name, kind or pa.string()))
            if not fields:
                raise problem("table.columns.none")
            schema = pa.schema(fields)
            query = self._sql("SELECT {} FROM {}").format(self._sql(", ").join(wanted), self._table)
            yield schema, self._batches(query, schema)
        finally:
            self.close()

    def _decimal(self, column: psycopg.Column) -> pa.DataType | None:
        """The least decimal type that holds all numbers of a column; None where there is none."""
        if column.precision is not None:
            return _decimal(column.precision, column.scale or 0)
        bounds = self._sql(
            "SELECT coalesce(max(scale({c})), 0), coalesce(max(length(trunc(abs({c}))::text)), 1), "
            "coalesce(bool_or({c} IN ('Infinity', '-Infinity')), false) FROM {t} WHERE {c} <> 'NaN'"
        ).format(c=self._name(column.name), t=self._table)
        scale, digits, infinite = self._open().execute(bounds).fetchone() or (0, 1, False)
        return None if infinite else _decimal(digits + scale, scale)

    def _batches(self, query: psycopg.sql.Composed, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        with self._said(), self._open().cursor("deid") as cursor:
            cursor.execute(query)
            while rows := cursor.fetchmany(ROWS):
                columns = zip(*rows, strict=True)
                cells = [_cells(one, field.type) for one, field in zip(columns, schema, strict=True)]
                yield pa.RecordBatch.from_arrays(cells, schema=schema)

    def require_writable(self) -> None:
        try:
            if self._there() and self._address.mode == "create":
                raise exists_already(self._address)
        finally:
            self.close()

    def write(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        connection = self._open()
        there = self._there()
        if there and self._address.mode == "create":
            raise exists_already(self._address)
        comma = self._sql(", ")
        names = comma.join(map(self._name, schema.names))
        columns = comma.join(
            self._sql("{} {}").format(self._name(one.name), self._sql(_written_type(one.type)))
            for one in schema
        )
        copying = self._sql("COPY {} ({}) FROM STDIN").format(self._table, names)
        with self._said():
            if there and self._address.mode == "replace":
                connection.execute(self._sql("DROP TABLE {}").format(self._table))
            if not there or self._address.mode == "replace":
                connection.execute(self._sql("CREATE TABLE {} ({})").format(self._table, columns))
            with connection.cursor() as cursor, cursor.copy(copying) as copy:
                for batch in batches:
                    cells = [
                        _values(name, one) for name, one in zip(schema.names, batch.columns, strict=True)
                    ]
                    for row in zip(*cells, strict=True):
                        copy.write_row(row)

    def commit(self) -> None:
        with self._said():
            self._open().commit()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _decimal(digits: int, scale: int) -> pa.DataType | None:
    digits = max(digits, scale, 1)
    if scale < 0 or digits > _MOST_DIGITS:
        return None
    return pa.decimal128(digits, scale) if digits <= 38 else pa.decimal256(digits, scale)


def _cells(cells: tuple[Any, ...], kind: pa.DataType) -> pa.Array:
    if pa.types.is_decimal(kind):
        return pa.array([None if one is None or _is_nan(one) else one for one in cells], kind)
    return pa.array(cells, kind)


def _is_nan(value: Decimal) -> bool:
    return value.is_nan()


def _written_type(kind: pa.DataType) -> str:
    types = pa.types
    if types.is_dictionary(kind):
        return _written_type(kind.value_type)
    if types.is_decimal(kind):
        return f"numeric({kind.precision}, {kind.scale})"
    if types.is_timestamp(kind):
        return "timestamptz" if kind.tz else "timestamp"
    named: dict[pa.DataType, str] = {
        pa.bool_(): "boolean", pa.int8(): "smallint", pa.uint8(): "smallint", pa.int16(): "smallint",
        pa.uint16(): "integer", pa.int32(): "integer", pa.uint32(): "bigint", pa.int64(): "bigint",
        pa.uint64(): "numeric(20, 0)", pa.float16(): "real", pa.float32(): "real", pa.float64(): "double precision",
        pa.date32(): "date", pa.date64(): "date",
    }  # fmt: skip
    if types.is_time(kind):
        return "time"
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return "bytea"
    return named.get(kind, "text")


def _values(name: str, column: pa.Array) -> list[Any]:
    """The cells as Python's own values, which psycopg adapts. EngineError ``table.typed.type``."""
    kind = column.type
    try:
        if pa.types.is_timestamp(kind):
            column = pc.cast(column, pa.timestamp("us", kind.tz))
        elif pa.types.is_time(kind):
            column = pc.cast(column, pa.time64("us"))
        elif pa.types.is_duration(kind):
            column = pc.cast(pc.cast(column, pa.int64()), pa.string())
        return list(column.to_pylist())
    except (pa.ArrowException, ValueError, OverflowError):
        raise problem("table.typed.type", column=name, type=str(kind).split("<", 1)[0]) from None
