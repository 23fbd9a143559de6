"""Reading, profiling, dictionary encoding and writing of table files: CSV, XLSX and Parquet.

The way of a file: :func:`detect` its :class:`FileFormat` and have a person confirm it, :func:`check`
every row once, then :func:`open_table` and work on its batches; :class:`TableWriter` writes the
result. Every cell is text, an empty one null. Names load their module on first use, so that asking
for ``FileFormat`` does not load Arrow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from techniques.tables.dictionary import (
        MISSING,
        ColumnEncoder,
        EncodedColumn,
        dictionary_encode,
        encode_columns,
        map_distinct,
    )
    from techniques.tables.formats import Encoding, Evidence, FileFormat, Kind
    from techniques.tables.profiling import ColumnProfile, TableProfile, check, row_count
    from techniques.tables.readers.detection import detect
    from techniques.tables.readers.reader import TableReader
    from techniques.tables.readers.reading import open_table, read_sample
    from techniques.tables.writers.formulas import (
        neutralise_column,
        neutralise_name,
        plain_batches,
        plain_names,
    )
    from techniques.tables.writers.writing import TableWriter

_NAMES = {
    "readers.detection": "detect",
    "dictionary": "MISSING ColumnEncoder EncodedColumn dictionary_encode encode_columns map_distinct",
    "formats": "Encoding Evidence FileFormat Kind",
    "writers.formulas": "neutralise_column neutralise_name plain_batches plain_names",
    "profiling": "ColumnProfile TableProfile check row_count",
    "readers.reader": "TableReader",
    "readers.reading": "open_table read_sample",
    "writers.writing": "TableWriter",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = [
    "MISSING", "ColumnEncoder", "ColumnProfile", "EncodedColumn", "Encoding", "Evidence", "FileFormat",
    "Kind", "TableProfile", "TableReader", "TableWriter", "check", "detect", "dictionary_encode",
    "encode_columns", "map_distinct", "neutralise_column", "neutralise_name", "open_table", "plain_batches",
    "plain_names", "read_sample", "row_count",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
