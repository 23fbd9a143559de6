"""The gate table and what the search for identifiers found, as page, document and API show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.core.numbers import count, one_in
from projects.identification.wording import kind_name

from ..remedies.presentation import CheckRemedies, RemedyLine
from ..wording import amount, bound, translated
from .check import Formula, label_of
from .checks import check_of
from .report import CheckResult, Finding, Report

WHERE: dict[str, Any] = {
    "values": gettext_lazy("Values of the column"),
    "free_text": gettext_lazy("Inside longer texts"),
    "pseudonyms": gettext_lazy("Among the pseudonyms"),
    "column_name": gettext_lazy("Name of the column"),
    "metadata": gettext_lazy("File properties"),
    "column": gettext_lazy("The column as a whole"),
}
MOST = 0.5
_ORDER = {False: 0, None: 1, True: 2}
"""What fails comes first, then what could not run."""


@dataclass(frozen=True)
class GateRow:
    """One check as the gate table draws it. ``passed`` None: could not run, never a pass."""

    kind: str
    label: str
    target: str
    measured: str
    passed: bool | None
    plain: str
    clause: str
    meaning: str
    remedies: Sequence[RemedyLine]
    details: Sequence[str]
    formula: Formula | None


def gate_rows(
    results: Sequence[CheckResult], report: Report | None = None, *, recipe_url: str = ""
) -> list[GateRow]:
    """The gate table. ``recipe_url`` is where the recipe is changed; without it nothing leads anywhere.

    Where the job has worked out what would make a check pass, that stands with it, the cheapest first, and leads to
    the table of remedies.
    """
    report = report or Report()
    remedies = CheckRemedies(report)
    rows = [gate_row(result, report, remedies, recipe_url) for result in results]
    # The average and the overall risk often ask for the same; say it once.
    said: list[GateRow] = []
    for row in sorted(rows, key=lambda row: _ORDER[row.passed]):
        twin = next((other for other in said if row.remedies and other.remedies == row.remedies), None)
        if twin is not None:
            same = _("What mends “%(check)s” mends this too.") % {"check": twin.label}
            row = replace(row, remedies=[RemedyLine(same)])
        said.append(row)
    return said


def gate_row(result: CheckResult, report: Report, remedies: CheckRemedies, recipe_url: str) -> GateRow:
    """One check in the reader's words."""
    check = check_of(result.kind)
    measured = amount(result.measured, result.unit)
    words = one_in(result.measured) if check.is_chance and result.measured else ""
    details = [translated(detail) for detail in result.details]
    lines = remedies.of(result, links=bool(recipe_url)) or [
        RemedyLine(translated(one), url=recipe_url) for one in result.remedies
    ]
    return GateRow(
        kind=result.kind,
        label=label_of(result),
        target=bound(result.target, result.unit, result.sense),
        measured=f"{measured} ({words})" if words and words not in measured else measured,
        passed=result.passed,
        plain=" ".join([translated(result.plain), *(details if check.shows_details else [])]),
        clause=check.clause,
        meaning=str(check.meaning),
        remedies=[] if result.passed else lines,
        details=details,
        # Of several tables each has figures of its own.
        formula=check.formula(result, report.of(result.table)),
    )


@dataclass(frozen=True)
class ResidualRow:
    """Something that should not be in the result: where it is, never what it is."""

    column: str
    kind: str
    where: str
    rows: str
    first_rows: str
    blocks: bool
    text: str


def residual_rows(report: Report) -> list[ResidualRow]:
    """What the search for direct identifiers found, what stops first."""
    rows = [
        _residual_row(item, f"{table}." if table else "")
        for table, of_table in report.by_table()
        if of_table.residual
        for item in of_table.residual.findings
    ]
    return sorted(rows, key=lambda row: not row.blocks) if report.tables else rows


def _residual_row(item: Finding, prefix: str) -> ResidualRow:
    return ResidualRow(
        column=prefix + (item.column or item.name),
        kind=_("Judged a direct identifier, not treated")
        if item.kind == "untreated"
        else kind_name(item.kind),
        where=str(WHERE.get(item.where, item.where)),
        rows=count(item.rows) if item.rows else "",
        # Where to look; nothing where it is nearly everywhere.
        first_rows="" if item.rate >= MOST else ", ".join(count(row) for row in item.first_rows),
        blocks=item.blocks and not item.allowed,
        text=translated(item),
    )
