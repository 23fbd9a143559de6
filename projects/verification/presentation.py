"""A verification as rows for the page, the document and the API; words and order, no queries, no decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.core.numbers import count, number, one_in, percent
from projects.identification.wording import kind_name

from .enums import CheckKind
from .gate.meaning import CLAUSES, MEANINGS, formula_of
from .models import Verification
from .remedies.rows_by_table import Fixes
from .wording import amount, bound, signed, told

WHERE: dict[str, Any] = {
    "values": gettext_lazy("Values of the column"),
    "free_text": gettext_lazy("Inside longer texts"),
    "pseudonyms": gettext_lazy("Among the pseudonyms"),
    "column_name": gettext_lazy("Name of the column"),
    "metadata": gettext_lazy("File properties"),
    "column": gettext_lazy("The column as a whole"),
}
MOST = 0.5


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
    fixes: list[dict[str, str]]
    details: list[str]
    formula: dict[str, Any] | None


def gate_rows(
    checks: Sequence[Mapping[str, Any]], report: Mapping[str, Any] | None = None, *, fix_url: str = ""
) -> list[GateRow]:
    """The gate table; what fails comes first, then what could not run. ``fix_url`` is where mending begins.

    Where the job has worked out what would mend a check, that stands with it, the cheapest first, and leads to the
    table of the ways.
    """
    order = {False: 0, None: 1, True: 2}
    report = report or {}
    ways = Fixes(report)
    rows = sorted((_row(check, report, ways, fix_url) for check in checks), key=lambda row: order[row.passed])
    # The average and the overall risk often ask for the same; say it once.
    said: list[GateRow] = []
    for row in rows:
        twin = next((other for other in said if row.fixes and other.fixes == row.fixes), None)
        if twin is None:
            said.append(row)
        else:
            same = _("What mends “%(check)s” mends this too.") % {"check": twin.label}
            said.append(replace(row, fixes=[{"text": same}]))
    return said


def _row(check: Mapping[str, Any], report: Mapping[str, Any], ways: Fixes, fix_url: str) -> GateRow:
    # Of several tables each has figures of its own.
    report = report.get("tables", {}).get(check.get("table"), report)
    kind, unit, passed = check["kind"], check["unit"], check["passed"]
    passed = passed if passed in (True, False) else None
    measured = amount(check["measured"], unit)
    words = one_in(check["measured"]) if _is_risk(kind) and check["measured"] else ""
    return GateRow(
        kind=kind,
        label=label_of(check),
        target=bound(check["target"], unit, check["sense"]),
        measured=f"{measured} ({words})" if words and words not in measured else measured,
        passed=passed,
        plain=_plain(check),
        clause=CLAUSES.get(kind, ""),
        meaning=str(MEANINGS.get(kind, "")),
        fixes=[] if passed else _fixes(check, ways, fix_url),
        details=[told(detail) for detail in check["details"]],
        formula=_formula(check, report),
    )


def _plain(check: Mapping[str, Any]) -> str:
    """The number in words; of l and t also who asked for it and what it was held against."""
    said = [told(check["plain"])]
    if check["kind"] in (CheckKind.DIVERSITY, CheckKind.CLOSENESS):
        said += [told(detail) for detail in check["details"]]
    return " ".join(said)


def _formula(check: Mapping[str, Any], report: Mapping[str, Any]) -> dict[str, Any] | None:
    found = formula_of(check, report)
    return None if found is None else found | {"label": label_of(check)}


def label_of(check: Mapping[str, Any]) -> str:
    """What is checked; of several tables also which."""
    label = told(check["label"])
    table = check.get("table")
    return _("%(table)s: %(check)s") % {"table": table, "check": label} if table else label


def _is_risk(kind: str) -> bool:
    return kind in (CheckKind.MAX_RISK, CheckKind.AVERAGE_RISK, CheckKind.OVERALL)


def _fixes(check: Mapping[str, Any], ways: Fixes, url: str) -> list[dict[str, str]]:
    found = ways.of(check) or [{"text": told(fix)} for fix in check["fixes"]]
    # Ways stand on the same page, where they can be taken into the recipe.
    return [{**fix, "url": f"#{fix['anchor']}" if "anchor" in fix else url} if url else fix for fix in found]


def residual_rows(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the residual scan found, what stops first: column, kind, place, rows, first row numbers; no value."""
    found = _residual_rows(report, report.get("main", ""))
    for name, other in report.get("tables", {}).items():
        found += _residual_rows(other, name)
    return sorted(found, key=lambda row: not row["blocks"]) if report.get("tables") else found


