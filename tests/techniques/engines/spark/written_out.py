"""The parts of a layout as somebody reads them: cells as texts, out of their dictionaries."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from techniques.engines.spark.layout import Layout


def texts_of(layout: Layout, first: int = 0) -> Iterator[pa.RecordBatch]:
    """The parts from ``first`` on, all columns as texts."""
    for batch in layout.coded(first, layout.columns):
        cells = [column.dictionary_decode() for column in batch.columns]
        yield pa.RecordBatch.from_arrays(cells, names=batch.schema.names)
