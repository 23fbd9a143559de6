"""Listing the smallest classes of each table that was just measured. Runs in the worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from projects.datasets.samples import MAX_SHOWN
from projects.processing.models import RunTable
from techniques.core.messages import EngineError
from techniques.disclosure_risk.details import list_classes

from ...gate.check import Tick
from ...gate.persons import rows_of_persons
from ..gate import Measurement
from .enums import WhyUnlisted

if TYPE_CHECKING:
    from ...gate.case import Case

MOST = 1000
"""Classes of a table that are kept, the smallest ones."""


def classes_listed(
    cases: Mapping[str, tuple[Case, RunTable]], measured: Measurement, tick: Tick
) -> dict[str, Any]:
    """By the id of a table: ``columns``, how many classes there are (``total``), ``persons`` where sizes are persons, the ``k`` of the
    target, ``looser`` where the check reads emptied cells as anything, and ``classes`` as
    [size, rows, values]. Of a table of which nothing is listed ``why`` says in a code why not.
    """
    found: dict[str, Any] = {}
    for number, (name, (case, of)) in enumerate(cases.items()):
        risk = measured.report.of(name).risk
        start, rows = number / len(cases), case.result.rows or 1

        def ticking(done: int, start: float = start, rows: int = rows) -> None:
            tick(start + min(1.0, done / rows) / len(cases))

        if case.cells is not None:
            listed: dict[str, Any] = {"why": WhyUnlisted.OF_GROUPS}
        elif risk is None:
            listed = {"why": WhyUnlisted.WITHOUT_RISK}
        else:
            try:
                listed = _of_table(case, risk.columns, ticking)
            except EngineError as error:
                # What was measured stays measured; who looks for the list learns why there is none.
                listed = {
                    "why": WhyUnlisted.SUBJECTS_UNKNOWN
                    if error.code == WhyUnlisted.SUBJECTS_UNKNOWN
                    else WhyUnlisted.UNREAD
                }
        found[str(of.table_id)] = listed
    return found


def _of_table(case: Case, columns: list[str], ticking: Any) -> dict[str, Any]:
    subjects = rows_of_persons(case).result
    listed = list_classes(case.result.coded(columns, ticking), subjects=subjects, most=MOST)
    values = [_short(column.to_pylist()) for column in listed.values]
    rows = listed.sizes if listed.rows is None else listed.rows
    return {
        "columns": columns,
        "total": listed.total,
        "persons": subjects is not None,
        "k": case.risk.k,
        "looser": bool(case.emptied()),
        "classes": [list(one) for one in zip(listed.sizes, rows, zip(*values, strict=True), strict=True)],
    }


def _short(texts: Sequence[str]) -> list[str]:
    """Values of a column as they are shown. One that was cut is longer than any that was not, and a number tells those apart that
    begin alike, so that two classes never read the same."""
    begin_alike: dict[str, list[str]] = {}
    for text in dict.fromkeys(texts):
        if len(text) > MAX_SHOWN:
            begin_alike.setdefault(text[:MAX_SHOWN], []).append(text)
    cut = {
        text: f"{start}…" if len(those) == 1 else f"{start}… ({number})"
        for start, those in begin_alike.items()
        for number, text in enumerate(those, start=1)
    }
    return [cut.get(text, text) for text in texts]
