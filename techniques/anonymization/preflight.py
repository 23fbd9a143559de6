"""Before a run: what k and how much suppression cost on this data, and what dropping or coarsening a column would buy."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from techniques.anonymization.release import anonymize, lattice_size
from techniques.anonymization.settings import changed
from techniques.catalogue.models import KAnonymitySettings
from techniques.core.messages import EngineError, _
from techniques.core.subjects import Subjects, persons
from techniques.models.k_anonymity.operation import NOTHING_FOUND
from techniques.tables.dictionary import EncodedColumn

Columns = Mapping[str, EncodedColumn]
_KS = (2, 3, 5, 10, 20)
_LIMITS = (0.0, 0.01, 0.05, 0.1)
_EFFORT = 2_000
_TRIES = 3
_LONG_TRY = 0.1
"""Seconds from which on a try is not repeated."""


@dataclass(frozen=True)
class Point:
    """One solution: ``loss`` and ``granularity`` of the columns, ``suppressed`` as a share of the rows. ``levels`` is
    None where no solution keeps these bounds. No solution has a loss below ``lower_bound``."""

    k: int
    limit: float
    levels: dict[str, int] | None
    suppressed: float
    classes: int
    loss: float
    granularity: float
    lower_bound: float
    proved_optimal: bool

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return asdict(self)


@dataclass(frozen=True)
class WhatIf:
    """``column`` dropped or kept at one level more at the least: what the others lose then, and how many more cells of
    theirs survive (difference of granularity, over the other columns)."""

    column: str
    change: str
    point: Point
    gained: float


@dataclass(frozen=True)
class Estimate:
    """``solutions`` there are, and the seconds that checking all of them, or as many as the effort allows, would take
    at the most. A search looks at a small part of them as a rule, and may prove its answer by them."""

    solutions: int
    seconds_per_check: float
    at_most_seconds: float
    provable: bool


def frontier(
    quasi: Columns,
    sensitive: Columns,
    settings: KAnonymitySettings,
    ks: Sequence[int] = _KS,
    limits: Sequence[float] = _LIMITS,
    tick: Callable[[float], None] = lambda share: None,
    *,
    subjects: Subjects | None = None,
) -> list[Point]:
    """The best solution for every k and limit of suppression, k by k; at most two thousand checks each.

    Points that another one beats or equals in k, suppression and loss at once are left out, so what remains is the
    frontier. Raises what :func:`anonymize` raises, but for bounds that no solution keeps.
    """
    rows = len(next(iter(quasi.values()))) if subjects is None else persons(subjects)[1]
    whole = changed(settings, recoding="full_domain")
    found: list[Point] = []
    wanted = [(k, limit) for k in ks if k <= rows for limit in limits]
    for number, (k, limit) in enumerate(wanted):
        found.append(_point(quasi, sensitive, changed(whole, k=k, suppression_limit=limit), subjects))
        tick((number + 1) / len(wanted))
    return [one for one in found if one.levels is not None and not any(_beats(other, one) for other in found)]


def what_if(
    quasi: Columns, sensitive: Columns, settings: KAnonymitySettings, *, subjects: Subjects | None = None
) -> list[WhatIf]:
    """What dropping each column, or one level more of it, would buy; what buys most first."""
    settings = changed(settings, recoding="full_domain")
    plain = _point(quasi, sensitive, settings, subjects)
    made = []
    for name in quasi:
        others = {other: column for other, column in quasi.items() if other != name}
        if others:
            point = _point(others, sensitive, settings, subjects)
            made.append(WhatIf(name, "dropped", point, point.granularity - plain.granularity))
        if plain.levels is None:
            continue
        bounds = {**settings.minimum_levels, name: plain.levels[name] + 1}
        try:
            point = _point(quasi, sensitive, changed(settings, minimum_levels=bounds), subjects)
        except EngineError as error:
            if error.code != "level_unknown":
                raise
            continue  # it stands at its highest level already
        made.append(WhatIf(name, "coarser", point, point.granularity - plain.granularity))
    return sorted(made, key=lambda one: -one.gained)


def estimate(
    quasi: Columns, sensitive: Columns, settings: KAnonymitySettings, *, subjects: Subjects | None = None
) -> Estimate:
    """Size of the lattice and time of a check, measured on the first few. ``provable`` says whether the lattice is small
    enough to be gone through within the effort of the settings. EngineError ``local_estimate``: a local recoding has no
    lattice to choose from."""
    if settings.recoding != "full_domain":
        text = _(
            "Local recoding does not choose among a number of solutions, so none can be counted: an estimate is "
            "there only where each column is generalised as a whole."
        )
        raise EngineError("local_estimate", text)
    size = lattice_size(quasi, settings)
    tried = changed(settings, effort=10)
    best = float("inf")
    for _try in range(_TRIES):
        started = time.process_time()
        checks = 10
        try:
            checks = max(anonymize(quasi, sensitive, tried, subjects=subjects).report["checks"], 1)
        except EngineError as error:
            if error.code not in NOTHING_FOUND:
                raise
        spent = time.process_time() - started
        best = min(best, spent / checks)
        if spent > _LONG_TRY:
            break
    return Estimate(size, best, best * min(size, settings.effort), size <= settings.effort)


def _point(
    quasi: Columns, sensitive: Columns, settings: KAnonymitySettings, subjects: Subjects | None
) -> Point:
    try:
        few = changed(settings, effort=min(settings.effort, _EFFORT))
        report = anonymize(quasi, sensitive, few, subjects=subjects).report
    except EngineError as error:
        if error.code not in NOTHING_FOUND:
            raise
        return Point(settings.k, settings.suppression_limit, None, 1.0, 0, 1.0, 0.0, 1.0, False)
    rows = len(next(iter(quasi.values())))
    return Point(
        settings.k, settings.suppression_limit, report["levels"], report["suppressed"] / rows, report["classes"],
        report["loss"], report["granularity"], report["lower_bound"], report["proved_optimal"],
    )  # fmt: skip


def _beats(one: Point, other: Point) -> bool:
    here, there = (-one.k, one.suppressed, one.loss), (-other.k, other.suppressed, other.loss)
    return one.levels is not None and here != there and all(a <= b for a, b in zip(here, there, strict=True))
