"""The ways of all tables of a verification and of the view that joins them, in words; reads what the job worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from projects.core.numbers import count, percent

from ..enums import CheckKind
from ..gate.meaning import MENDABLE
from ..wording import told
from .rows import Way, missed_of, pairs_told, two_at_once, untold_of, ways_of

SHOWN_WITH_CHECK = 3


def all_ways(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tables of ways: of the single table, or of each of several that failed and of the view that joins them.

    The numbers by which a way is taken run on from one to the next. ``anchor`` is the place of each on the page.
    """
    found: list[dict[str, Any]] = []
    after = 0
    for name, one in {report.get("main", ""): report, **report.get("tables", {})}.items():
        shown = ways_of(one, table=name, after=after)
        if shown is not None:
            found.append(shown)
            after += len(shown["rows"])
    joined = _joined_ways_of(report, after)
    if joined is not None:
        found.append(joined | {"beside": bool(found)})
    for number, one in enumerate(found):
        one["anchor"] = f"ways-{number + 1}" if number else "ways"
    return found


def passing_ways(report: Mapping[str, Any]) -> list[Way]:
    """Those that can be taken into the recipe."""
    return [way for shown in all_ways(report) for way in shown["passing"]]


@dataclass(frozen=True)
class Found:
    """A way by its number: how it is shown, and what the job stored of it. ``columns`` are the quasi-identifiers that it
    was searched for with; of the joined view it has none."""

    row: Way
    stored: Mapping[str, Any]
    columns: Sequence[str]
    joined: bool


def way_by_number(report: Mapping[str, Any], number: int) -> Found | None:
    """The way of this number; None where there is none."""
    for shown in all_ways(report):
        row = next((row for row in shown["rows"] if row.number == number), None)
        if row is not None:
            of_table = report.get("tables", {}).get(shown["table"], report)
            kept = report["joined_remedies"] if shown["joined"] else of_table["remedies"]
            stored = kept["ways"][number - shown["rows"][0].number]
            return Found(row, stored, kept.get("columns", ()), shown["joined"])
    return None


def _joined_ways_of(report: Mapping[str, Any], after: int) -> dict[str, Any] | None:
    """Which columns carry the risk of the joined view, and which of them it is enough to remove."""
    found = report.get("joined_remedies")
    if not found:
        return None
    rows: list[Way] = []
    for number, way in enumerate(found["ways"], start=after + 1):
        texts = [
            _("Remove the column “%(column)s” from the result, as a last step") % {"column": ".".join(place)}
            for place in way["columns"]
        ]
        text = two_at_once(texts) if len(texts) > 1 else texts[0]
        first = way["outcome"]["passes"] and not rows
        rows.append(_joined_way(number, text, "A.3.4", way["outcome"], found, first))
    now = found["now"]
    return {
        "table": "",
        "joined": True,
        "now": _joined_way(0, _("The joined view as it is"), "", now, found, False) if now else None,
        "rows": rows,
        "found": rows,
        "nothing": [],
        "passing": [row for row in rows if row.passes],
        "problem": told(found["problem"]),
        "needed": count(found["needed"]),
        "pairs": pairs_told(found["pairs"]),
        "draws": found["draws"],
        "useful": bool(found["utility"]),
    }


def _joined_way(
    number: int, text: str, clause: str, one: Mapping[str, Any], found: Mapping[str, Any], first: bool
) -> Way:
    utility = list(zip(found["utility"], one["utility"], strict=True)) if number else []
    return Way(
        number,
        text,
        clause,
        bool(one["passes"]),
        smallest=count(one["k"]),
        below=count(one["below"]),
        kept=percent(one["kept"]),
        is_cheapest=first,
        missed=[
            _of_table(target, line)
            for target, was in utility
            if was["breaks"]
            for line in missed_of([(target, was)])
        ],
        untold=[_of_table(target, line) for target, was in utility for line in untold_of([(target, was)])],
    )


def _of_table(target: Mapping[str, Any], line: str) -> str:
    return _("%(table)s: %(check)s") % {"table": target["table"], "check": line}


class Fixes:
    """The cheapest passing ways as they stand with a failing check: text, cost and where on the page they are."""

    def __init__(self, report: Mapping[str, Any]) -> None:
        self._shown = {(one["table"], one["joined"]): one for one in all_ways(report)}

    def of(self, check: Mapping[str, Any]) -> list[dict[str, str]]:
        """Those that mend ``check``; none where nothing was worked out, or where they do not bear on it."""
        joined = check["kind"] == CheckKind.JOINED
        if check["passed"] is not False or not (joined or check["kind"] in MENDABLE):
            return []
        shown = self._shown.get(("" if joined else check.get("table", ""), joined))
        return [_fix(shown, row) for row in shown["passing"][:SHOWN_WITH_CHECK]] if shown else []


def _fix(shown: Mapping[str, Any], row: Way) -> dict[str, str]:
    text = row.text
    if not row.below:
        text = _("%(change)s; search with %(asked)s") % {"change": text, "asked": shown["asked"]}
    if row.table:
        text = _("%(table)s: %(check)s") % {"table": row.table, "check": text}
    cost = _("keeps %(kept)s of the detail") % {"kept": row.kept}
    return {"text": text, "cost": f"{cost} ({row.change})" if row.change else cost, "anchor": shown["anchor"]}
