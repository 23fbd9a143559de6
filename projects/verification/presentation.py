"""What a verification measured, as tables and charts for the page, the document and the API: the gate table, what the search
for identifiers found, and the figures behind them.

Remedies are in :mod:`.remedies.presentation`. Words and order, no queries, no decisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from approvals.passages import passage
from projects.core.numbers import amount, beside, bound, count, number, one_in, percent
from projects.datasets.tables.names import column_label, titled
from projects.identification.wording import kind_name

from .gate.check import Formula, label_of, source_text
from .gate.checks import check_of
from .gate.checks.overall import OverallRisk
from .gate.population import population_statements
from .models import Verification
from .remedies.presentation import CheckRemedies, RemedyLine
from .reports.gate import CheckResult, ClassSizes, Column, Finding, Measurement, Report, TableReport
from .reports.stored import Number
from .wording import FOUND, KEPT_MESSAGES, signed, translated

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
            same = _("What helps with “%(check)s” helps here too.") % {"check": twin.label}
            row = replace(row, remedies=[RemedyLine(same)])
        said.append(row)
    return said


def measured_changes(before: Verification, now: Verification) -> list[tuple[str, str, str]]:
    """(check, before, after) of every check that two measurements answer differently."""
    words = {True: _("Passed"), False: _("Did not pass"), None: _("Could not run")}
    number = [Counter(_about(result) for result in one.results) for one in (before, now)]

    def said(verification: Verification) -> dict[tuple[Any, ...], tuple[str, str]]:
        found: dict[tuple[Any, ...], tuple[str, str]] = {}
        for result in sorted(verification.results, key=lambda result: _ORDER[result.passed]):
            about = _about(result)
            # Recipe and targets may each promise something of one column: these are told apart by what is promised.
            promised = result.target if max(one[about] for one in number) > 1 else None
            row = gate_row(result, Report(), CheckRemedies(Report()), "")
            found.setdefault((*about, promised), (row.label, f"{row.measured} · {words[row.passed]}"))
        return found

    old, new = said(before), said(now)
    nothing = ("", "")
    pairs = [(old.get(key, nothing), new.get(key, nothing)) for key in dict.fromkeys([*old, *new])]
    return [(is_now[0] or was[0], was[1], is_now[1]) for was, is_now in pairs if was[1] != is_now[1]]


def _about(result: CheckResult) -> tuple[str, ...]:
    """What a row of the gate measures, whatever came of it. A label that was put otherwise since stands for the one that its check
    has now."""
    label = result.label
    message = label.message
    if message in KEPT_MESSAGES:
        message = source_text(check_of(result.kind).label)
    return (
        result.kind,
        result.table,
        result.measure,
        message,
        str(sorted(label.params.items())),
        label.columns,
    )


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
        measured=beside(measured, words) if words and words not in measured else measured,
        passed=result.passed,
        plain=passage([translated(result.plain), *(details if check.shows_details else [])]),
        clause=check.clause,
        meaning=check.meaning_of(result),
        remedies=[] if result.passed else lines,
        details=details,
        # Of several tables each has figures of its own.
        formula=check.formula(result, report.of(result.table)),
    )


@dataclass(frozen=True)
class ExemptRow:
    """A column that tells records apart and stays by a person's word: what was found, and the reason."""

    column: str
    found: str
    reason: str


def exempt_rows(report: Report) -> list[ExemptRow]:
    """What a person let stay against the finding, to be read before anything else."""
    return [
        ExemptRow(f"{table}.{one.column}" if table else one.column, translated(one.said), one.reason)
        for table, of_table in report.by_table()
        for one in of_table.exempt
    ]


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
    return sorted(rows, key=lambda row: not row.blocks)


def _residual_row(item: Finding, prefix: str) -> ResidualRow:
    return ResidualRow(
        column=prefix + (item.column or item.name),
        kind=str(FOUND[item.kind]) if item.kind in FOUND else kind_name(item.kind),
        where=str(WHERE.get(item.where, item.where)),
        rows=count(item.rows) if item.rows else "",
        # Where to look; nothing where it is nearly everywhere.
        first_rows="" if item.rate >= MOST else _(", ").join(count(row) for row in item.first_rows),
        blocks=item.blocks and not item.allowed,
        text=translated(item),
    )


