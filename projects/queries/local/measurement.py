"""Reading collected answers; works in the worker, returns plain figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from projects.datasets.store.store import store_open
from techniques.core import faults
from techniques.models.local_privacy.reports import CLAUSE, findings, statements
from techniques.models.local_privacy.survey import Survey
from techniques.tables import FileFormat, open_table
from techniques.tables.subjects import read_subjects

from ..models import LocalEstimate


def estimated(estimate: LocalEstimate, tick: Callable[[float], None]) -> dict[str, Any]:
    """The estimates of a file: shares or a mean with intervals, one answer to a person. EngineError with nothing of the data in it."""
    assert estimate.stored is not None
    parts: list[pa.RecordBatch] = []
    wanted = list(dict.fromkeys([estimate.column, *estimate.person_key]))
    with (
        store_open(estimate.stored, whole=True) as stream,
        open_table(stream, FileFormat(kind="csv", bom=_has_mark(estimate))) as table,
    ):
        for name in wanted:
            if name not in table.columns:
                raise faults.unknown_column(name)
        for batch in table.batches():
            parts.append(batch.select(wanted))
            tick(0.5)
    texts = [text for part in parts for text in part.column(estimate.column).cast(pa.string()).to_pylist()]
    whose = read_subjects(parts, estimate.person_key) if estimate.person_key else None
    found = findings(texts, Survey.model_validate(estimate.survey), whose)
    said = [one.model_dump(mode="json") for one in statements(found)]
    return found.model_dump(mode="json") | {"clause": CLAUSE, "statements": said}


def _has_mark(estimate: LocalEstimate) -> bool:
    """Whether the file begins with the mark that some programs write before UTF-8."""
    assert estimate.stored is not None
    with store_open(estimate.stored, whole=True) as stream:
        return stream.read(3) == b"\xef\xbb\xbf"