def _residual_rows(report: Mapping[str, Any], table: str) -> list[dict[str, Any]]:
    residual = report.get("residual") or {}
    prefix = f"{table}." if table else ""
    return [
        {
            "column": prefix + (item["column"] or item["name"]),
            "kind": _kind(item["kind"]),
            "where": str(WHERE.get(item["where"], item["where"])),
            "rows": count(item["rows"]) if item["rows"] else "",
            "first_rows": _first_rows(item),
            "blocks": bool(item["blocks"] and not item["allowed"]),
            "text": told(item),
        }
        for item in residual.get("findings", [])
    ]


def _kind(code: str) -> str:
    return _("Judged a direct identifier, not treated") if code == "untreated" else kind_name(code)


def _first_rows(item: Mapping[str, Any]) -> str:
    """Where to look; empty where it is nearly everywhere."""
    if item["rate"] >= MOST:
        return ""
    return ", ".join(count(row) for row in item["first_rows"])


def class_bars(report: Mapping[str, Any]) -> dict[str, Any] | None:
    """The histogram of class sizes: (label, classes) in order, with the labels of the bars below k."""
    risk = report.get("risk")
    if not risk:
        return None
    k = int(report["targets"]["k"])
    used = [bar for bar in risk["histogram"] if bar["classes"]]
    last = risk["histogram"].index(used[-1]) if used else 0
    bars = [(_size(bar), bar["classes"], bar["size_from"] < k) for bar in risk["histogram"][: last + 1]]
    small = sum(bar["classes"] for bar in risk["histogram"] if bar["size_from"] < k)
    if small and risk["k"] < k:
        caption = _("Some classes hold fewer than %(k)s records: they keep the gate shut.") % {"k": k}
    else:
        caption = _("Everybody shares their values with at least %(n)s others.") % {"n": count(risk["k"] - 1)}
    return {
        "data": [(label, classes) for label, classes, _small in bars],
        "alarm": [label for label, _classes, is_small in bars if is_small],
        "alarm_label": _("smaller than %(k)s") % {"k": k},
        "caption": caption,
    }


def _size(bar: Mapping[str, Any]) -> str:
    if bar["size_to"] is None:
        return f"≥{bar['size_from']}"
    if bar["size_from"] == bar["size_to"]:
        return str(bar["size_from"])
    return f"{bar['size_from']}–{bar['size_to']}"


