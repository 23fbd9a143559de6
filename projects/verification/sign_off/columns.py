"""The columns that go out: in what form, and how one row of them looks, masked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from projects.core.numbers import beside
from projects.datasets.samples import MASK, head_read
from projects.datasets.store.store import store_open
from projects.processing.models import Run, RunTable
from projects.processing.recipes.pages import step_lines
from projects.processing.runs.selectors import result_format, tables_of_run
from techniques.core.messages import EngineError

from ..reports.gate import Report

# What at least so many share tells nobody apart, and may be read.
SHARED = 5


@dataclass(frozen=True)
class ColumnOut:
    """A column of the result: how it was treated, and its value in the first row where
    at least :data:`SHARED` have the same in all such columns, a mask elsewhere, "" where the cell is empty or cannot be read."""

    name: str
    form: str
    sample: str


@dataclass(frozen=True)
class TableOut:
    name: str
    columns: list[ColumnOut]
    removed: list[str]


def tables_out(run: Run, report: Report) -> list[TableOut]:
    """What leaves, table by table."""
    parts = run.recipe_version.tables
    return [
        _table_out(name, written, parts[name], _shared(report, name))
        for name, written in tables_of_run(run).items()
        if written.report
    ]


def _table_out(name: str, written: RunTable, content: Mapping[str, Any], shared: Sequence[str]) -> TableOut:
    forms = _forms(content, written.report)
    columns: list[str] = written.report["columns_out"]
    row = _first_row(written)
    return TableOut(
        name,
        [
            ColumnOut(column, forms.get(column) or _("as it was"), _shown(row.get(column), column in shared))
            for column in columns
        ],
        [column for column in written.report["columns_in"] if column not in columns],
    )


def _forms(content: Mapping[str, Any], report: Mapping[str, Any]) -> dict[str, str]:
    """Column → the techniques that treated it, in their order, with the level that a search chose."""
    said: dict[str, list[str]] = {}
    for line in step_lines(content, report):
        levels = {level["column"]: level["text"] for level in line.levels}
        for column in line.columns:
            level = levels.get(column)
            said.setdefault(column, []).append(beside(line.name, level) if level else line.name)
    return {column: " → ".join(names) for column, names in said.items()}


def _shared(report: Report, table: str) -> Sequence[str]:
    """The columns whose values in any row are those of several, so that they need no mask."""
    risk = report.of(table).risk
    return risk.columns if risk is not None and risk.k >= SHARED else []


def _shown(cell: str | None, is_shared: bool) -> str:
    if not cell:
        return ""
    return cell if is_shared else MASK


def _first_row(written: RunTable) -> dict[str, str]:
    """The first row of the file; nothing where it was destroyed or is not what was stored."""
    if written.result is None or written.result.destroyed_at is not None:
        return {}
    try:
        with store_open(written.result) as stream:
            head = head_read(stream, result_format(written), 1)
    except (EngineError, OSError):
        return {}
    return {
        column: cell or ""
        for column, cell in zip(head.columns, head.rows[0] if head.rows else (), strict=False)
    }