def class_bars(report: TableReport) -> dict[str, Any] | None:
    """The histogram of class sizes: (label, classes) in order, with the labels of the bars below k."""
    risk, targets = report.risk, report.targets
    if not risk or not targets:
        return None
    k = targets.k
    used = [number for number, bar in enumerate(risk.histogram) if bar.classes]
    shown = risk.histogram[: used[-1] + 1] if used else risk.histogram[:1]
    bars = [(_size(bar), bar.classes, bar.size_from < k) for bar in shown]
    small = sum(bar.classes for bar in risk.histogram if bar.size_from < k)
    if small and risk.k < k:
        few = (
            _("Some classes hold fewer than %(k)s records, so the gate does not pass.")
            if risk.persons is None
            else _("Some classes hold fewer than %(k)s persons, so the gate does not pass.")
        )
        caption = few % {"k": k}
    else:
        alike = (
            _("Every record shares its values with at least %(n)s others.")
            if risk.persons is None
            else _("Everyone shares their values with at least %(n)s others.")
        )
        caption = alike % {"n": count(risk.k - 1)}
    return {
        "data": [(label, classes) for label, classes, _small in bars],
        "alarm": [label for label, _classes, is_small in bars if is_small],
        "alarm_label": _("smaller than %(k)s") % {"k": k},
        "x_label": _("Records in the class") if risk.persons is None else _("Persons in the class"),
        "caption": caption,
    }


def _size(bar: ClassSizes) -> str:
    if bar.size_to is None:
        return f"≥{bar.size_from}"
    if bar.size_from == bar.size_to:
        return str(bar.size_from)
    return f"{bar.size_from}–{bar.size_to}"


def gauge(results: Sequence[CheckResult]) -> dict[str, Any] | None:
    """The overall risk against its threshold; measured None where it could not be measured."""
    overall = next((one for one in results if one.kind == OverallRisk.kind), None)
    if overall is None:
        return None
    measured, threshold = overall.measured, overall.target
    if measured is None or threshold is None:
        caption = _("The risk could not be measured; it counts as not passed.")
    elif overall.passed is True:
        caption = _("Found %(measured)s; allowed is %(threshold)s.") % {
            "measured": one_in(measured),
            "threshold": one_in(threshold),
        }
    else:
        caption = _("Found %(measured)s, %(times)s times as often as the threshold allows.") % {
            "measured": one_in(measured),
            "times": number(measured / threshold),
        }
    return {"measured": measured, "threshold": threshold, "caption": caption}


def change_bars(report: TableReport) -> dict[str, Any] | None:
    """The share of records that can be found more easily than each threshold, in the source and in the result."""
    risk = report.risk
    if not risk or not risk.before:
        return None
    before = risk.before
    data = [
        (f"> {percent(float(threshold))}", before.at_risk.get(threshold, 0.0), share)
        for threshold, share in risk.at_risk.items()
    ]
    said = (
        _(
            "Records whose risk is above each threshold. Smallest class: %(before)s in the source, "
            "%(after)s in the result."
        )
        if risk.persons is None
        else _(
            "Persons whose risk is above each threshold. Persons in the smallest class: %(before)s in"
            " the source, %(after)s in the result."
        )
    )
    return {
        "data": data,
        "title": _("Share of records that can be recognised")
        if risk.persons is None
        else _("Share of persons that can be recognised"),
        "caption": said % {"before": count(before.k), "after": count(risk.k)},
    }


def cause_rows(report: TableReport) -> list[dict[str, str]]:
    """Which quasi-identifier carries the risk: what would be left without it, the most helpful first."""
    risk, targets = report.risk, report.targets
    if not risk or not targets:
        return []
    k = str(targets.k)
    found = sorted(risk.drop_one.items(), key=lambda item: (item[1].records_below.get(k, 0), item[1].classes))
    return [
        {
            "column": column,
            "classes": count(without.classes),
            "k": count(without.k),
            "risk": one_in(1 / without.k) if without.k else "",
            # Over persons the mean does not follow from the number of classes.
            "average": percent(without.classes / risk.rows) if risk.rows and risk.persons is None else "",
            "below": count(without.records_below.get(k, 0)),
        }
        for column, without in found
    ]


def column_rows(report: TableReport) -> list[dict[str, str]]:
    """Each column in the source and in the result, side by side. One that tells nothing any more is lost, not moved."""
    return [
        {
            "column": item.column,
            "distinct": _pair(item.distinct, count),
            "missing": _pair(item.missing, percent),
            "suppressed": percent(item.suppressed[1]),
            "mean": _pair(item.mean, number) if None not in item.mean else "",
            "mean_change": _change(item.mean),
            "spread": _spread(item),
            # Neither this nor how far numbers moved was kept by the first versions of the portal.
            "distance": "" if item.total_variation is None else percent(item.total_variation),
            "moved": "" if item.wasserstein is None else percent(item.wasserstein),
            "unread": _unread(item.unresolved),
        }
        | (
            {"distance": _("Lost"), "moved": "", "unread": _("every cell is *")}
            if item.column in columns_lost(report)
            else {}
        )
        for item in report.columns
    ]


