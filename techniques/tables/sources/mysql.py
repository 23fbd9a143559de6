"""Tables of MySQL and MariaDB, by PyMySQL: read through a cursor of the server, written by INSERT of many rows."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.messages import EngineError, _
from techniques.tables.canonical import column_text
from techniques.tables.problems import problem
from techniques.tables.sources.databases import ROWS, Address, Rows, exists_already, failed, missing, quoted

if TYPE_CHECKING:
    import pymysql

# What an address may say beside the table, as the driver calls it.
_SETTINGS: Final = frozenset({"unix_socket", "ssl_ca", "ssl_cert", "ssl_key"})
_INTEGERS: Final = {"tinyint": 8, "smallint": 16, "mediumint": 32, "int": 32, "bigint": 64}
_TEXTS: Final = frozenset(
    ["char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set", "json"]
)
_BYTES: Final = frozenset(["binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"])
_SHAPES: Final = frozenset(
    [
        "geometry",
        "point",
        "linestring",
        "polygon",
        "multipoint",
        "multilinestring",
        "multipolygon",
        "geometrycollection",
        "geomcollection",
    ]
)
_SAID: Final = {
    1044: "access denied",
    1045: "access denied",
    1049: "there is no such database",
    2003: "no server answers there",
}
_MOST_DIGITS, _MOST_SCALE = 65, 30


@dataclass(frozen=True)
class _Column:
    """A column of the server: the type that it has in a table file, what is selected of it, and an expression that says
    whether it holds values which that type has not, so that it is read as ``otherwise``."""

    name: str
    kind: pa.DataType
    wanted: str
    strange: str = ""
    otherwise: pa.DataType | None = None


class Mysql:
    """A table of MySQL or MariaDB (:class:`techniques.tables.sources.databases.Database`).

    The server ends a transaction with each change of a table's definition. So a new table is made under a name of its own and
    gets its name at the end, in one step with which an older one goes.
    """

    def __init__(self, address: Address) -> None:
        # Only where the extra is installed.
        from pymysql import MySQLError

        self._address = address
        self._error = MySQLError
        self._connection: pymysql.Connection[Any] | None = None
        self._made: str | None = None
        self._takes_place = False

    @contextmanager
    def _said(self) -> Iterator[None]:
        """A fault by its name and number: what the server says of it may quote a row."""
        try:
            yield
            return
        except self._error as error:
            number = error.args[0] if error.args and isinstance(error.args[0], int) else None
            reason = f"{type(error).__name__}{f' ({number})' if number else ''}"
        raise failed(self._address, reason)

    def _open(self) -> pymysql.Connection[Any]:
        from pymysql import connect

        if self._connection is None:
            try:
                self._connection = connect(**self._settings(), charset="utf8mb4", autocommit=False)
                with self._connection.cursor() as cursor:
                    cursor.execute(
                        "SET SESSION time_zone = '+00:00', sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"
                    )
                return self._connection
            except self._error as error:
                # The server's own words have the user's name in them.
                number: Any = error.args[0] if error.args else ""
                reason = _SAID.get(number, f"{type(error).__name__} ({number})")
            except (OSError, ValueError) as error:
                reason = type(error).__name__
            text = _("%(address)s cannot be reached: %(reason)s")
            raise EngineError("database_unreachable", text, address=str(self._address), reason=reason)
        return self._connection

    def _settings(self) -> dict[str, Any]:
        """What the driver is given: of the address, else of the file and the variable of the server's own programs."""
        parts = urlsplit(self._address.base)
        more = dict(parse_qsl(parts.query))
        if set(more) - _SETTINGS:
            raise ValueError
        given: dict[str, Any] = {
            "host": parts.hostname,
            "port": parts.port,
            "user": unquote(parts.username) if parts.username else None,
            "password": unquote(parts.password) if parts.password else os.environ.get("MYSQL_PWD"),
        }
        own = Path("~/.my.cnf").expanduser()
        if own.is_file():
            given["read_default_file"] = str(own)
        if "ssl_ca" in more:
            given["ssl_verify_identity"] = True
        known = {name: value for name, value in given.items() if value is not None}
        return {**known, **more, "database": unquote(parts.path[1:])}

    def _all(self, query: str, values: Iterable[Any] | None = None) -> list[Any]:
        with self._said(), self._open().cursor() as cursor:
            cursor.execute(query, None if values is None else list(values))
            return list(cursor.fetchall())

    def _of_catalogue(self, what: str, where: str, more: str = "") -> list[Any]:
        """``what`` the server's catalogue ``where`` says of the table."""
        *schema, name = self._address.table
        query = f"SELECT {what} FROM information_schema.{where} WHERE table_schema = coalesce(%s, DATABASE()) AND table_name = %s {more}"
        return self._all(query, [schema[0] if schema else None, name])

    def _there(self) -> bool:
        return bool(self._of_catalogue("1", "tables"))

    @contextmanager
    def rows(self) -> Iterator[Rows]:
        try:
            self._all("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._all("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
            columns = [
                _column(*one)
                for one in self._of_catalogue(
                    "column_name, lower(data_type), lower(column_type), numeric_precision, numeric_scale",
                    "columns",
                    "ORDER BY ordinal_position",
                )
            ]
            if not columns:
                raise missing(self._address)
            table = quoted(self._address.table)
            asked = [one for one in columns if one.strange]
            if asked:
                [found] = self._all(
                    f"SELECT {', '.join(f'max({one.strange})' for one in asked)} FROM {table}"
                )
                strange = {one.name for one, is_strange in zip(asked, found, strict=True) if is_strange}
                columns = [_as_it_is(one) if one.name in strange else one for one in columns]
            schema = pa.schema([(one.name, one.kind) for one in columns])
            query = f"SELECT {', '.join(one.wanted for one in columns)} FROM {table}"
            yield schema, self._batches(query, schema)
        finally:
            self.close()

    def _batches(self, query: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        from pymysql.cursors import SSCursor

        with self._said(), self._open().cursor(SSCursor) as cursor:
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
        there = self._there()
        mode = self._address.mode
        if there and mode == "create":
            raise exists_already(self._address)
        target = quoted(self._address.table)
        if there and mode == "append":
            self._require_transactions()
        else:
            self._takes_place = there
            target = quoted([*self._address.table[:-1], f"deid_{secrets.token_hex(8)}"])
            columns = ", ".join(f"{quoted([one.name])} {_written_type(one.type)} NULL" for one in schema)
            self._all(f"CREATE TABLE {target} ({columns}) CHARACTER SET utf8mb4")
            self._made = target
        names = ", ".join(quoted([name]) for name in schema.names).replace("%", "%%")
        marks = ", ".join(["%s"] * len(schema))
        insert = f"INSERT INTO {target.replace('%', '%%')} ({names}) VALUES ({marks})"
        with self._said(), self._open().cursor() as cursor:
            for batch in batches:
                cells = [_values(name, one) for name, one in zip(schema.names, batch.columns, strict=True)]
                cursor.executemany(insert, list(zip(*cells, strict=True)))

    def _require_transactions(self) -> None:
        """EngineError ``database_failed``: rows that are added to a table without transactions could not be taken back."""
        query = "AND engine IN (SELECT engine FROM information_schema.engines WHERE transactions = 'YES')"
        if not self._of_catalogue("1", "tables", query):
            raise failed(self._address, "no transactions")

    def commit(self) -> None:
        if self._connection is None:
            return
        with self._said():
            self._connection.commit()
        if self._made is not None:
            name = quoted(self._address.table)
            older = f'{self._made[:-1]}_older"'
            gone = f"{name} TO {older}, " if self._takes_place else ""
            self._all(f"RENAME TABLE {gone}{self._made} TO {name}")
            self._made = None
            if gone:
                self._all(f"DROP TABLE {older}")

    def close(self) -> None:
        if self._connection is None:
            return
        try:
            if self._made is not None:
                self._connection.rollback()
                self._all(f"DROP TABLE {self._made}")
        finally:
            self._made = None
            self._connection.close()
            self._connection = None


def _column(name: str, kind: str, written: str, digits: int | None, scale: int | None) -> _Column:
    column = quoted([name])
    if kind in _INTEGERS:
        bits = _INTEGERS[kind]
        whole = getattr(pa, f"{'uint' if 'unsigned' in written else 'int'}{bits}")()
        if written == "tinyint(1)":
            return _Column(name, pa.bool_(), column, f"{column} NOT IN (0, 1)", whole)
        return _Column(name, whole, column)
    if kind == "decimal" and digits is not None:
        exact = pa.decimal128 if digits <= 38 else pa.decimal256
        return _Column(name, exact(digits, scale or 0), column)
    if kind == "date":
        return _Column(name, pa.date32(), column, _no_day(column), pa.string())
    if kind in ("datetime", "timestamp"):
        time = pa.timestamp("us", "UTC" if kind == "timestamp" else None)
        return _Column(name, time, column, _no_day(column), pa.string())
    if kind == "time":
        outside = f"{column} < '00:00:00' OR {column} >= '24:00:00'"
        return _Column(name, pa.time64("us"), column, outside, pa.string())
    if kind in _TEXTS:
        return _Column(name, pa.string(), column)
    if kind in _BYTES:
        return _Column(name, pa.binary(), column)
    other: dict[str, tuple[pa.DataType, str]] = {
        # A plain FLOAT is shown with six digits only.
        "float": (pa.float32(), f"{column} + 0e0"),
        "double": (pa.float64(), column),
        "year": (pa.int16(), column),
        "bit": (pa.uint64(), f"{column} + 0"),
    }
    if kind in other:
        return _Column(name, *other[kind])
    text = f"ST_AsText({column})" if kind in _SHAPES else f"CAST({column} AS CHAR)"
    return _Column(name, pa.string(), text)


def _no_day(column: str) -> str:
    """Whether there are dates like 0000-00-00, which the server holds for none."""
    return f"YEAR({column}) = 0 OR MONTH({column}) = 0 OR DAYOFMONTH({column}) = 0"


def _as_it_is(column: _Column) -> _Column:
    kind = column.otherwise or pa.string()
    wanted = f"CAST({column.wanted} AS CHAR)" if pa.types.is_string(kind) else column.wanted
    return _Column(column.name, kind, wanted)


def _cells(cells: tuple[Any, ...], kind: pa.DataType) -> pa.Array:
    if pa.types.is_boolean(kind):
        return pa.array([None if one is None else bool(one) for one in cells], kind)
    if pa.types.is_time(kind):
        # The driver gives a span since midnight.
        return pc.cast(pc.cast(pa.array(cells, pa.duration("us")), pa.int64()), kind)
    if pa.types.is_decimal(kind):
        return pa.array([None if one is None else Decimal(one) for one in cells], kind)
    return pa.array(cells, kind)


def _written_type(kind: pa.DataType) -> str:
    types = pa.types
    if types.is_dictionary(kind):
        return _written_type(kind.value_type)
    if types.is_boolean(kind):
        return "BOOLEAN"
    if types.is_integer(kind):
        signed = types.is_signed_integer(kind)
        name = {8: "TINYINT", 16: "SMALLINT", 32: "INT", 64: "BIGINT"}[kind.bit_width]
        return name if signed else f"{name} UNSIGNED"
    if types.is_floating(kind):
        return "DOUBLE" if kind == pa.float64() else "FLOAT"
    if types.is_decimal(kind) and kind.precision <= _MOST_DIGITS and 0 <= kind.scale <= _MOST_SCALE:
        return f"DECIMAL({kind.precision}, {kind.scale})"
    if types.is_date(kind):
        return "DATE"
    if types.is_timestamp(kind):
        return "TIMESTAMP(6)" if kind.tz else "DATETIME(6)"
    if types.is_time(kind):
        return "TIME(6)"
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return "LONGBLOB"
    return "LONGTEXT"


def _values(name: str, column: pa.Array) -> list[Any]:
    """The cells as Python's own values, which the driver adapts. EngineError ``table.typed.type``."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    try:
        if pa.types.is_timestamp(kind):
            # Written as seen in UTC, in which the session is.
            column = pc.cast(pc.cast(column, pa.timestamp("us", kind.tz)), pa.timestamp("us"))
        elif pa.types.is_time(kind):
            column = pc.cast(column, pa.time64("us"))
        elif pa.types.is_duration(kind):
            column = pc.cast(pc.cast(column, pa.int64()), pa.string())
        elif pa.types.is_decimal(kind) and _written_type(kind) == "LONGTEXT":
            column = column_text(column)
        return list(column.to_pylist())
    except (pa.ArrowException, ValueError, OverflowError):
        raise problem("table.typed.type", column=name, type=str(kind).split("<", 1)[0]) from None
