"""Listing the smallest classes of each table that was just measured. Runs in the worker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from projects.datasets.samples import MAX_SHOWN
from projects.processing.models import RunTable
from techniques.core.messages import EngineError
from techniques.disclosure_risk.details import list_classes

from ...gate.check import Tick
from ...gate.persons import rows_of_persons
from ..gate import Measurement

if TYPE_CHECKING:
    from ...gate.case import Case

MOST = 1000
"""Classes of a table that are kept, the smallest ones."""


def classes_listed(
    cases: Mapping[str, tuple[Case, RunTable]], measured: Measurement, tick: Tick
) -> dict[str, Any]:
    """By the id of a table: ``columns``, how many classes there are (``total``), ``persons`` where sizes are persons, the ``k`` of the
    target, ``looser`` where the check reads emptied cells as anything, and ``classes`` as
    [size, rows, values].

    Of a table without a measured risk, or whose rows are groups and nobody's, nothing is listed.
    """
    found = {}
    for number, (name, (case, of)) in enumerate(cases.items()):
        risk = measured.report.of(name).risk
        if risk is None or case.cells is not None:
            continue
        start, rows = number / len(cases), case.result.rows or 1

        def ticking(done: int, start: float = start, rows: int = rows) -> None:
            tick(start + min(1.0, done / rows) / len(cases))

        try:
            found[str(of.table_id)] = _of_table(case, risk.columns, ticking)
        except EngineError:
            # What cannot be read again has failed a check already; it takes nothing from what was measured.
            continue
    return found


def _of_table(case: Case, columns: list[str], ticking: Any) -> dict[str, Any]:
    subjects = rows_of_persons(case).result
    listed = list_classes(case.result.batches(), columns, subjects=subjects, most=MOST, tick=ticking)
    values = [[text[:MAX_SHOWN] for text in column.to_pylist()] for column in listed.values]
    rows = listed.sizes if listed.rows is None else listed.rows
    return {
        "columns": columns,
        "total": listed.total,
        "persons": subjects is not None,
        "k": case.risk.k,
        "looser": bool(case.emptied()),
        "classes": [list(one) for one in zip(listed.sizes, rows, zip(*values, strict=True), strict=True)],
    }
