"""Small builders shared by the tests of table files."""

from __future__ import annotations

import io

import pyarrow as pa
import pytest

from techniques.core.messages import EngineError
from techniques.tables import FileFormat, TableWriter, check, open_table


def batch(**columns: list[str | None]) -> pa.RecordBatch:
    return pa.record_batch([pa.array(cells, pa.string()) for cells in columns.values()], names=list(columns))


def table(data: bytes, **facts: object) -> dict[str, list[str | None]]:
    """Read a whole file as columns of cells."""
    with open_table(io.BytesIO(data), FileFormat(**facts)) as reader:
        found: dict[str, list[str | None]] = {name: [] for name in reader.columns}
        for piece in reader.batches():
            for name, cells in piece.to_pydict().items():
                found[name] += cells
    return found


def fault(data: bytes, **facts: object) -> EngineError:
    """Check a broken file and return what is said about it."""
    with pytest.raises(EngineError) as caught:
        check(io.BytesIO(data), FileFormat(**facts))
    error = caught.value
    assert error.__cause__ is None
    str(error)  # every placeholder has its value
    return error


def written(content: pa.RecordBatch, neutralise: bool = True, **facts: object) -> bytes:
    stream = io.BytesIO()
    names = content.schema.names
    with TableWriter(stream, FileFormat(**facts), names, neutralise_formulas=neutralise) as writer:
        writer.write(content)
    return stream.getvalue()
