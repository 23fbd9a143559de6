"""The files of a table that a catalogue names, as a cluster reads them: columns by what each file calls them, in the table's types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from techniques.core.messages import EngineError, _
from techniques.engines.spark.layout import File, Located
from techniques.tables.formats import FileFormat
from techniques.tables.problems import problem
from techniques.tables.readers.header import validate_names
from techniques.tables.readers.parquet import ParquetReader
from techniques.tables.sources.catalogs import Catalogued
from techniques.tables.types import plain_type

_PARQUET = FileFormat(kind="parquet")


@dataclass(frozen=True)
class Held:
    """A file of a table: ``names`` gives what it calls the columns that it holds, ``said`` what others have in each of its rows."""

    path: str
    name: str
    names: Callable[[pa.Schema], Mapping[str, str]]
    said: Mapping[str, Any]


def located(address: Catalogued, schema: pa.Schema, held: Iterable[Held], *, is_exact: bool) -> Located:
    """The table of ``schema`` that lies in these files, each of which is opened. Unless the schema ``is_exact``, a time has the unit and
    zone of the first file that holds it. EngineError of a file that is no part of it."""
    validate_names(schema.names)
    files: list[File] = []
    settled: set[str] = set()
    kinds = {one.name: one.type for one in schema}
    for one in held:
        with open(one.path, "rb") as stream, ParquetReader(stream) as reader:
            names, types = one.names(pq.read_schema(one.path)), reader.types
            converted = False
            for column, there in names.items():
                found, kind = plain_type(types[there]), kinds[column]
                if not is_exact and pa.types.is_timestamp(found) and pa.types.is_timestamp(kind):
                    # What a catalogue calls a time files keep in parts of their own; none of two units holds all values of the other.
                    if column in settled and found != kind:
                        raise _mixed(address, one.name, column, found, kind)
                    settled.add(column)
                    kinds[column] = kind = found
                if found != kind and not _widened(found, kind):
                    raise _otherwise(address, one.name, column, found, kind)
                converted |= found != kind
            said = {column: one.said.get(column) for column in schema.names if column not in names}
            others = {column: there for column, there in names.items() if column != there}
            files.append(File(one.path, one.name, _PARQUET, said, reader.group_rows, others, converted))
    if not files:
        raise problem("table.rows.none")
    return Located(files, list(schema.names), [kinds[name] for name in schema.names], True)


def _widened(found: pa.DataType, kind: pa.DataType) -> bool:
    """Whether each value of a file's type is one of the table's, too."""
    types = pa.types
    if types.is_integer(found) and types.is_integer(kind):
        if types.is_signed_integer(found) == types.is_signed_integer(kind):
            return bool(found.bit_width <= kind.bit_width)
        # Half of the values without a sign are too large for a number of the same width that has one.
        return bool(types.is_signed_integer(kind) and found.bit_width < kind.bit_width)
    if types.is_decimal(found) and types.is_decimal(kind):
        return bool(found.scale == kind.scale and found.precision <= kind.precision)
    texts = (pa.string(), pa.large_string()), (pa.binary(), pa.large_binary())
    return (
        any(found in alike and kind in alike for alike in texts)
        or (found == pa.float32() and kind == pa.float64())
        or (types.is_timestamp(found) and types.is_timestamp(kind) and _holds_times(found, kind))
    )


_UTC: Final = ("UTC", "+00:00", "Etc/UTC", "Z")


def _holds_times(found: pa.DataType, kind: pa.DataType) -> bool:
    """Whether times of a file are read as those of an exact schema. The times that Spark and Hive wrote of old (INT96) have no zone and
    are in UTC; their parts below a microsecond are left out, as PyIceberg does."""
    zones = found.tz == kind.tz or (kind.tz in _UTC and (found.tz is None or found.tz in _UTC))
    return bool(zones and kind.unit == "us")


def _mixed(address: Catalogued, part: str, column: str, found: pa.DataType, kind: pa.DataType) -> EngineError:
    text = _(
        "%(address)s: the file %(part)s has column “%(column)s” as %(found)s, files before it as %(expected)s."
    )
    given = {"part": part, "column": column, "found": str(found), "expected": str(kind)}
    return EngineError("catalog_mixed", text, address=str(address), **given)


def _otherwise(
    address: Catalogued, part: str, column: str, found: pa.DataType, kind: pa.DataType
) -> EngineError:
    text = _(
        "%(address)s: the file %(part)s has column “%(column)s” as %(found)s, the catalogue as %(expected)s."
    )
    return EngineError(
        "catalog_type",
        text,
        address=str(address),
        part=part,
        column=column,
        found=str(found),
        expected=str(kind),
    )