def noisy_rows(report: Report) -> list[dict[str, str]]:
    """The columns with noise two by two: how they vary together in the source and in the result."""
    return [
        {
            "columns": titled(table, _(", ").join(pair.columns)),
            "correlation": _pair(pair.correlation, number),
            "covariance": _pair(pair.covariance, number),
        }
        for table, one in report.by_table()
        if one.noisy is not None
        for pair in one.noisy.pairs
    ]


def noisy_left_out(report: Report) -> str:
    """Which columns with noise were not taken two by two; empty where all were."""
    found = [
        column_label(table, name)
        for table, one in report.by_table()
        if one.noisy is not None
        for name in one.noisy.left_out
    ]
    if not found:
        return ""
    return _("Not compared two by two, for there are too many columns with noise: %(columns)s.") % {
        "columns": _(", ").join(found)
    }


def columns_lost(report: TableReport) -> list[str]:
    """The columns of which every cell became *."""
    return [item.column for item in report.columns if item.suppressed[1] >= 1 > item.suppressed[0]]


def _unread(cells: int) -> str:
    text = ngettext("%(n)s cell not understood", "%(n)s cells not understood", cells)
    return text % {"n": count(cells)} if cells else ""


def column_formulas(report: TableReport) -> list[Formula]:
    """How far values and numbers have moved, as formulas with their values; only of what was measured."""
    columns = report.columns
    unread = any(item.unresolved for item in columns)
    distance = _(
        "The share of the cells whose value would have to change to turn the source into the result."
    )
    if unread:
        moved = _(
            "Cells are not understood where the file does not tell which values of the source their label stands for; "
            "they count as moved."
        )
        distance = passage((distance, moved))
    numbers = _(
        "How far the numbers are from those of the source on average, as a share of the range of the "
        "source. An interval counts as spread evenly between its bounds, * over the whole range."
    )
    if unread:
        numbers = passage((numbers, _("Cells that are not understood are left out.")))
    found = [
        Formula(
            label=_("Moved values"),
            meaning=distance,
            expression="d = ½ Σ |p − q|",
            substituted=_values({item.column: item.total_variation for item in columns}, "d"),
            terms=[
                ("p", _("share of a value in the source"), ""),
                ("q", _("share of the same value in the result"), ""),
            ],
            source="",
        ),
        Formula(
            label=_("Moved numbers"),
            meaning=numbers,
            expression="W = ∫ |F(x) − G(x)| dx / (b − a)",
            substituted=_values({item.column: item.wasserstein for item in columns}, "W"),
            terms=[
                ("F", _("share of the records of the source up to a number"), ""),
                ("G", _("the same share in the result"), ""),
                ("a, b", _("least and greatest number of the source"), ""),
            ],
            source="Vallender 1974",
        ),
    ]
    return [formula for formula in found if formula.substituted]


def _values(figures: Mapping[str, Number | None], sign: str) -> str:
    """``column: d = 0.12`` of every column that has the figure."""
    known = {column: value for column, value in figures.items() if value is not None}
    return _("; ").join(f"{column}: {sign} = {number(value)}" for column, value in known.items())


def _pair(values: Sequence[Number | None], words: Any) -> str:
    before, after = ("–" if value is None else words(value) for value in values)
    return before if before == after else f"{before} → {after}"


def _spread(item: Column) -> str:
    """The standard deviation in source and result; nothing of a column that is no number on either side."""
    if None in item.standard_deviation:
        return ""
    return _("standard deviation %(figures)s") % {"figures": _pair(item.standard_deviation, number)}


def _change(values: Sequence[Number | None]) -> str:
    before, after = values
    return signed((after - before) / abs(before)) if before and after is not None else ""


def statements(report: TableReport) -> list[str]:
    """The figures of the risk as sentences, and which columns tell nothing any more."""
    said = [translated(item) for item in report.risk.statements] if report.risk else []
    if starred := columns_lost(report):
        said.append(_("Every cell of %(columns)s became *.") % {"columns": _(", ").join(starred)})
    return said + population_statements(report)


def charts(measurement: Measurement) -> dict[str, Any]:
    """The histogram of class sizes, the overall risk against its threshold, and the risk before and after."""
    return {
        "classes": class_bars(measurement.report),
        "gauge": gauge(measurement.checks),
        "change": change_bars(measurement.report),
    }
