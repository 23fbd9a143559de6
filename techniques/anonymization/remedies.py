"""What would make a table keep its bounds, and what each remedy costs: every one is searched for on the data itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.anonymization.release import anonymize
from techniques.anonymization.settings import changed
from techniques.anonymization.usefulness import Expected, Usefulness
from techniques.catalogue.models import KAnonymitySettings
from techniques.core.messages import EngineError
from techniques.core.subjects import Subjects, persons
from techniques.disclosure_risk.classes import group, row_keys
from techniques.disclosure_risk.persons import NOWHERE, Memberships
from techniques.disclosure_risk.sizes import keeps, smallest_safe_size
from techniques.hierarchies import ROOT
from techniques.hierarchies.build import Hierarchy, build
from techniques.models.k_anonymity.operation import NOTHING_FOUND
from techniques.tables.dictionary import EncodedColumn

Columns = Mapping[str, EncodedColumn]
Code = Literal["settings", "local", "drop", "unbind", "suppress"]
_EFFORT = 2_000
_PROMISING = 5
"""Changes that are put together two by two where none of them is enough; ten searches at the most."""
_PAIR_SECONDS = 60.0
_LEVELS = ("minimum_levels", "maximum_levels")
_FOUND_NOTHING = NOTHING_FOUND | {"k_too_large", "hierarchy_no_tree"}


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
    """What one search found. ``suppressed`` is a share of the rows, where suppressed rows stay of those that are ``*``
    throughout, however they came to be; ``kept`` the granularity over all columns asked
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
    utility: list[Expected] = field(default_factory=list)
    """Each utility target's outcome; one that only a run can measure does not keep a remedy from passing."""


@dataclass(frozen=True)
class Change:
    """One change of what is asked for: ``column`` is the one dropped, or whose bounds of levels are lifted."""

    code: Code
    column: str = ""


@dataclass(frozen=True)
class Remedy:
    """``settings``: k, average_risk, suppression_limit to search with; ``code`` and ``column`` are its
    change, ``further`` those that go with it. ``outcome`` None: it leads to no solution."""

    code: Code
    column: str
    settings: dict[str, Any]
    outcome: Outcome | None
    further: list[Change] = field(default_factory=list)


@dataclass(frozen=True)
class Pairs:
    """How many pairs of changes were ``tried`` of those that are ``possible``; the most promising come first."""

    tried: int
    possible: int


@dataclass(frozen=True)
class Remedies:
    """``now`` is the outcome of the settings as they are, ``found`` those of changes, the cheapest passing one first.

    ``pairs`` is None where a single change is enough; of pairs only those that pass are among them.
    """

    now: Outcome | None
    found: list[Remedy]
    pairs: Pairs | None = None

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        said = asdict(self)
        return {"now": said["now"], "ways": said["found"], "pairs": said["pairs"]}


def remedies(
    quasi: Columns,
    sensitive: Columns,
    settings: KAnonymitySettings,
    bounds: Bounds,
    *,
    useful: Usefulness | None = None,
    tick: Callable[[float], None] = lambda share: None,
    pair_seconds: float = _PAIR_SECONDS,
    subjects: Subjects | None = None,
    levels: Mapping[str, int] | None = None,
) -> Remedies:
    """Search on the data: the settings as they are, with ``bounds`` for k, risk and suppression, without each column,
    and without each bound of a column's levels; at most two thousand checks each. Where ``levels`` says how far whole
    columns are generalised now, these levels with every class that is too small suppressed (T/ISC 0078 C.6 b). Where none of these passes, the most promising
    changes are tried two by two: ten pairs at the most, and no further one after ``pair_seconds``.

    ``useful``: utility targets that have to be kept as well. Remedies that pass come first, then those that keep most;
    a remedy with the present outcome is left out. Raises what :func:`anonymize` raises, but for
    settings that no solution keeps.
    """
    settings = changed(settings, effort=min(settings.effort, _EFFORT))
    required = changed(
        settings,
        k=bounds.least_class,
        maximum_risk=None,
        average_risk=bounds.average_risk,
        suppression_limit=bounds.suppression_limit,
    )
    rooms = {name: _room(name, column, settings) for name, column in quasi.items()}

    def outcome(wanted: KAnonymitySettings, columns: Columns) -> Outcome | None:
        return _outcome(columns, sensitive, wanted, bounds, rooms, useful, subjects)

    changes = _changes(quasi, settings)
    share = 1 / (len(changes) + 1)
    now = outcome(settings, quasi)
    tick(share / 2)
    found = []
    for number, change in enumerate(changes, start=2):
        made = outcome(*_with(required, quasi, [change]))
        tick(share * number / 2)
        if made is None or made != now:
            found.append(Remedy(change.code, change.column, _settings(required), made))
    if levels is not None and levels.keys() == quasi.keys() and settings.recoding == "full_domain":
        made = outcome(changed(required, minimum_levels=levels, maximum_levels=levels), quasi)
        # The search may have come to these levels by itself.
        if made is not None and made not in (now, found[0].outcome if found else None):
            found.append(Remedy("suppress", "", _settings(required), made))
    pairs = None
    if not any(one.outcome and one.outcome.passes for one in found):
        end = time.monotonic() + pair_seconds
        promising, possible = _pairs(quasi, sensitive, required, changes[1:], end, subjects)
        tried = 0
        for first, second in promising:
            if time.monotonic() > end:
                break
            made = outcome(*_with(required, quasi, [first, second]))
            tried += 1
            tick(0.5 + 0.5 * tried / len(promising))
            if made is not None and made.passes:
                found.append(Remedy(first.code, first.column, _settings(required), made, [second]))
        pairs = Pairs(tried, possible)
    tick(1.0)
    return Remedies(now, sorted(found, key=_cheapest), pairs)


