"""What would make a table keep its bounds, and what each way costs: every way is searched for on the data itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from techniques.hierarchies.build import automatic, build
from techniques.messages import EngineError
from techniques.models.release import Request, anonymize
from techniques.risk.attackers import smallest_safe_size
from techniques.tables.dictionary import EncodedColumn

Columns = Mapping[str, EncodedColumn]
Code = Literal["settings", "local", "drop", "unbind"]
_EFFORT = 2_000
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Bounds:
    """What the released table has to keep: smallest class, highest and average risk of a record (None: no bound),
    and the share of rows that may be suppressed."""

    k: int
    max_risk: float = 1.0
    average_risk: float | None = None
    suppression_limit: float = 1.0

    @property
    def least_class(self) -> int:
        """The smallest class that keeps both ``k`` and ``max_risk``."""
        return max(self.k, smallest_safe_size(self.max_risk))


@dataclass(frozen=True)
class Outcome:
    """What one search found. ``suppressed`` is a share of the rows; ``kept`` the granularity over all columns asked
    about, 1 for the table as it is, with a dropped column and a suppressed row counting as wholly lost."""

    k: int
    max_risk: float
    average_risk: float
    suppressed: float
    classes: int
    loss: float
    kept: float
    levels: dict[str, int]
    """Empty for a local recoding, which has no level for a column as a whole."""
    emptied: list[str]
    """Columns at their highest level, where every value is ``*``."""
    proved_optimal: bool
    passes: bool


@dataclass(frozen=True)
class Remedy:
    """One way. ``settings``: k, average_risk, suppression_limit to search with; ``column`` the one dropped, or whose
    bounds of levels are lifted; ``local``: class by class. ``outcome`` None: there is no solution this way."""

    code: Code
    column: str
    settings: dict[str, Any]
    outcome: Outcome | None


@dataclass(frozen=True)
class Remedies:
    """``now`` is what the request as it is leads to, ``ways`` what else would, the cheapest passing one first."""

    now: Outcome | None
    ways: list[Remedy]

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return asdict(self)


def remedies(
    quasi: Columns,
    sensitive: Columns,
    request: Request,
    bounds: Bounds,
    *,
    star_rows: bool = False,
    tick: Callable[[float], None] = lambda share: None,
) -> Remedies:
    """Search on the data: the request as it is, with ``bounds`` for its settings, without each column, and without
    each bound of a column's levels; at most two thousand checks each.

    ``star_rows``: suppressed rows stay and are a class of their own. Ways that pass come first, then those that
    keep most; one that leads to what there is already is left out. Raises what :func:`anonymize` raises, but for
    settings that no solution keeps.
    """
    request = replace(request, effort=min(request.effort, _EFFORT))
    asked = replace(
        request,
        k=bounds.least_class,
        maximum_risk=None,
        average_risk=bounds.average_risk,
        suppression_limit=bounds.suppression_limit,
    )
    rooms = {name: _room(name, column, request) for name, column in quasi.items()}
    ways: list[tuple[Code, str, Request, Columns]] = [("settings", "", asked, quasi)]
    if not request.local:
        ways.append(("local", "", replace(asked, local=True, loss="geometric"), quasi))
    bound = {*request.options.get("minimum_levels", {}), *request.options.get("maximum_levels", {})}
    ways += [("unbind", name, _unbound(asked, name), quasi) for name in quasi if name in bound]
    if len(quasi) > 1:
        ways += [
            ("drop", name, _without(asked, name), {n: c for n, c in quasi.items() if n != name})
            for name in quasi
        ]
    share = 1 / (len(ways) + 1)
    now = _outcome(quasi, sensitive, request, bounds, rooms, star_rows)
    tick(share)
    found = []
    for number, (code, name, wanted, columns) in enumerate(ways, start=2):
        outcome = _outcome(columns, sensitive, wanted, bounds, rooms, star_rows)
        tick(share * number)
        if outcome is None or outcome != now:
            found.append(Remedy(code, name, _settings(wanted), outcome))
    return Remedies(now, sorted(found, key=_cheapest))


def _cheapest(way: Remedy) -> tuple[bool, float, float]:
    one = way.outcome
    return (True, 1.0, 1.0) if one is None else (not one.passes, -one.kept, one.suppressed)


def _settings(request: Request) -> dict[str, Any]:
    return {
        "k": request.k,
        "average_risk": request.average_risk,
        "suppression_limit": request.suppression_limit,
    }


def _levels_without(options: Mapping[str, Any], name: str) -> dict[str, Any]:
    cut = {
        key: {column: level for column, level in options[key].items() if column != name}
        for key in ("minimum_levels", "maximum_levels")
        if key in options
    }
    return {**options, **cut}


def _unbound(request: Request, name: str) -> Request:
    return replace(request, options=_levels_without(request.options, name))


def _without(request: Request, name: str) -> Request:
    known = request.hierarchies
    return replace(
        _unbound(request, name),
        hierarchies=None if known is None else {n: one for n, one in known.items() if n != name},
        weights={n: weight for n, weight in request.weights.items() if n != name},
    )


def _room(name: str, column: EncodedColumn, request: Request) -> float:
    """How much of a cell of this column can be lost: 1 - 1/N for N leaves."""
    known = request.hierarchies
    size = build(automatic(column.values) if known is None else known[name], column.values).size
    return 1 - 1 / size if size else 0.0


def _outcome(
    quasi: Columns,
    sensitive: Columns,
    request: Request,
    bounds: Bounds,
    rooms: Mapping[str, float],
    star_rows: bool,
) -> Outcome | None:
    rows = len(next(iter(quasi.values())))
    try:
        report = anonymize(quasi, sensitive, request).report
    except EngineError as error:
        if error.code not in ("no_solution", "k_too_large", "hierarchy_no_tree"):
            raise
        return None
    gone, classes = int(report["suppressed"]), int(report["classes"])
    pool = gone if star_rows else 0
    left = rows - gone + pool
    levels = {name: int(level) for name, level in report["levels"].items() if level is not None}
    smallest = [int(report["min_class"])] * (classes > 0) + [pool] * (pool > 0)
    k = min(smallest, default=0)
    average = (classes + (pool > 0)) / left if left else 0.0
    whole = sum(rooms.values())
    part = sum(rooms[name] for name in quasi)
    max_risk = 1 / k if k else 0.0
    suppressed = gone / rows
    return Outcome(
        k, max_risk, average, suppressed, classes, float(report["loss"]),
        float(report["granularity"]) * part / whole if whole else 1.0,
        levels, [name for name, level in levels.items() if level == report["highest_levels"][name]], bool(report["proved_optimal"]),
        k >= bounds.least_class
        and (bounds.average_risk is None or average <= bounds.average_risk + _ROUNDING)
        and suppressed <= bounds.suppression_limit + _ROUNDING,
    )  # fmt: skip
