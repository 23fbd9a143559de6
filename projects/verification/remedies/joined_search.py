"""What would make the view that joins all tables pass: columns whose removal from the written results is enough.

Works in the worker, on plain data, like :mod:`.remedies`. A model works on one table, so nothing coarser is searched
for over several; but a result without one of its columns is known to the last row before anything is run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from projects.processing.recipes.suggestion import SAMPLING, k_needed
from techniques.catalogue.family import Family
from techniques.core.messages import EngineError
from techniques.risk.joined import JoinedRisk, joined_risks
from techniques.utility.detail import detail_kept
from techniques.utility.targets import RowsRetained, SuppressedCells

from ..enums import CheckKind
from ..gate.case import Case, Tick, text
from ..gate.joint import joined_tables, measured_of, own_cases
from .search import target_named

if TYPE_CHECKING:
    from techniques.risk.joined import Link, Place

_PROMISING = 5
"""Columns that are put together two by two where none is enough; ten pairs at the most."""
_PAIR_SECONDS = 60.0
_DRAWS = frozenset({Family.RANDOMISATION, Family.SYNTHESIS})


def joined_needed(checks: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the joined view was measured and failed."""
    return any(check["passed"] is False and check["kind"] == CheckKind.JOINED for check in checks)


def work_out_joined(
    cases: Mapping[str, tuple[Case, Any]], links: Sequence[Link], measured: Mapping[str, Any], tick: Tick
) -> dict[str, Any]:
    """The ways by what they keep, JSON-ready: columns to remove as a last step, and what the joined view then is.

    ``now`` is the view as it is. Every column by itself is among the ways, also those that are not enough, for they
    say which columns carry the risk; where none is enough, of the most promising pairs those that are. ``draws``: the
    recipe draws at random, so that the next run writes other values. ``problem`` says why there are none.
    """
    asked = k_needed(next(iter(cases.values()))[0].risk)
    own = own_cases(cases)
    made: dict[str, Any] = {
        "needed": asked,
        "draws": any(_draws(case) for case in own.values()),
        "utility": [
            {**target_named(target), "table": name} for name, case in own.items() for target in case.utility
        ],
        "now": None,
        "ways": [],
        "pairs": None,
        "problem": None,
    }
    tables = joined_tables(cases)
    keys = {place for link in links for place in (link.source, link.target)}
    places = [
        (name, column)
        for name, one in tables.items()
        for column in one.quasi
        if any(table == name for table, _column in keys) and (name, column) not in keys
    ]

    def measure(gone: Sequence[Collection[Place]], ticked: Tick) -> list[list[JoinedRisk]]:
        return joined_risks(tables, links, target_k=asked, without=gone, tick=ticked)

    try:
        detail = _detail(own, places)
        tick(0.2)
        sets: list[tuple[Place, ...]] = [(), *((place,) for place in places)]
        found = measure(sets, lambda share: tick(0.2 + 0.4 * share))
        told = _teller(own, measured, detail, asked)
        now, *single = (told(gone, risks) for gone, risks in zip(sets, found, strict=True))
        ways = single
        if not any(way["outcome"]["passes"] for way in single):
            pairs, made["pairs"] = _pairs(single, measure, told, lambda share: tick(0.6 + 0.4 * share))
            ways = [*pairs, *single]
    except EngineError as error:
        return {**made, "problem": text(error.message, **{n: str(v) for n, v in error.params.items()})}
    tick(1.0)
    return {**made, "now": now["outcome"], "ways": sorted(ways, key=_cheapest)}


def _cheapest(way: Mapping[str, Any]) -> tuple[bool, float, int]:
    """What passes first, by what it keeps; then what leaves fewest persons in small classes."""
    one = way["outcome"]
    return not one["passes"], -one["kept"] if one["passes"] else float(one["below"]), -one["k"]


def _draws(case: Case) -> bool:
    return any(step.technique == SAMPLING or step.spec.family in _DRAWS for step in case.recipe.steps)


def _detail(own: Mapping[str, Case], places: Sequence[Place]) -> dict[Place, float]:
    """How much of the detail of each quasi-identifier the result still has, 0 to 1."""
    kept: dict[Place, float] = {}
    for name, case in own.items():
        columns = [column for table, column in places if table == name]
        if columns:
            found = detail_kept(case.source.batches(), case.result.batches(), columns)
            kept |= {(name, column): share for column, share in found.items()}
    return kept


Told = Callable[[Sequence["Place"], Sequence[JoinedRisk]], dict[str, Any]]


def _teller(
    own: Mapping[str, Case], measured: Mapping[str, Any], detail: Mapping[Place, float], asked: int
) -> Told:
    def told(gone: Sequence[Place], risks: Sequence[JoinedRisk]) -> dict[str, Any]:
        utility = [one for name, case in own.items() for one in _utility(name, case, measured, gone)]
        outcome: dict[str, Any] = {
            "k": min((one.k for one in risks), default=0),
            "below": max((one.below for one in risks), default=0),
            "kept": sum(share for place, share in detail.items() if place not in gone) / max(len(detail), 1),
            "utility": utility,
        }
        passes = bool(risks) and outcome["k"] >= asked and not any(one["breaks"] for one in utility)
        return {"columns": [list(place) for place in gone], "outcome": {**outcome, "passes": passes}}

    return told


def _utility(
    name: str, case: Case, measured: Mapping[str, Any], gone: Sequence[Place]
) -> list[dict[str, Any]]:
    """What each utility target of one table measures once the columns are gone; the others stay as they are.

    ``breaks``: the target is missed then, and was not before; what is missed anyway is not the way's to mend.
    """
    columns = {column for table, column in gone if table == name}
    of_table = measured_of(measured, name)
    was = [check for check in of_table["checks"] if check["kind"] == CheckKind.UTILITY]
    if len(was) != len(case.utility):
        return [{"measured": None, "passes": None, "breaks": False} for _target in case.utility]
    told = []
    for target, check in zip(case.utility, was, strict=True):
        now: dict[str, Any] = {"measured": check["measured"], "passes": check["passed"]}
        if columns and not isinstance(target, RowsRetained):
            if columns & {*target.needed_columns()}:
                now = {"measured": None, "passes": False}
            elif isinstance(target, SuppressedCells) and not target.columns:
                stars = {one["column"]: one["suppressed"][1] for one in of_table["report"].get("columns", ())}
                left = [stars.get(column) for column in case.result.columns() if column not in columns]
                now = {"measured": None, "passes": None}
                if left and None not in left:
                    share = sum(filter(None, left)) / len(left)
                    now = {"measured": share, "passes": target.passes(share)}
        told.append(now | {"breaks": now["passes"] is False and check["passed"] is not False})
    return told


def _pairs(
    single: Sequence[Mapping[str, Any]],
    measure: Callable[[Sequence[Collection[Place]], Tick], list[list[JoinedRisk]]],
    told: Told,
    tick: Tick,
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The pairs of the most promising columns that are enough, and how many were tried of how many there are."""
    end = time.monotonic() + _PAIR_SECONDS
    promising = sorted(single, key=_cheapest)[:_PROMISING]
    pairs = [
        tuple((table, column) for one in pair for table, column in one["columns"])
        for pair in combinations(promising, 2)
    ]
    possible = len(single) * (len(single) - 1) // 2
    found: list[dict[str, Any]] = []
    tried = 0
    for pair in pairs:
        if time.monotonic() > end:
            break
        found += [told(pair, risks) for risks in measure([pair], lambda share: None)]
        tried += 1
        tick(tried / len(pairs))
    return [one for one in found if one["outcome"]["passes"]], {"tried": tried, "possible": possible}
