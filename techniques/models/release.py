"""From a table in codes to a table that holds a model: full-domain search or local recoding, and its report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import ValidationError

from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Free, Intervals, ModelHierarchy
from techniques.messages import EngineError, gettext_noop
from techniques.models.k_anonymity.grouping import grouped
from techniques.models.k_anonymity.operation import KAnonymity
from techniques.models.k_anonymity.reading import judged, levels_of
from techniques.models.local_recoding.operation import local_report, recoded, shape_of
from techniques.operations import Context, StringArray, Tally, Unfit
from techniques.parameters import models as parameters
from techniques.recipe_text import first_problem
from techniques.secrets import Secrets
from techniques.tables.dictionary import EncodedColumn
from techniques.tuples import Codes, TupleKeys

Tick = Callable[[float], None]
_SHOWN_ROWS = 5
_LOCAL_LOSS = "geometric"
"""The loss that a request has by default, the only one that says nothing about a local recoding."""


@dataclass(frozen=True)
class Request:
    """What a release has to hold. Without ``hierarchies`` a local recoding takes any intervals and sets, a
    full-domain search intervals of doubling width for numbers and ``*`` for other values."""

    k: int
    sensitive: Mapping[str, parameters.Conditions] = field(default_factory=dict)
    suppression_limit: float = 0.0
    hierarchies: Mapping[str, ModelHierarchy] | None = None
    local: bool = False
    average_risk: float | None = None
    maximum_risk: float | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    unfit: str = "error"
    loss: str = "geometric"
    """What a full-domain search minimises: one of :data:`techniques.models.k_anonymity.loss.KINDS`; with ``local`` the
    default alone is allowed."""
    effort: int = 100_000
    options: Mapping[str, Any] = field(default_factory=dict)
    """Further parameters of the step, such as bounds of levels."""


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


def settings_of(request: Request, quasi: Mapping[str, EncodedColumn]) -> parameters.KAnonymity:
    """The request as the settings of a recipe's step. EngineError ``hierarchy_missing``, ``objective_invalid``."""
    if request.local and request.loss != _LOCAL_LOSS:
        raise EngineError(
            "objective_invalid",
            gettext_noop(
                "Local recoding always loses the least share of values per cell: %(loss)s can be minimised only where "
                "each column is generalised as a whole."
            ),
            loss=request.loss,
        )
    hierarchies: dict[str, ModelHierarchy] = {}
    for name in quasi:
        if request.hierarchies is not None and name not in request.hierarchies:
            raise EngineError(
                "hierarchy_missing", gettext_noop("Column %(column)s has no hierarchy."), column=name
            )
        hierarchies[name] = Free(kind="free") if request.hierarchies is None else request.hierarchies[name]
    try:
        return parameters.KAnonymity.model_validate(
            {
                "k": request.k,
                "maximum_risk": request.maximum_risk,
                "average_risk": request.average_risk,
                "recoding": "local" if request.local else "full_domain",
                "sensitive": dict(request.sensitive),
                "suppression_limit": request.suppression_limit,
                "hierarchies": hierarchies,
                "suppressed_rows": "star",
                "weights": dict(request.weights),
                "loss": request.loss,
                "unfit": request.unfit,
                "effort": request.effort,
                **request.options,
            }
        )
    except ValidationError as error:
        place = str(error.errors()[0]["loc"][0]) if error.errors()[0]["loc"] else ""
        if place in ("loss", "weights"):
            raise EngineError(
                "objective_invalid", gettext_noop("This loss is not known, or a weight is not above 0.")
            ) from None
        raise first_problem(error, "") from None


# -- full domain -----------------------------------------------------------------------------------


def _full_domain(
    quasi: Mapping[str, EncodedColumn], sensitive: Mapping[str, EncodedColumn], request: Request, tick: Tick
) -> Release:
    names = list(quasi)
    every = [*quasi.values(), *sensitive.values()]
    keys = TupleKeys([len(column.values) for column in every])
    found, counts = np.unique(keys.encode([column.codes for column in every]), return_counts=True)
    tally = Tally([_texts(column) for column in every], keys.decode(found), counts.astype(np.int64))
    context = Context(0, tuple(names), tally.rows, Secrets(b"", b""))
    operation = KAnonymity(settings_of(request, quasi), context)
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
        {**state.facts["report"], "search_seconds": round(operation.search_seconds, 6)},
    )


def lattice_size(quasi: Mapping[str, EncodedColumn], request: Request) -> int:
    """How many solutions a full-domain search has to choose from."""
    settings = settings_of(replace(request, local=False), quasi)
    size = 1
    for name, column in quasi.items():
        hierarchy = build(settings.hierarchies[name], _texts(column))
        lowest, highest = levels_of(settings, name, hierarchy)
        size *= highest - lowest + 1
    return size


# -- local recoding --------------------------------------------------------------------------------


def _local(
    quasi: Mapping[str, EncodedColumn], sensitive: Mapping[str, EncodedColumn], request: Request, tick: Tick
) -> Release:
    """Row by row instead of by counted combinations, which is the same work once less."""
    names = list(quasi)
    read = {name: sensitive[name] for name in request.sensitive}
    settings = settings_of(request, quasi)
    rows = len(quasi[names[0]])
    try:
        shapes = [
            shape_of(settings, number, name, _texts(column), column.codes)
            for number, (name, column) in enumerate(quasi.items())
        ]
        found_in = judged(
            settings, [_texts(column) for column in read.values()], [column.codes for column in read.values()],
            np.ones(rows, np.int64), np.arange(rows + 1), len(names),
        )  # fmt: skip
    except Unfit as unfit:
        raise _located(unfit, [*names, *read], [*quasi.values(), *read.values()]) from None
    codes = [column.codes for column in quasi.values()]
    started = time.perf_counter()
    found = recoded(settings, names, shapes, codes, None, found_in, tick)
    seconds = time.perf_counter() - started
    columns = {
        name: EncodedColumn(made, dictionary)
        for name, made, dictionary in zip(names, found.codes, found.dictionaries, strict=True)
    }
    report = local_report(settings, names, shapes, found, found_in)
    return Release(columns, found.suppressed, {**report, "search_seconds": round(seconds, 6)})


# -- both ------------------------------------------------------------------------------------------


def _texts(column: EncodedColumn) -> StringArray:
    values = column.values
    return values if pa.types.is_string(values.type) else values.cast(pa.string())


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
