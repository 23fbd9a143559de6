"""Tables in memory: pandas frames and Arrow tables become tables of text, and results take the form that was given."""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from techniques.core.messages import EngineError, _
from techniques.tables.canonical import cells_column, column_text, is_plain
from techniques.tables.formats import FileFormat
from techniques.tables.problems import problem
from techniques.tables.readers.detection import detect
from techniques.tables.readers.reading import open_table
from techniques.tables.sources.files import readable


def read_file(path: str | os.PathLike[str], given: dict[str, Any] | None = None) -> pa.Table:
    """The table of a file, all columns ``string``; ``given`` are fields of the format that need no detecting.

    EngineError ``file_missing``, ``file_format_invalid``, and what detection and readers raise.
    """
    file = Path(path)
    if not file.is_file():
        raise EngineError("file_missing", _("There is no file %(path)s."), path=str(file))
    with tempfile.TemporaryDirectory(prefix="deid-") as folder:
        plain, _form = readable(file, lambda name: Path(tempfile.mkdtemp(dir=folder)) / name)
        with plain.open("rb") as stream:
            form = detect(stream, plain.name)
        if given:
            try:
                form = FileFormat.model_validate(form.model_dump() | given)
            except ValueError:
                text = _(
                    "The encoding is utf-8, gb18030, utf-16-le or utf-16-be, the delimiter a comma, semicolon, tab or bar."
                )
                raise EngineError("file_format_invalid", text) from None
        return read_form(plain, form)


def read_form(file: Path, form: FileFormat) -> pa.Table:
    """The table of a file whose form is known."""
    with file.open("rb") as stream, open_table(stream, form) as reader:
        schema = pa.schema([(name, pa.string()) for name in reader.columns])
        return pa.Table.from_batches(list(reader.batches()), schema)


def as_text(data: Any) -> pa.Table:
    """A table of m ``string`` columns from a path, a pandas frame (without its index), an Arrow table or batch.

    EngineError ``data_unknown``, ``column_not_plain``, ``column_name_invalid``, ``column_name_twice``,
    ``table.columns.none``, and those of :func:`read_file`.
    """
    if isinstance(data, str | os.PathLike):
        return read_file(data)
    if isinstance(data, pa.Table | pa.RecordBatch):
        names: list[Any] = list(data.schema.names)
        columns = list(data.columns)
    elif is_frame(data):
        names = list(data.columns)
        columns = [data.iloc[:, place] for place in range(len(names))]
    else:
        text = _(
            "Give the path of a file, a pandas data frame or an Arrow table; what was given is of type %(type)s."
        )
        raise EngineError("data_unknown", text, type=type(data).__name__)
    _check_names(names)
    spelled = [_column(name, column) for name, column in zip(names, columns, strict=True)]
    return pa.table(spelled, names=names)


def is_frame(data: Any) -> bool:
    """Whether this is a pandas data frame; pandas is not loaded for the question."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def like(data: Any, table: pa.Table, *, rows_follow: bool = True) -> Any:
    """The table as a frame if ``data`` is one, with its index where its rows follow and are as many; else as it is."""
    if not is_frame(data):
        return table
    frame = table.to_pandas()
    if rows_follow and len(frame) == len(data):
        frame.index = data.index
    return frame


def _check_names(names: list[Any]) -> None:
    if not names:
        raise problem("table.columns.none")
    for place, name in enumerate(names):
        if not isinstance(name, str) or not name:
            text = _("Column %(place)d has no name, or one that is no text. Name every column by a text.")
            raise EngineError("column_name_invalid", text, place=place + 1)
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        text = _("%(times)d columns are called “%(column)s”. Rename all but one.")
        raise EngineError("column_name_twice", text, times=times, column=name)


def _column(name: str, column: Any) -> pa.ChunkedArray:
    """One column as text. EngineError ``column_not_plain``."""
    try:
        if not isinstance(column, pa.Array | pa.ChunkedArray):
            column = _of_series(column)
        if is_plain(column.type):
            chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
            return pa.chunked_array([column_text(chunk).cast(pa.string()) for chunk in chunks], pa.string())
    except (pa.ArrowException, TypeError, UnicodeError):
        pass
    text = _(
        "Column %(column)s holds something other than texts, numbers, dates and truth values, such as lists. "
        "Give one plain value a cell."
    )
    raise EngineError("column_not_plain", text, column=name)


def _of_series(series: Any) -> pa.Array | pa.ChunkedArray:
    """A pandas column; one of objects, or of a type that Arrow does not know, is spelled cell by cell."""
    if series.dtype != object:
        try:
            column = pa.array(series, from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError):
            pass
        else:
            if is_plain(column.type):
                return column
    missing = series.isna()
    return cells_column([None if gone else _plain(cell) for cell, gone in zip(series, missing, strict=True)])


def _plain(cell: Any) -> Any:
    """A cell as Python knows it. Raises ``TypeError`` for what holds several values."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Collection):
        raise TypeError(type(cell))
    # NumPy's scalars are no subclasses of Python's, its floats excepted.
    return cell.item() if isinstance(cell, np.generic) else cell