def _changes(quasi: Columns, settings: KAnonymitySettings) -> list[Change]:
    """Everything that is tried by itself; the first asks for the bounds and nothing else."""
    bound = {*settings.minimum_levels, *settings.maximum_levels}
    return [
        Change("settings"),
        *([] if settings.recoding != "full_domain" else [Change("local")]),
        *(Change("unbind", name) for name in quasi if name in bound),
        *(Change("drop", name) for name in quasi if len(quasi) > 1),
    ]


def _with(
    required: KAnonymitySettings, quasi: Columns, changes: Sequence[Change]
) -> tuple[KAnonymitySettings, Columns]:
    """The settings with the changes made to it, and the columns that it then is about."""
    columns = dict(quasi)
    for change in changes:
        if change.code == "local":
            required = changed(required, recoding="local", loss="geometric")
        elif change.code == "unbind":
            required = _left_out(required, change.column, *_LEVELS)
        elif change.code == "drop":
            required = _left_out(required, change.column, *_LEVELS, "hierarchies", "weights")
            del columns[change.column]
    return required, columns


def _pairs(
    quasi: Columns,
    sensitive: Columns,
    required: KAnonymitySettings,
    changes: Sequence[Change],
    end: float,
    subjects: Subjects | None,
) -> tuple[list[tuple[Change, Change]], int]:
    """The pairs worth a search, the most promising first, and how many there could be.

    A change promises much when few records are left to suppress at the coarsest levels that it allows: what those
    do not hide, no finer ones do. Only the better change of one column is combined with others.
    """

    def fit(first: Change, second: Change) -> bool:
        left = len(quasi) - sum(one.code == "drop" for one in (first, second))
        return left > 0 and not (first.column and first.column == second.column)

    possible = sum(fit(*pair) for pair in combinations(changes, 2))
    best: dict[str, tuple[float, Change]] = {}
    for change in changes:
        if time.monotonic() > end:
            break
        left = _left_over(sensitive, *_with(required, quasi, [change]), subjects)
        if change.column not in best or left < best[change.column][0]:
            best[change.column] = (left, change)
    ranked = [change for _left, change in sorted(best.values(), key=lambda one: one[0])[:_PROMISING]]
    pairs = [sorted(pair, key=changes.index) for pair in combinations(ranked, 2) if fit(*pair)]
    return [(first, second) for first, second in pairs], possible


def _left_over(
    sensitive: Columns, required: KAnonymitySettings, quasi: Columns, subjects: Subjects | None
) -> float:
    """The share of rows that have to be suppressed even at the coarsest levels allowed, 0 to 1."""
    highest = required.maximum_levels
    top = {name: highest.get(name, _hierarchy(name, one, required).levels - 1) for name, one in quasi.items()}
    coarsest = changed(
        required, recoding="full_domain", suppression_limit=1.0, minimum_levels=top, maximum_levels=top
    )
    try:
        report = anonymize(quasi, sensitive, coarsest, subjects=subjects).report
    except EngineError as error:
        if error.code not in _FOUND_NOTHING:
            raise
        return 1.0
    return int(report["suppressed"]) / len(next(iter(quasi.values())))


def _cheapest(remedy: Remedy) -> tuple[bool, float, float]:
    one = remedy.outcome
    return (True, 1.0, 1.0) if one is None else (not one.passes, -one.kept, one.suppressed)


def _settings(required: KAnonymitySettings) -> dict[str, Any]:
    return {
        "k": required.k,
        "average_risk": required.average_risk,
        "suppression_limit": required.suppression_limit,
    }


