"""Tables of Hive: the metastore says where their files lie, and the tasks of a run read these themselves.

Spark is asked for the table and its partitions only; no row of it goes through Spark's own readers, or to the driver.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.messages import EngineError, _
from techniques.engines.spark.catalogued import Held, located
from techniques.engines.spark.layout import Located
from techniques.tables.problems import problem
from techniques.tables.sources.catalogs import Catalogued, elsewhere, missing, not_parquet, refusing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS: Final = {"spark.sql.catalogImplementation": "hive"}
# Lakes that have several versions of a row among their files keep them as Parquet too, but have them read by another class.
_PARQUET: Final = "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat"
Place = tuple[str, dict[str, str], str]
"""Where a partition lies, the texts of its keys, the class that Hive reads it by."""
_NULL: Final = "__HIVE_DEFAULT_PARTITION__"
_KINDS: Final = {
    "boolean": pa.bool_(),
    "byte": pa.int8(),
    "short": pa.int16(),
    "integer": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "string": pa.string(),
    "binary": pa.binary(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
    "timestamp_ntz": pa.timestamp("us"),
}


def hive_table(session: SparkSession, address: Catalogued) -> Located:
    """The files of a table of the metastore that the session has. EngineError ``catalog_…``, ``spark_no_hive``."""
    if session.conf.get("spark.sql.catalogImplementation") != "hive":
        text = _("This Spark session has no catalogue of Hive: set spark.sql.catalogImplementation to hive.")
        raise EngineError("spark_no_hive", text)
    *database, name = address.names
    catalog = _catalog(session)

    def known(found: Exception) -> EngineError | None:
        return missing(address) if "NOT_FOUND" in str(found) else None

    with refusing(address, known):
        table = catalog.getTable(database[0] if database else "default", name)
        kind = table.tableType().name()
        stored = _text(table.provider())
        form = _text(table.storage().inputFormat())
        transactional = is_transactional(_text(table.properties().get("transactional")))
        keys = [one for one in table.partitionColumnNames().mkString("\n").split("\n") if one]
        kept = table.tracksPartitionsInCatalog()
        columns = json.loads(table.schema().json())
    if kind == "VIEW":
        text = _("%(address)s is a view: make a table of it first.")
        raise EngineError("catalog_view", text, address=str(address))
    if stored not in ("hive", "parquet") or form != _PARQUET or transactional:
        held = stored if stored != "hive" else form.rpartition(".")[2]
        raise not_parquet(address, f"{held} (transactional)" if transactional else held)
    if keys and not kept:
        text = _(
            "The metastore does not know the partitions of %(address)s: let MSCK REPAIR TABLE find them."
        )
        raise EngineError("catalog_partitions", text, address=str(address))
    with refusing(address, known):
        places = _partitions(catalog, table, keys) if keys else [(str(table.location()), {}, form)]
    for _location, _texts, own in places:
        if own != _PARQUET:
            raise not_parquet(address, own.rpartition(".")[2])
    schema = _schema(columns)
    return located(address, schema, _held(address, schema, places), is_exact=False)


def is_transactional(said: str) -> bool:
    """Whether a table's property says that Hive keeps it in transactions. The metastore has the property as it was typed, and Hive
    compares it without regard to capitals."""
    return said.lower() == "true"


def _catalog(session: SparkSession) -> Any:
    return session._jsparkSession.sessionState().catalog().externalCatalog()


def _text(option: Any) -> str:
    """What an Option of Scala holds."""
    return str(option.get()) if option.isDefined() else ""


def _schema(known: dict[str, Any]) -> pa.Schema:
    """The columns in order, those of partitions last. EngineError of a column that is no single value."""
    fields = []
    for one in known["fields"]:
        kind = one["type"]
        name = kind if isinstance(kind, str) else kind["type"]
        if name.startswith("decimal("):
            precision, _comma, scale = name[len("decimal(") : -1].partition(",")
            fields.append((one["name"], pa.decimal128(int(precision), int(scale))))
        elif name.startswith(("char(", "varchar(")):
            fields.append((one["name"], pa.string()))
        elif name in _KINDS:
            fields.append((one["name"], _KINDS[name]))
        else:
            raise problem("table.parquet.type", column=one["name"], type=name)
    return pa.schema(fields)


def _partitions(catalog: Any, table: Any, keys: list[str]) -> list[Place]:
    """The partitions in the order of their keys."""
    # Scala's None, which a table that is no view has there: all partitions are asked for.
    everything = table.viewText()
    found = catalog.listPartitions(table.database(), table.identifier().table(), everything)
    places = []
    for number in range(found.size()):
        one = found.apply(number)
        texts = {key: str(one.spec().apply(key)) for key in keys}
        places.append((str(one.location()), texts, _text(one.storage().inputFormat())))
    return sorted(places, key=lambda place: list(place[1].values()))


def _held(address: Catalogued, schema: pa.Schema, places: list[Place]) -> Iterator[Held]:
    for location, texts, _form in places:
        parts = urlsplit(location)
        if parts.scheme not in ("", "file"):
            raise elsewhere(address, f"{parts.scheme}://")
        root = Path(url2pathname(parts.path))
        said = {key: _cell(text, schema.field(key).type) for key, text in texts.items()}
        own = [name for name in schema.names if name not in texts]
        folders = [f"{key}={text}" for key, text in texts.items()]
        for path in _files(root):
            name = "/".join([*folders, *path.relative_to(root).parts])
            yield Held(str(path), name, partial(_names, own), said)


def _cell(text: str, kind: pa.DataType) -> Any:
    return None if text == _NULL else pc.cast(pa.scalar(text), kind).as_py()


def _files(root: Path) -> list[Path]:
    """The files of a folder and those below, in order, without what Spark and Hive leave out. OSError where one may not look."""

    def refuse(error: OSError) -> None:
        raise error

    found = []
    for folder, below, names in os.walk(root, onerror=refuse):
        below[:] = [one for one in below if not one.startswith((".", "_"))]
        paths = [Path(folder, one) for one in names if not one.startswith((".", "_"))]
        found += [path for path in paths if path.stat().st_size]
    return sorted(found)


def _names(columns: list[str], schema: pa.Schema) -> dict[str, str]:
    """What a file calls the columns: Hive knows no capitals."""
    there = {name.lower(): name for name in schema.names}
    return {name: there[name.lower()] for name in columns if name.lower() in there}
