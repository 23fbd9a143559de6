"""A table of statistics as rows that page and API share; what a reader may not know is not in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.governance.person import Person
from projects.core.numbers import number, percent
from projects.core.selectors import visible_projects
from techniques.catalogue import bases
from techniques.core.messages import filled

from .comparing import LEAST
from .enums import RULES, TableStatus
from .joining import MOST_TOGETHER
from .models import Tabulation
from .rule_sets import rule_source
from .rules import sees_values
from .selectors import report_of, signed_beside

_INDENT = "\u2003"
"""A wide space for each group that a label stands in."""
TONES = {
    TableStatus.RUNNING: "info",
    TableStatus.OPEN: "fail",
    TableStatus.FAILED: "fail",
    TableStatus.PROTECTED: "warn",
    TableStatus.REVIEWED: "warn",
    TableStatus.APPROVED: "ok",
    TableStatus.REFUSED: "neutral",
}


def table_row(table: Tabulation) -> dict[str, Any]:
    status = TableStatus(table.status)
    return {"table": table, "tone": TONES[status], "word": status.label}


def table_rows(tables: Iterable[Tabulation]) -> list[dict[str, Any]]:
    return [table_row(one) for one in tables]


def decisions(table: Tabulation) -> list[dict[str, Any]]:
    """Who said what of the table, in order."""
    said = (
        (_("Reviewed"), table.reviewed_by, table.reviewed_at, table.reviewed_reason),
        (_("Signed"), table.signed_by, table.signed_at, table.signed_reason),
        (_("Refused, or taken back"), table.refused_by, table.refused_at, table.refused_reason),
    )
    return [
        {"word": word, "by": by, "at": at, "reason": reason}
        for word, by, at, reason in said
        if by is not None
    ]


def made_of(table: Tabulation) -> list[tuple[str, str]]:
    """What the table is, as (what, which)."""
    defined = table.defined
    what = {
        "persons": _("Counts of persons"),
        "rows": _("Counts of rows, where a person may have several"),
        "sum": _("Sums of “%(column)s”") % {"column": defined.column},
    }[defined.kind]
    if table.dataset is not None:
        source = str(table.dataset)
        key = table.person_key
        person = _(", ").join(key) if key else _("each row is a person")
    else:
        source, person = _("Imported as cells"), _("as the file says")
    found = [
        (_("What it holds"), what),
        (_("From"), source),
        (_("Who counts as one contributor"), person),
        (_("Protection"), _protection(table)),
        (_("Rules"), table.rules_name),
        (_("Basis"), bases.TABLES),
    ]
    if table.run_table_id:
        found[1] = (_("From"), _("The released rows, asked for by a recipient"))
        found.append((_("What it is needed for"), table.purpose))
    if defined.holding:
        found.insert(3, (_("One contributor by the column"), defined.holding))
    return found


def made_for_readers(table: Tabulation) -> list[tuple[str, str]]:
    """What the table is, for who receives it: nothing of the rules, of the file that it was made from, or of columns that do not
    go out."""
    kinds = {
        "persons": _("Counts of persons"),
        "rows": _("Counts of rows, where a person may have several"),
        "sum": _("Sums of “%(column)s”") % {"column": table.defined.column},
    }
    if table.dataset is None:
        unit = _("as the file says")
    elif table.defined.holding:
        unit = _("a holding, or a person who belongs to none")
    else:
        unit = _("a person, who may have several rows") if table.person_key else _("each row is a person")
    return [
        (_("What it holds"), kinds[table.defined.kind]),
        (_("Who counts as one contributor"), unit),
        (_("Protection"), _protection(table)),
        (_("Basis"), bases.TABLES),
    ]


def _protection(table: Tabulation) -> str:
    base = table.defined.base
    if base is None:
        return _("Cells are hidden")
    return _("All cells are rounded to multiples of %(base)s") % {"base": number(base)}


def for_readers(table: Tabulation) -> dict[str, Any]:
    """The table with what its reader has to know of it."""
    return {"table": table, "made_of": made_for_readers(table), "promised": promised_to_readers(table)}


OF_THE_SEARCH = ("optimal", "not_known", "bounded")
"""How good the choice of hidden cells is: of use to who makes the table, and nothing that a reader is promised."""


def promised_to_readers(table: Tabulation) -> list[str]:
    """What a reader of the table is promised, and what not. That tables which are out tell some cells by themselves is not told on:
    then nothing is promised of other tables."""
    from techniques.families.statistical.tables.release import ALONE

    report = report_of(table)
    if report is None:
        return []
    said = [one for one in report["statements"] if one["code"] not in OF_THE_SEARCH]
    jointly_but = any(one["code"] == "jointly_but" for one in said)
    found = []
    for one in said:
        if one["code"] == "beyond" and jointly_but:
            found.append(_(ALONE))
        elif one["code"] != "jointly_but":
            found.append(filled(_(one["message"]), one["params"]))
    return found


def report_view(table: Tabulation, user: Person) -> dict[str, Any] | None:
    """The table as a grid, why each cell is hidden and how closely it can be bounded, what that cost; None while there is none.

    Values of hidden cells and numbers of contributors are for who makes or reviews the table, and so is all of a table that
    must not go out; how much room the rules leave for who
    may know the rules.
    """
    report = report_of(table)
    values, room = sees_values(user, table.project), rule_source().may_know(user)
    if report is None:
        return None
    goes_out = table.result is not None
    # What must not go out is told to nobody else either.
    is_open_to_reader = goes_out or values
    cells = report["cells"]
    names = [_(", ").join(one["labels"]) for one in cells]
    kinds = [_kind(one) for one in cells]
    others = others_of(table, report, user)
    reasons = [
        _reason(place, one, names, report, others, values=values, room=room)
        for place, one in enumerate(cells)
        if is_open_to_reader and (one["hidden"] or one["rules"])
    ]
    loss = report["loss"]
    counted = {kind: kinds.count(kind) for kind in ("primary", "secondary", "sensitive")}
    return {
        "goes_out": goes_out,
        "grid": _grid(report, kinds) if is_open_to_reader else None,
        "reasons": reasons,
        "shows_values": values,
        "shows_room": room,
        "rounded": report["rounded"],
        "primary": counted["primary"] + counted["sensitive"],
        "secondary": counted["secondary"],
        "cells": loss["cells"],
        "losses": _losses(report) if is_open_to_reader else [],
        "statements": [filled(_(one["message"]), one["params"]) for one in report["statements"]],
        "warnings": _warnings(table, report, others),
    }


def _kind(one: Mapping[str, Any]) -> str:
    """``primary`` and ``secondary`` cells are hidden; a ``sensitive`` one is rounded; others are published."""
    if one["hidden"]:
        return "primary" if one["rules"] else "secondary"
    return "sensitive" if one["rules"] else "published"


def _grid(report: Mapping[str, Any], kinds: list[str]) -> dict[str, Any]:
    """The last dimension across, all others down; groups stand under what holds them."""
    *down, across = report["dimensions"]
    width = len(across["labels"])
    heads = [
        {"label": label, "indent": _INDENT * depth}
        for label, depth in zip(across["labels"], _depths(across), strict=True)
    ]
    rows = []
    labelled = [list(zip(one["labels"], _depths(one), strict=True)) for one in down]
    for number_, labels in enumerate(product(*labelled)):
        cells = []
        for place in range(number_ * width, (number_ + 1) * width):
            cells.append({"place": place, "shown": report["cells"][place]["shown"], "kind": kinds[place]})
        rows.append(
            {
                "labels": [{"label": label, "indent": _INDENT * depth} for label, depth in labels],
                "cells": cells,
            }
        )
    return {"down": [one["name"] for one in down], "across": across["name"], "heads": heads, "rows": rows}


def _depths(dimension: Mapping[str, Any]) -> list[int]:
    found: list[int] = []
    for above in dimension["parent"]:
        found.append(0 if above < 0 else found[above] + 1)
    return found


def _reason(
    place: int,
    one: Mapping[str, Any],
    names: list[str],
    report: Mapping[str, Any],
    others: Mapping[str, str],
    *,
    values: bool,
    room: bool,
) -> dict[str, Any]:
    kind = _kind(one)
    words = {
        "primary": (_("Primary"), "fail"),
        "secondary": (_("Complementary"), "warn"),
        "sensitive": (_("Sensitive, rounded"), "fail"),
    }
    word, tone = words[kind]
    why = [str(RULES[rule]) for rule in one["rules"]]
    if kind == "secondary":
        here, there = one["protects"], [others[table] for table in one.get("protects_in", ())]
        why = [_protects(here, names)] if here or not there else []
        if there:
            text = _("If it were published, sensitive cells of %(tables)s could be worked out too closely.")
            why.append(text % {"tables": _(", ").join(there)})
    found: dict[str, Any] = {
        "place": place,
        "name": names[place],
        "labels": one["labels"],
        "kind": kind,
        "word": word,
        "tone": tone,
        "why": why,
        "low": one["low"],
        "high": one["high"],
        "interval": _interval(one, report["decimals"]),
        "closed": one.get("closed"),
    }
    if values:
        found |= {
            "value": one["value"],
            "contributors": one["contributors"],
            "value_text": _plain(one["value"], report["decimals"]),
        }
    if room and one.get("room") is not None:
        found |= {"room": one["room"], "room_text": _("%(times)s times") % {"times": number(one["room"])}}
    return found


def _protects(places: list[int] | None, names: list[str]) -> str:
    if places is None:
        return _("Which cells it protects could not be worked out in the time available.")
    if not places:
        return _("No sensitive cell requires it on its own.")
    shown = "; ".join(names[place] for place in places[:5])
    more = len(places) - 5
    if more > 0:
        text = ngettext(
            "If it were published, %(cells)s and %(more)d more could be worked out too closely.",
            "If it were published, %(cells)s and %(more)d more could be worked out too closely.",
            more,
        )
        return text % {"cells": shown, "more": more}
    return _("If it were published, %(cells)s could be worked out too closely.") % {"cells": shown}


def _plain(value: float, decimals: int) -> str:
    # What a solver leaves below zero rounds to a zero with a sign.
    return f"{round(value, decimals) + 0.0:,.{decimals}f}"


def _interval(one: Mapping[str, Any], decimals: int) -> str:
    low, high = (None if one[end] is None else _plain(one[end], decimals) for end in ("low", "high"))
    if low is None and high is None:
        return _("not bounded")
    if high is None:
        return _("%(low)s or more") % {"low": low}
    if low is None:
        return _("%(high)s or less") % {"high": high}
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def _losses(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    loss, decimals = report["loss"], report["decimals"]
    if report["rounded"]:
        return [
            (_("Change of a cell, on average"), number(loss["mean_change"])),
            (_("Change of a cell, at most"), _plain(loss["most_change"], max(decimals, 0)) if loss["most_change"] == round(loss["most_change"]) else number(loss["most_change"])),
        ]  # fmt: skip
    return [
        (
            _("Cells that are hidden"),
            _("%(hidden)d of %(cells)d") % {"hidden": loss["hidden"], "cells": loss["cells"]},
        ),
        (_("Share of all contributions that is in hidden cells, excluding totals"), percent(loss["share"])),
    ]


def _warnings(table: Tabulation, report: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """What the audit of this table alone does not cover, where it is so."""
    found = []
    if report["alone_unknown"]:
        found.append(
            _(
                "Who is the only contributor to several cells is known only as far as the file says so: someone whom it does not name may know more."
            )
        )
    together = report.get("together", {})
    if read := [names[one["id"]] for one in together.get("tables", ())]:
        text = _("Read together with tables of the same data that were signed before: %(tables)s. The bounds that readers can put on a cell are worked out from all of them.")  # fmt: skip
        found.append(text % {"tables": _(", ").join(read)})
    if unread := [names[one["id"]] for one in together.get("left", ())]:
        text = _("These tables are of the same data but were not read together with this one: %(tables)s. Together they would have more than %(most)d cells, or the data no longer exist, or counting again gives different cells. What they reveal together was not worked out.")  # fmt: skip
        found.append(text % {"tables": _(", ").join(unread), "most": MOST_TOGETHER})
    if not together.get("whole", True):
        text = _("The fact that these tables are sums of one larger table, which nobody has, was not used: what three or more of them reveal because of it was not worked out.")  # fmt: skip
        found.append(text)
    compared = report.get("beside", [])
    for one in compared:
        found += _compared(one)
    known = {one["number"] for one in compared}
    for one in (*together.get("tables", ()), *together.get("left", ())):
        known |= {one["number"]} if one["project"] == str(table.project_id) else set()
    left = [one for one in signed_beside(table).values_list("number", flat=True) if one not in known]
    if left:
        tables = _(", ").join(f"T{number}" for number in left)
        found.append(
            _(
                "Signed for recipients and not compared with this table: %(tables)s. What they reveal together was not worked out."
            )
            % {"tables": tables}
        )
    if compared:
        found.append(
            _(
                "For tables that do not come from the same data, it was not worked out what sums over cells of several of them reveal, nor what tables of other projects reveal."
            )
        )
    return found


def others_of(table: Tabulation, report: Mapping[str, Any], user: Person) -> dict[str, str]:
    """Id of each table of the same data → what ``user`` may be told of it."""
    together = report.get("together", {})
    rows = [*together.get("tables", ()), *together.get("left", ())]
    elsewhere = {one["project"] for one in rows} - {str(table.project_id)}
    seen: dict[str, str] = {}
    if elsewhere:
        visible = visible_projects(user).filter(pk__in=elsewhere).values_list("pk", "number")
        seen = {str(pk): number_ for pk, number_ in visible}
    found = {}
    for one in rows:
        if one["project"] == str(table.project_id):
            found[one["id"]] = f"T{one['number']}"
        elif one["project"] in seen:
            found[one["id"]] = f"{seen[one['project']]} T{one['number']}"
        else:
            found[one["id"]] = _("a table of a project that you may not see")
    return found


def _compared(one: Mapping[str, Any]) -> list[str]:
    """What a table tells together with one that was signed before it was made."""
    table, opened, apart = f"T{one['number']}", one["opened"], one.get("apart")
    said = {
        ("same", False): _("%(table)s is made from the same data: of %(compared)d cells in both tables, none is hidden in one and shown in the other."),
        ("same", True): _("%(table)s is made from the same data: of %(compared)d cells in both tables, %(found)d are hidden in one and shown in the other: %(cells)s."),
        ("other", False): _("%(table)s is made from another file: of %(compared)d cells in both tables, none is hidden in one and shown in the other."),
        ("other", True): _("%(table)s is made from another file: of %(compared)d cells in both tables, %(found)d are hidden in one and shown in the other: %(cells)s. To the extent that both files are about the same persons, one table reveals what the other hides."),
        ("unknown", False): _("It is not known whether %(table)s comes from the same data: of %(compared)d cells in both tables, none is hidden in one and shown in the other."),
        ("unknown", True): _("It is not known whether %(table)s comes from the same data: of %(compared)d cells in both tables, %(found)d are hidden in one and shown in the other: %(cells)s. To the extent that both are about the same persons, one table reveals what the other hides."),
    }[one["source"], bool(opened["number"])]  # fmt: skip
    found = [said % _counted(table, opened)]
    if apart is not None and apart["number"]:
        text = _("Of %(compared)d cells that show a number both here and in %(table)s, %(found)d differ by fewer than %(least)d: %(cells)s. If one of the tables is made from a later state of the data, someone who knows that a person joined or left in between learns which cell that person is in.")  # fmt: skip
        found.append(text % _counted(table, apart))
    elif apart is not None and apart["compared"]:
        text = _("Cells that show a number both here and in %(table)s: %(compared)d. In each of them the two numbers are equal or at least %(least)d apart.")  # fmt: skip
        found.append(text % _counted(table, apart))
    return found


def _counted(table: str, of: Mapping[str, Any]) -> dict[str, Any]:
    cells = _("; ").join(_cell(*cell) for cell in of["cells"])
    return {"table": table, "compared": of["compared"], "found": of["number"], "least": LEAST, "cells": cells}


def _cell(labels: list[str], before: str, after: str) -> str:
    return f"{_(', ').join(labels)} ({before} → {after})"