def _left_out(settings: KAnonymitySettings, name: str, *fields: str) -> KAnonymitySettings:
    """The settings without what these fields say of the column ``name``."""
    cut = {
        field: {column: one for column, one in getattr(settings, field).items() if column != name}
        for field in fields
    }
    return changed(settings, **cut)


def _room(name: str, column: EncodedColumn, settings: KAnonymitySettings) -> float:
    """How much of a cell of this column can be lost: 1 - 1/N for N leaves."""
    size = _hierarchy(name, column, settings).size
    return 1 - 1 / size if size else 0.0


def _hierarchy(name: str, column: EncodedColumn, settings: KAnonymitySettings) -> Hierarchy:
    return build(settings.hierarchies[name], column.values)


@dataclass(frozen=True)
class _Written:
    """Of a table: the sizes of its classes, those rows that are ``*`` throughout (``hidden``, and in ``pool`` as many as
    look alike by them) left out of ``classes``, and the average risk with them."""

    hidden: int
    pool: int
    classes: NDArray[np.int64]
    average: float


def _as_written(quasi: Columns, left: NDArray[np.bool_], stars: bool, subjects: Subjects | None) -> _Written:
    """The classes of the rows that are ``left`` in the file, by rows or by persons; ``stars``: suppressed rows are among them.

    In the file nobody can tell suppressed rows from a class that was generalised up to ``*``. They are one class, and no
    evaluation has any of them, so that all of them count against the limit of suppression.
    """
    hidden = left & stars
    for column in quasi.values():
        star = pc.index(column.values, ROOT).as_py()
        hidden &= column.codes == star if star >= 0 else False
    sizes = [len(column.values) + 1 for column in quasi.values()]
    keys = row_keys([column.codes[left] + 1 for column in quasi.values()], sizes, int(left.sum()))
    if subjects is None:
        rows = group(keys[~hidden[left]])[1]
        pool = int(hidden.sum())
        return _Written(pool, pool, rows, (len(rows) + (pool > 0)) / len(keys) if len(keys) else 0.0)
    first, members = Memberships.of_keys(keys, subjects[left])
    star = hidden[left][first]
    smallest = members.smallest()
    average = float((1 / smallest[smallest < NOWHERE]).mean()) if len(keys) else 0.0
    return _Written(int(hidden.sum()), int(members.sizes[star].sum()), members.sizes[~star], average)


def _outcome(
    quasi: Columns,
    sensitive: Columns,
    settings: KAnonymitySettings,
    bounds: Bounds,
    rooms: Mapping[str, float],
    useful: Usefulness | None,
    subjects: Subjects | None,
) -> Outcome | None:
    rows = len(next(iter(quasi.values())))
    # Where all may go there is an answer, but a table of which nothing is left is no remedy.
    if settings.least > (rows if subjects is None else persons(subjects)[1]):
        return None
    try:
        release = anonymize(quasi, sensitive, settings, subjects=subjects)
    except EngineError as error:
        if error.code not in _FOUND_NOTHING:
            raise
        return None
    report = release.report
    stars = settings.suppressed_rows == "star"
    stays = np.ones(rows, bool) if stars else ~release.suppressed
    made = _as_written({name: release.columns[name] for name in quasi}, stays, stars, subjects)
    gone = made.hidden if stars else int(report["suppressed"])
    levels = {name: int(level) for name, level in report["levels"].items() if level is not None}
    smallest = [int(made.classes.min(initial=rows))] * (len(made.classes) > 0) + [made.pool] * (made.pool > 0)
    k, average, classes = min(smallest, default=0), made.average, len(made.classes)
    whole = sum(rooms.values())
    part = sum(rooms[name] for name in quasi)
    max_risk = 1 / k if k else 0.0
    suppressed = gone / rows
    if subjects is not None:
        # Whom no row is left of is suppressed, too, and one row of few people is soon all of them.
        suppressed = max(suppressed, 1 - persons(subjects[stays])[1] / persons(subjects)[1])
    utility = useful.expected(release.columns, stays) if useful else []
    return Outcome(
        k, max_risk, average, suppressed, classes, float(report["loss"]),
        float(report["granularity"]) * part / whole if whole else 1.0,
        levels, [name for name, level in levels.items() if level == report["highest_levels"][name]], bool(report["proved_optimal"]),
        k >= bounds.least_class
        and (bounds.average_risk is None or keeps(average, bounds.average_risk))
        and keeps(suppressed, bounds.suppression_limit)
        and all(one.passes is not False for one in utility),
        utility,
    )  # fmt: skip
