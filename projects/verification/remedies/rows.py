"""What would make a failing result pass, in words, the cheapest in usefulness first; reads what the job worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.core.numbers import count, one_in, percent, points

from ..wording import told


@dataclass(frozen=True)
class Way:
    """One way as a row of the table. ``number`` counts from 1, 0 is the recipe as it is; ``passes`` None: no solution
    this way."""

    number: int
    text: str
    clause: str
    passes: bool | None
    table: str = ""
    """Of several tables the one that this is about; empty for the view that joins them."""
    smallest: str = ""
    average: str = ""
    average_words: str = ""
    suppressed: str = ""
    kept: str = ""
    change: str = ""
    levels: str = ""
    emptied: str = ""
    is_cheapest: bool = False
    missed: Sequence[str] = ()
    """Utility targets that this way misses, with what they would measure."""
    untold: Sequence[str] = ()
    """Utility targets that only a run can tell of."""
    below: str = ""
    """Of the joined view the persons in classes that are too small."""


def ways_of(report: Mapping[str, Any], *, table: str = "", after: int = 0) -> dict[str, Any] | None:
    """The table of ways with what stands as it is; None where nothing was worked out.

    ``report`` is that of one table, ``table`` its name where there are several, ``after`` how many ways of others have
    numbers before these.
    """
    found = report.get("remedies")
    if not found:
        return None
    now = found["now"]
    rows: list[Way] = []
    # Measurements made before utility was looked at say nothing of it.
    targets = found.get("utility", [])
    for number, way in enumerate(found["ways"], start=after + 1):
        one = way["outcome"]
        first = bool(one and one["passes"] and not any(row.passes for row in rows))
        # Measurements made before pairs were tried know single changes only.
        changes = [way, *way.get("further", ())]
        texts = [_change(change, found["known"]) for change in changes]
        text = texts[0]
        if len(texts) > 1:
            text = two_at_once(texts)
        clause = _(", ").join(dict.fromkeys(_CLAUSES[change["code"]] for change in changes))
        rows.append(replace(_way(number, text, clause, one, now, first, targets), table=table))
    return {
        "table": table,
        "joined": False,
        "now": _way(0, _("The recipe as it is"), "", now, None, False, targets) if now else None,
        "rows": rows,
        "found": [row for row in rows if row.passes is not None],
        "nothing": [row for row in rows if row.passes is None],
        "passing": [row for row in rows if row.passes],
        "problem": told(found["problem"]),
        "asked": _asked(found["ways"][0]["settings"]) if found["ways"] else "",
        "columns": _(", ").join(found["columns"]),
        "pairs": pairs_told(found.get("pairs")),
        "useful": bool(targets),
    }


def two_at_once(texts: Sequence[str]) -> str:
    """Two changes as one way."""
    return _("(1) %(first)s; (2) %(second)s") % {"first": texts[0], "second": texts[1]}


def pairs_told(tried: Mapping[str, int] | None) -> str:
    """What was tried beyond single changes; empty where one was enough."""
    if not tried or not tried["possible"]:
        return ""
    said = _("No single change is enough.") + " "
    if not tried["tried"]:
        return said + _("There was no time to try two changes at once.")
    return said + ngettext(
        "Two changes at once: there is %(possible)s pair, and %(tried)s was tried.",
        "Two changes at once: of %(possible)s pairs the %(tried)s most promising were tried.",
        tried["possible"],
    ) % {"tried": count(tried["tried"]), "possible": count(tried["possible"])}


_CLAUSES = {"settings": "B.1.1", "local": "A.5", "drop": "A.3.4", "unbind": "A.5"}


def _way(
    number: int,
    text: str,
    clause: str,
    one: Mapping[str, Any] | None,
    now: Any,
    first: bool,
    targets: Sequence[Mapping[str, Any]],
) -> Way:
    if one is None:
        return Way(number, text, clause, None)
    utility = list(zip(targets, one.get("utility", ()), strict=False))
    return Way(
        number,
        text,
        clause,
        bool(one["passes"]),
        smallest=count(one["k"]),
        average=percent(one["average_risk"]),
        average_words=one_in(one["average_risk"]),
        suppressed=percent(one["suppressed"]),
        kept=percent(one["kept"]),
        change=_points(one["kept"] - now["kept"]) if now else "",
        emptied=_(", ").join(one["emptied"]),
        levels=_(", ").join(f"{column} {level}" for column, level in one["levels"].items()),
        is_cheapest=first,
        missed=missed_of(utility),
        untold=untold_of(utility),
    )


Targets = Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
"""Utility targets, each with what it would measure."""


def missed_of(utility: Targets) -> list[str]:
    """The targets that are missed, with what they would measure."""
    return [_missed(target, was) for target, was in utility if was["passes"] is False]


def untold_of(utility: Targets) -> list[str]:
    """The targets that only a run can tell of."""
    return [told(target["label"]) for target, was in utility if was["passes"] is None]


def _missed(target: Mapping[str, Any], was: Mapping[str, Any]) -> str:
    label = told(target["label"])
    if was["measured"] is None:
        return _("%(target)s: can no longer be measured") % {"target": label}
    params = {"target": label, "measured": percent(was["measured"]), "bound": percent(target["bound"])}
    if target["sense"] == "at_least":
        return _("%(target)s: %(measured)s, at least %(bound)s is wanted") % params
    return _("%(target)s: %(measured)s, at most %(bound)s is allowed") % params


def _asked(settings: Mapping[str, Any]) -> str:
    """What every search has to keep, which is the same for all."""
    asked = _("k = %(k)s, at most %(limit)s of the records suppressed") % {
        "k": count(settings["k"]),
        "limit": percent(settings["suppression_limit"]),
    }
    if settings["average_risk"] is not None:
        asked += _(", an average risk of at most %(average)s") % {
            "average": percent(settings["average_risk"])
        }
    return asked


def _change(way: Mapping[str, Any], known: bool) -> str:
    if way["code"] == "drop":
        return _("Remove the column “%(column)s”") % {"column": way["column"]}
    if way["code"] == "unbind":
        return _("Lift the bounds on how far “%(column)s” is generalised") % {"column": way["column"]}
    if way["code"] == "local":
        return _("Generalise class by class instead of whole columns (local recoding)")
    if not known:
        return _("Put all quasi-identifiers into one k-anonymity step")
    return _("Let the k-anonymity step keep all of the targets")


def _points(difference: float) -> str:
    """A difference of two shares, in percentage points with its sign."""
    shown = points(difference)
    return _("as much as now") if shown == "0" else _("%(points)s points against now") % {"points": shown}
