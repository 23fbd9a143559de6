"""From a table in codes to a table that holds a model: full-domain search or local recoding, and its report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.hierarchies.build import Hierarchy, build
from techniques.hierarchies.definitions import HierarchyDefinition, Intervals, Star
from techniques.messages import EngineError, gettext_noop
from techniques.models.k_anonymity.kernels import grouped
from techniques.models.k_anonymity.loss import KINDS, Objective
from techniques.models.k_anonymity.operation import KAnonymity
from techniques.models.k_anonymity.reading import sensitive_of
from techniques.models.k_anonymity.sensitive import Sensitive
from techniques.models.local_recoding.recoding import Recoded, recode
from techniques.models.local_recoding.shapes import Shape, free, of_hierarchy
from techniques.operations import Context, StringArray, Tally, Unfit
from techniques.parameters import models as parameters
from techniques.secrets import Secrets
from techniques.tables.dictionary import EncodedColumn
from techniques.tuples import Codes, TupleKeys
from techniques.values.numbers import parse_numbers

Tick = Callable[[float], None]
_SHOWN_ROWS = 5
_MOST_WIDTHS = 12


@dataclass(frozen=True)
class Request:
    """What a release has to hold. Without ``hierarchies`` a local recoding takes any intervals and sets, a
    full-domain search intervals of doubling width for numbers and ``*`` for other values."""

    k: int
    sensitive: Mapping[str, parameters.Conditions] = field(default_factory=dict)
    suppression_limit: float = 0.0
    hierarchies: Mapping[str, HierarchyDefinition] | None = None
    local: bool = False
    average_risk: float | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    unfit: str = "error"
    loss: str = "geometric"
    """What a full-domain search minimises: one of :data:`techniques.models.k_anonymity.loss.KINDS`."""
    effort: int = 100_000
    options: Mapping[str, Any] = field(default_factory=dict)
    """Further parameters of the full-domain search, such as bounds of levels."""


@dataclass(frozen=True)
class Release:
    """The new columns by name, which of the n rows are suppressed (all cells ``*``), and the report."""

    columns: dict[str, EncodedColumn]
    suppressed: NDArray[np.bool_]
    report: dict[str, Any]


def anonymize(
    quasi: Mapping[str, EncodedColumn],
    sensitive: Mapping[str, EncodedColumn],
    request: Request,
    tick: Tick = lambda share: None,
) -> Release:
    """Generalise the columns ``quasi``; those of ``sensitive`` are read, not changed.

    In the report ``search_seconds`` are those of the search from counted combinations (full domain) or codes (local)
    to its result, ``seconds`` the whole call, hierarchies and new columns included.

    Raises EngineError for what a person must mend: ``k_too_large``, ``no_solution``, ``hierarchy_missing``, values
    that a hierarchy does not cover, and the errors of the search. The same input gives the same output.
    """
    rows = {len(column) for column in (*quasi.values(), *sensitive.values())}
    if not quasi:
        raise EngineError(
            "no_quasi_identifier", gettext_noop("At least one quasi-identifier is needed to form classes.")
        )
    assert len(rows) == 1, "columns of one table"
    if set(quasi) & set(sensitive):
        raise EngineError(
            "quasi_and_sensitive",
            gettext_noop("Column %(column)s is either a quasi-identifier or sensitive, not both."),
            column=min(set(quasi) & set(sensitive)),
        )
    started = time.perf_counter()
    made = (_local if request.local else _full_domain)(quasi, sensitive, request, tick)
    made.report["seconds"] = round(time.perf_counter() - started, 6)
    return made


# -- full domain -----------------------------------------------------------------------------------


def _full_domain(
    quasi: Mapping[str, EncodedColumn], sensitive: Mapping[str, EncodedColumn], request: Request, tick: Tick
) -> Release:
    names = list(quasi)
    settings = parameters.KAnonymity.model_validate(
        {
            "k": request.k,
            "sensitive": dict(request.sensitive),
            "suppression_limit": request.suppression_limit,
            "hierarchies": {name: _definition(name, column, request) for name, column in quasi.items()},
            "suppressed_rows": "star",
            "average_risk": request.average_risk,
            "unfit": request.unfit,
            "effort": request.effort,
            **request.options,
        }
    )
    every = [*quasi.values(), *sensitive.values()]
    keys = TupleKeys([len(column.values) for column in every])
    found, counts = np.unique(keys.encode([column.codes for column in every]), return_counts=True)
    tally = Tally([_texts(column) for column in every], keys.decode(found), counts.astype(np.int64))
    operation = KAnonymity(settings, Context(0, tuple(names), tally.rows, Secrets(b"", b"")))
    operation.objective = _objective(names, request)
    try:
        state = operation.fit(tally, tick)
    except Unfit as unfit:
        raise _located(unfit, [*names, *sensitive], every) from None
    dictionaries = operation.restore(state)
    outcome = operation.apply([column.codes for column in quasi.values()])
    return Release(
        {
            name: EncodedColumn(codes, dictionary)
            for name, codes, dictionary in zip(names, outcome.codes, dictionaries, strict=True)
        },
        outcome.suppressed,
        {
            "mode": "full_domain",
            "objective": request.loss,
            **state.facts["report"],
            "search_seconds": round(operation.search_seconds, 6),
        },
    )


def _objective(names: Sequence[str], request: Request) -> Objective:
    weights = tuple(float(request.weights.get(name, 1.0)) for name in names)
    if request.loss not in KINDS or min(weights) <= 0:
        raise EngineError(
            "objective_invalid", gettext_noop("This loss is not known, or a weight is not above 0.")
        )
    return Objective(request.loss, weights if request.weights else ())


def _definition(name: str, column: EncodedColumn, request: Request) -> HierarchyDefinition:
    if request.hierarchies is None:
        return automatic(_texts(column))
    if name not in request.hierarchies:
        raise EngineError(
            "hierarchy_missing", gettext_noop("Column %(column)s has no hierarchy."), column=name
        )
    return request.hierarchies[name]


def lattice_size(quasi: Mapping[str, EncodedColumn], request: Request) -> int:
    """How many solutions a full-domain search has to choose from."""
    size = 1
    for name, column in quasi.items():
        hierarchy = build(_definition(name, column, request), _texts(column))
        top = request.options.get("maximum_levels", {}).get(name, hierarchy.levels - 1)
        size *= max(top - request.options.get("minimum_levels", {}).get(name, 0) + 1, 1)
    return size


def automatic(values: StringArray) -> HierarchyDefinition:
    """A hierarchy for a column that has none: intervals of doubling width for numbers, else value and ``*``."""
    numbers = parse_numbers(values)
    if len(values) < 2 or not numbers.valid.all():
        return Star()
    unscaled = np.sort(np.asarray(numbers.unscaled, dtype=np.float64)) / 10.0**numbers.scale
    width = 10.0 ** np.ceil(np.log10(max(float(np.median(np.diff(unscaled))), 1e-9) * 2)) / 2
    widths = [width]
    while widths[-1] * 2 < unscaled[-1] - unscaled[0] and len(widths) < _MOST_WIDTHS:
        widths.append(widths[-1] * 2)
    return Intervals(kind="intervals", widths=widths)


# -- local recoding --------------------------------------------------------------------------------


def _local(
    quasi: Mapping[str, EncodedColumn], sensitive: Mapping[str, EncodedColumn], request: Request, tick: Tick
) -> Release:
    if request.average_risk is not None:
        raise EngineError(
            "local_average_risk",
            gettext_noop("Local recoding does not bound the average risk; choose a larger k instead."),
        )
    names = list(quasi)
    shapes = [_shape(name, column, request) for name, column in quasi.items()]
    judged = [
        (_sensitive(request.sensitive[name], column, name, request), column)
        for name, column in sensitive.items()
        if name in request.sensitive
    ]
    started = time.perf_counter()
    found = recode(
        shapes,
        [column.codes for column in quasi.values()],
        request.k,
        sensitive=[(one, one.values) for one, _ in judged],
        limit=request.suppression_limit,
        weights=[float(request.weights.get(name, 1.0)) for name in names],
        tick=tick,
    )
    columns = {
        name: EncodedColumn(codes, dictionary)
        for name, codes, dictionary in zip(names, found.codes, found.dictionaries, strict=True)
    }
    report = _local_report(names, shapes, found, request)
    report["search_seconds"] = round(time.perf_counter() - started, 6)
    return Release(columns, found.suppressed, report)


def _shape(name: str, column: EncodedColumn, request: Request) -> Shape:
    values = _texts(column)
    missing = column.missing > 0
    if request.hierarchies is None:
        return free(values, missing)
    hierarchy = build(_definition(name, column, request), values)
    if request.unfit != "suppress":
        _refuse_unfit(hierarchy, column, name)
    return of_hierarchy(hierarchy, missing or bool(hierarchy.unfit.any()), name)


def _sensitive(
    conditions: parameters.Conditions, column: EncodedColumn, name: str, request: Request
) -> Sensitive:
    """One attribute, an entry per row."""
    try:
        return sensitive_of(
            conditions, _texts(column), column.codes, np.ones(len(column), np.int64),
            np.arange(len(column) + 1), name, request.unfit == "suppress",
        )  # fmt: skip
    except Unfit as unfit:
        raise _located(unfit, [name], [column]) from None


def _local_report(
    names: list[str], shapes: Sequence[Shape], found: Recoded, request: Request
) -> dict[str, Any]:
    rows = len(found.suppressed)
    least = np.array([1 / shape.leaves for shape in shapes])
    wide = least < 1
    lost = np.where(wide, (found.shares - least) / np.where(wide, 1 - least, 1), 0.0)
    room = float((1 - least).sum())
    return {
        "mode": "local",
        "k": request.k,
        "levels": dict.fromkeys(names),
        "suppressed": int(found.suppressed.sum()),
        "suppression_limit": request.suppression_limit,
        "classes": found.classes,
        "min_class": found.smallest,
        "granularity": 1 - float((found.shares - least).sum()) / room if room else 1.0,
        "ncp": found.ncp,
        "loss": float(np.prod(1 + lost) ** (1 / len(names)) - 1),
        "loss_by_column": dict(zip(names, lost.tolist(), strict=True)),
        "average_class_size": (rows - int(found.suppressed.sum())) / found.classes if found.classes else 0.0,
        "proved_optimal": False,
    }


# -- both ------------------------------------------------------------------------------------------


def _texts(column: EncodedColumn) -> StringArray:
    values = column.values
    return values if pa.types.is_string(values.type) else values.cast(pa.string())


def _refuse_unfit(hierarchy: Hierarchy, column: EncodedColumn, name: str) -> None:
    used = np.flatnonzero(column.counts())
    bad = used[hierarchy.unfit[used]]
    if len(bad) and hierarchy.unfit_text is not None:
        raise _located(Unfit(0, bad.astype(np.int64), hierarchy.unfit_text), [name], [column])


def _located(unfit: Unfit, names: Sequence[str], columns: Sequence[EncodedColumn]) -> EngineError:
    """The error with the rows (from 1) in which the values stand; never the values."""
    codes: Codes = columns[unfit.column].codes
    rows = np.flatnonzero(np.isin(codes, unfit.positions))
    return unfit.error.located(names[unfit.column], len(rows), (rows[:_SHOWN_ROWS] + 1).tolist())


def warm(request: Request) -> None:
    """Load the compiled code by solving a few rows in the same way, so that it does not count as search time."""
    row = np.arange(60, dtype=np.int32)
    values = pa.array([str(number) for number in range(12)], pa.string())
    table = {
        name: EncodedColumn(codes, values)
        for name, codes in {"a": row % 7, "b": row * row % 11, "c": row // 5, "s": row % 4}.items()
    }
    conditions = {"s": parameters.Conditions(distinct=2, t=0.9)} if request.sensitive else {}
    quasi, read = {name: table[name] for name in "abc"}, {"s": table["s"]} if conditions else {}
    known = None
    if request.hierarchies is not None:
        known = dict.fromkeys("abc", Intervals(kind="intervals", widths=[2, 4, 8]))
    for limit in (0.0, 0.2, 1.0):
        anonymize(quasi, read, Request(3, conditions, limit, known, request.local))
    grouped(row.astype(np.int64), np.ones(len(row), np.int64))


def written(column: EncodedColumn, start: int, stop: int) -> StringArray:
    """The cells of some rows as texts, null where missing."""
    codes = column.codes[start:stop]
    return _texts(column).take(pa.array(codes, mask=codes < 0))