def gauge(checks: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The overall risk against its threshold; measured None where it could not be measured."""
    overall = next((c for c in checks if c["kind"] == CheckKind.OVERALL), None)
    if overall is None:
        return None
    measured, threshold = overall["measured"], overall["target"]
    if measured is None:
        caption = _("The risk could not be measured; it counts as not passed.")
    elif overall["passed"] is True:
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


def change_bars(report: Mapping[str, Any]) -> dict[str, Any] | None:
    """The share of records that can be found more easily than each threshold, in the source and in the result."""
    risk = report.get("risk")
    if not risk or not risk.get("before"):
        return None
    before = risk["before"]
    data = [
        (
            f"> {percent(float(threshold))}",
            before["at_risk"].get(threshold, 0.0),
            share,
        )
        for threshold, share in risk["at_risk"].items()
    ]
    return {
        "data": data,
        "caption": _(
            "Records whose risk lies above each threshold. Smallest class: %(before)s in the source, %(after)s "
            "in the result."
        )
        % {"before": count(before["k"]), "after": count(risk["k"])},
    }


def cause_rows(report: Mapping[str, Any]) -> list[dict[str, str]]:
    """Which quasi-identifier carries the risk: what would be left without it, the most helpful first."""
    risk = report.get("risk")
    if not risk:
        return []
    k = str(report["targets"]["k"])
    found = sorted(
        risk["drop_one"].items(), key=lambda item: (item[1]["records_below"].get(k, 0), item[1]["classes"])
    )
    return [
        {
            "column": column,
            "classes": count(without["classes"]),
            "k": count(without["k"]),
            "risk": one_in(1 / without["k"]) if without["k"] else "",
            "average": percent(without["classes"] / risk["rows"]) if risk["rows"] else "",
            "below": count(without["records_below"].get(k, 0)),
        }
        for column, without in found
    ]


def column_rows(report: Mapping[str, Any]) -> list[dict[str, str]]:
    """Each column in the source and in the result, side by side."""
    return [
        {
            "column": item["column"],
            "distinct": _pair(item["distinct"], count),
            "missing": _pair(item["missing"], percent),
            "suppressed": percent(item["suppressed"][1]),
            "mean": _pair(item["mean"], number) if None not in item["mean"] else "",
            "mean_change": _change(item["mean"]),
            "distance": "" if item["total_variation"] is None else percent(item["total_variation"]),
            # Neither was kept by the first versions of the portal.
            "moved": "" if item.get("wasserstein") is None else percent(item["wasserstein"]),
            "unread": _unread(item.get("unresolved", 0)),
        }
        for item in report.get("columns", [])
    ]


def _unread(cells: int) -> str:
    text = ngettext("%(n)s cell not understood", "%(n)s cells not understood", cells)
    return text % {"n": count(cells)} if cells else ""


def column_formulas(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How far values and numbers have moved, as formulas with their values; only of what was measured.

    {label, meaning, told (both), expression, substituted, terms, source}.
    """
    columns = report.get("columns", [])
    unread = any(item.get("unresolved") for item in columns)
    distance = _(
        "The share of the cells whose value would have to change to turn the source into the result."
    )
    if unread:
        distance += " " + _(
            "Cells are not understood where the file does not tell which values of the source their label stands for; "
            "they count as moved."
        )
    numbers = _(
        "How far the numbers lie from those of the source on average, as a share of the range of the source. An "
        "interval counts as spread evenly over its bounds, * over the whole range."
    )
    if unread:
        numbers += " " + _("Cells that are not understood are left out.")
    found = [
        {
            "label": _("Moved values"),
            "meaning": distance,
            "expression": "d = ½ Σ |p − q|",
            "substituted": _values(columns, "total_variation", "d"),
            "terms": [
                ("p", _("share of a value in the source"), ""),
                ("q", _("share of the same value in the result"), ""),
            ],
            "source": "",
        },
        {
            "label": _("Moved numbers"),
            "meaning": numbers,
            "expression": "W = ∫ |F(x) − G(x)| dx / (b − a)",
            "substituted": _values(columns, "wasserstein", "W"),
            "terms": [
                ("F", _("share of the records of the source up to a number"), ""),
                ("G", _("the same share in the result"), ""),
                ("a, b", _("least and greatest number of the source"), ""),
            ],
            "source": "Vallender 1974",
        },
    ]
    return [
        formula
        | {"told": _("%(what)s: %(columns)s") % {"what": formula["label"], "columns": formula["meaning"]}}
        for formula in found
        if formula["substituted"]
    ]


def _values(columns: Sequence[Mapping[str, Any]], figure: str, sign: str) -> str:
    """``column: d = 0.12`` of every column that has the figure."""
    known = [item for item in columns if item.get(figure) is not None]
    return _("; ").join(f"{item['column']}: {sign} = {number(item[figure])}" for item in known)


def _pair(values: Sequence[float | None], words: Any) -> str:
    before, after = ("–" if value is None else words(value) for value in values)
    return before if before == after else f"{before} → {after}"


def _change(values: Sequence[float | None]) -> str:
    before, after = values
    return signed((after - before) / abs(before)) if before and after is not None else ""


def statements(report: Mapping[str, Any]) -> list[str]:
    """The figures of the risk as sentences."""
    risk = report.get("risk")
    return [told(item) for item in risk["statements"]] if risk else []


def charts(verification: Verification) -> dict[str, Any]:
    return {
        "classes": class_bars(verification.report),
        "gauge": gauge(verification.checks),
        "change": change_bars(verification.report),
    }
