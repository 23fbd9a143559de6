"""The solutions behind a recipe's model as the page shows them: rows, points of the chart, and words for the levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.governance.person import Person
from approvals.passages import passage
from projects.core.numbers import count, number, percent, points
from projects.datasets.models import Table
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job

from .. import wording
from ..models import Exploration, RecipeVersion
from .services import explorations_of, lattice_step, may_choose, may_explore

FEW = 15
Meanings = Mapping[str, Mapping[int, str]]


@dataclass(frozen=True)
class Solution:
    """One combination of levels as a row. ``value`` is what the form posts."""

    name: str
    value: str
    levels: list[tuple[str, int, str]]
    """Column, level, and what that level makes of a value."""
    change: str
    kept: str
    loss: str
    suppressed: str
    classes: str
    smallest: str
    satisfies: bool
    best: bool
    chosen: bool


def overview(table: Table, user: Person, *, every: bool) -> dict[str, Any]:
    """The page of a table: the newest list of solutions, the frontier, and earlier choices."""
    found = list(explorations_of(table.project).filter(dataset__table=table)[:10])
    newest = found[0] if found else None
    job = None
    if newest is not None and newest.measured_at is None and newest.job_id:
        job = Job.objects.filter(pk=newest.job_id).select_related("project", "requested_by").first()
    measured = next((one for one in found if one.measured_at is not None), None)
    return {
        "may_explore": may_explore(user, table),
        "job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "exploration": measured,
        "shown": shown(measured, every=every) if measured else None,
        "may_choose": may_choose(user, measured) if measured else None,
        "earlier": [one for one in found if one.chosen_in_id],
    }


def frontiers_of(
    version: RecipeVersion,
) -> list[tuple[str, list[tuple[str, float, float, bool, bool]], float]]:
    """(table, points, the recipe's own 1/k) of the newest list of solutions that ``version`` was chosen from, or of its own; none
    of a table whose solutions were not listed."""
    found: dict[str, Exploration] = {}
    for one in explorations_of(version.project).filter(Q(recipe_version=version) | Q(chosen_in=version)):
        if one.measured_at is not None and one.result["frontier"]:
            found.setdefault(one.dataset.table.name, one)
    return [(table, _frontier_points(one), 1 / _k_of(one)) for table, one in found.items()]


def shown(exploration: Exploration, *, every: bool) -> dict[str, Any]:
    """The solutions of one exploration; ``every`` shows more than the best few."""
    space = exploration.result["space"]
    nodes = space["nodes"]
    best = next((node for node in nodes if node["best"]), None)
    fixed = exploration.chosen_levels
    chosen = [fixed[column] for column in space["columns"]] if fixed else None
    columns = _columns(exploration, space)
    meanings = {one["column"]: dict(one["levels"]) for one in columns}
    rows = [_row(place, node, best, space, chosen, meanings) for place, node in enumerate(nodes, start=1)]
    good = sum(node["satisfies"] for node in nodes)
    return {
        "rows": rows if every else rows[:FEW],
        "more": 0 if every else max(len(rows) - FEW, 0),
        "choices": [row for row in rows if row.satisfies and not row.best][: None if every else FEW],
        "points": [
            (row.name, node["suppressed"], node["kept"], node["satisfies"], node["best"] or row.chosen)
            for row, node in zip(rows, nodes, strict=True)
        ],
        "limit": space["limit"],
        "emptied": emptied_text(space.get("sparing"), meanings),
        "columns": columns,
        "count": _count(space, good),
        "complete": space["complete"],
        "proved": space["proved_optimal"],
        "loss_is_searched": space["loss"] == _loss_of(exploration),
        "satisfying": good,
        "frontier": [_point(one, meanings) for one in _without_repeats(exploration.result["frontier"])],
        "frontier_points": _frontier_points(exploration),
        "k_risk": 1 / _k_of(exploration),
        "what_if": _what_if(exploration.result.get("what_if", ()), best, space, meanings),
    }


def emptied_text(spared: Mapping[str, Any] | None, meanings: Meanings) -> str:
    """Which columns the best solution makes ``*`` in every row, and whether that can be helped; a list of earlier days does
    not say."""
    if spared is None:
        return ""
    if not spared["best"]:
        return _("In the best solution no column is “*” in every row.")
    text = _("The best solution makes these columns “*” in every row: %(columns)s.") % {
        "columns": _(", ").join(spared["best"])
    }
    if len(spared["emptied"]) == len(spared["best"]):
        return f"{text} " + (
            _("No solution with fewer such columns keeps the conditions: all were tried.")
            if spared["proved"]
            else _("No solution with fewer such columns was found; not all were tried.")
        )
    levels = _("; ").join(
        _("%(column)s: %(level)s") % {"column": column, "level": meanings.get(column, {}).get(level) or level}
        for column, level in spared["levels"].items()
    )
    return f"{text} " + _("Another one keeps the conditions with fewer such columns: %(levels)s.") % {
        "levels": levels
    }


def _loss_of(exploration: Exploration) -> str:
    """The loss that the recipe's model makes as small as it can."""
    step = lattice_step(exploration.recipe_version.part_of(exploration.dataset.table)) or {"parameters": {}}
    return str(step["parameters"].get("loss", "geometric"))


def _k_of(exploration: Exploration) -> int:
    step = lattice_step(exploration.recipe_version.part_of(exploration.dataset.table)) or {"parameters": {}}
    return int(step["parameters"].get("k", 1))


def _frontier_points(exploration: Exploration) -> list[tuple[str, float, float, bool, bool]]:
    """(name, highest risk 1/k, detail kept, True, whether it has the recipe's own k) for the picture, the lowest risk first."""
    own = _k_of(exploration)
    found = sorted(
        _without_repeats(exploration.result["frontier"]), key=lambda one: (-one["k"], one["limit"])
    )
    return [
        (
            f"k = {count(one['k'])} · {percent(one['limit'])}",
            1 / one["k"],
            one["granularity"],
            True,
            one["k"] == own,
        )
        for one in found
    ]


def _what_if(
    found: Sequence[Mapping[str, Any]],
    best: Mapping[str, Any] | None,
    space: Mapping[str, Any],
    meanings: Meanings,
) -> list[dict[str, Any]]:
    """What each change would buy, in words; a list of earlier days has none."""
    now = dict(zip(space["columns"], best["levels"], strict=True)) if best else {}
    return [_bought(one, now, meanings) for one in found]


def _bought(one: Mapping[str, Any], now: Mapping[str, int], meanings: Meanings) -> dict[str, Any]:
    text = (
        _("Drop %(column)s") % {"column": one["column"]}
        if one["change"] == "dropped"
        else _("Keep %(column)s one level coarser at the least") % {"column": one["column"]}
    )
    if one["levels"] is None:
        plain = _("Even then the search finds no solution that keeps the conditions.")
        return {"text": text, "plain": plain, "gained": "", "kept": "", "suppressed": "", "classes": ""}
    moved = [
        _("%(column)s: %(level)s") % {"column": column, "level": meanings.get(column, {}).get(level) or level}
        for column, level in one["levels"].items()
        if column != one["column"] and now.get(column) != level
    ]
    if not now:
        plain = _("A solution keeps the conditions then: %(levels)s.") % {"levels": _("; ").join(moved)}
    elif moved:
        plain = _("Then %(levels)s.") % {"levels": _("; ").join(moved)}
    else:
        plain = _("The other columns stay as they are.")
    return {
        "text": text,
        "plain": plain,
        "gained": "" if one["gained"] is None else _points(one["gained"]),
        "kept": percent(one["granularity"])
        if one["before"] is None
        else f"{percent(one['before'])} → {percent(one['granularity'])}",
        "suppressed": percent(one["suppressed"]),
        "classes": count(one["classes"]),
    }


def _points(gained: float) -> str:
    """A difference of two shares, in percentage points with its sign."""
    shown = points(gained)
    return _("nothing") if shown == "0" else _("%(points)s points") % {"points": shown}


def _count(space: Mapping[str, Any], good: int) -> str:
    looked = len(space["nodes"])
    if space["complete"]:
        text = ngettext(
            "The search has %(n)s solution to choose from, which was examined.",
            "The search has %(n)s solutions to choose from; all of them were examined.",
            looked,
        ) % {"n": count(looked)}
    else:
        text = _("The search has %(all)s solutions to choose from, of which %(n)s were examined.") % {
            "all": count(space["lattice_size"]),
            "n": count(looked),
        }
    return passage((text, _("%(good)s of these keep the conditions.") % {"good": count(good)}))


def _row(
    place: int,
    node: Mapping[str, Any],
    best: Mapping[str, Any] | None,
    space: Mapping[str, Any],
    chosen: Any,
    meanings: Meanings,
) -> Solution:
    return Solution(
        name=_("Solution %(n)s") % {"n": place},
        value=",".join(map(str, node["levels"])),
        levels=[
            (column, level, meanings[column].get(level, ""))
            for column, level in zip(space["columns"], node["levels"], strict=True)
        ],
        change=_change(node, best, space["columns"]),
        kept=percent(node["kept"]),
        loss=number(node["loss"]),
        suppressed=percent(node["suppressed"]),
        classes=count(node["classes"]),
        smallest=count(node["smallest"]) if node["smallest"] else "–",
        satisfies=node["satisfies"],
        best=node["best"],
        chosen=node["levels"] == chosen,
    )


def _change(node: Mapping[str, Any], best: Mapping[str, Any] | None, columns: list[str]) -> str:
    """Against the best solution: which columns are finer or coarser, and by how many levels."""
    if best is None or node["best"]:
        return ""
    parts = [
        f"{column} {'+' if here > there else '−'}{abs(here - there)}"
        for column, here, there in zip(columns, node["levels"], best["levels"], strict=True)
        if here != there
    ]
    return _(", ").join(parts)


def _columns(exploration: Exploration, space: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each level of each column means."""
    step = lattice_step(exploration.recipe_version.part_of(exploration.dataset.table)) or {"parameters": {}}
    definitions = step["parameters"].get("hierarchies", {})
    return [
        {
            "column": column,
            "levels": [
                (
                    level,
                    wording.level_text(
                        definitions[column], level, wording.top_level(definitions[column], highest)
                    ),
                )
                for level in range(highest + 1)
            ]
            if column in definitions
            else [],
            "allowed": f"{lowest} – {highest}",
        }
        for column, lowest, highest in zip(space["columns"], space["lowest"], space["highest"], strict=True)
    ]


def _without_repeats(frontier: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The solutions without repeats: one that is the same for several limits is kept with the lowest of them."""
    found: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for one in frontier:
        key = (one["k"], one["suppressed"], tuple(one["levels"].items()))
        if key not in found or one["limit"] < found[key]["limit"]:
            found[key] = one
    return list(found.values())


def _point(one: Mapping[str, Any], meanings: Meanings) -> dict[str, str]:
    return {
        "k": count(one["k"]),
        "limit": percent(one["limit"]),
        "suppressed": percent(one["suppressed"]),
        "kept": percent(one["granularity"]),
        "classes": count(one["classes"]),
        "levels": _("; ").join(
            _("%(column)s: %(level)s")
            % {"column": column, "level": meanings.get(column, {}).get(level) or level}
            for column, level in one["levels"].items()
        ),
    }
