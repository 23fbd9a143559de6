"""The subject key of a table: whose row each row is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from techniques.core import faults
from techniques.core.subjects import Subjects, subject_codes
from techniques.tables.dictionary import encode_columns


def read_subjects(batches: Iterable[pa.RecordBatch], key: Sequence[str]) -> Subjects | None:
    """A code for each row by the columns of ``key``; None where it is empty, so that one row is one person.

    Raises EngineError ``unknown_column``.
    """
    if not key:
        return None

    def known() -> Iterable[pa.RecordBatch]:
        for batch in batches:
            for name in key:
                if name not in batch.schema.names:
                    raise faults.unknown_column(name)
            yield batch

    columns = encode_columns(known(), key).values()
    return subject_codes([column.codes for column in columns], [len(column.values) for column in columns])
