"""Reads what releases held, in the worker: columns as texts, and whose the rows are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from projects.processing.models import RunTable
from projects.processing.runs.selectors import result_format, result_open, result_subjects
from projects.verification.gate.case import Case, Table
from techniques.core.messages import EngineError, gettext_noop

if TYPE_CHECKING:
    from techniques.core.subjects import Subjects

MOST_CELLS = 100_000_000
"""Cells that are in memory together, the source's among them."""
Tick = Callable[[float], None]


class Reader:
    """Reads columns of tables until ``MOST_CELLS`` cells are in memory."""

    def __init__(self, tick: Tick) -> None:
        self._cells, self._tick = 0, tick

    def table(self, table: Table, columns: Sequence[str]) -> pa.Table:
        """Those ``columns`` that are there, as texts."""
        there = [name for name in columns if name in table.columns()]
        parts = []
        for batch in table.batches():
            self._cells += batch.num_rows * max(len(there), 1)
            if self._cells > MOST_CELLS:
                text = gettext_noop(
                    "These releases are too large to be measured together: they have more than %(most)d cells."
                )
                raise EngineError("releases.too_large", text, most=MOST_CELLS)
            parts.append(batch.select(there))
            self._tick(0.2)
        schema = pa.schema([(name, pa.string()) for name in there])
        return pa.Table.from_batches(parts) if parts else schema.empty_table()


def file_of(table: RunTable) -> Table:
    """What a run wrote of one table."""
    return Table(
        lambda: result_open(table),
        result_format(table),
        table.result_rows or 0,
        frozenset(table.dataset.columns),
    )


def subjects_of(case: Case, table: RunTable) -> Subjects | None:
    """Whose each row of a result is; None where each is a person's."""
    if not case.person_key:
        return None
    found = result_subjects(table)
    if found is None:
        text = gettext_noop(
            "Persons have several rows, and it was not written down whose the rows of a result are."
        )
        raise EngineError("releases.subjects_unsaid", text)
    return found
