"""From a table in codes to a table that holds a model: full-domain search or local recoding, and its report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.models import Conditions, KAnonymitySettings
from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, StringArray, Tally, Unfit
from techniques.core.secrets import Secrets
from techniques.core.subjects import Persons, Subjects
from techniques.core.tuples import Codes, TupleKeys
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Free, Intervals
from techniques.models.k_anonymity.grouping import grouped
from techniques.models.k_anonymity.operation import KAnonymity
from techniques.models.k_anonymity.reading import judged, levels_of
from techniques.models.local_recoding.operation import demanded, local_report, recoded, shape_of
from techniques.tables.dictionary import EncodedColumn

Tick = Callable[[float], None]
_SHOWN_ROWS = 5


@dataclass(frozen=True)
class Release:
    """The new columns by name, which of the n rows are suppressed (all cells ``*``), and the report."""

    columns: dict[str, EncodedColumn]
    suppressed: NDArray[np.bool_]
    report: dict[str, Any]


def anonymize(
    quasi: Mapping[str, EncodedColumn],
    sensitive: Mapping[str, EncodedColumn],
    settings: KAnonymitySettings,
    tick: Tick = lambda share: None,
    *,
    subjects: Subjects | None = None,
) -> Release:
    """Generalise the columns ``quasi``; those of ``sensitive`` are read, not changed. Classes count the persons of
    ``subjects`` (:mod:`techniques.core.subjects`); None: one row is one person.

    The ``settings`` are those of a step of a recipe (:func:`techniques.anonymization.settings.search_settings` makes them of
    what a person asked for), but that suppressed rows always stay.

    In the report ``search_seconds`` are the processor's for the search from counted combinations (full domain) or codes
    (local) to its result, ``seconds`` those of the clock for the whole call, hierarchies and new columns included.

    Raises EngineError for what a person must correct: ``k_too_large``, ``no_solution``, ``hierarchy_missing``, values
    that a hierarchy does not cover, and the errors of the search. The same input gives the same output.
    """
    rows = {len(column) for column in (*quasi.values(), *sensitive.values())}
    if not quasi:
        raise faults.no_quasi_identifier()
    assert len(rows) == 1, "columns of one table"
    if set(quasi) & set(sensitive):
        raise faults.quasi_and_sensitive(min(set(quasi) & set(sensitive)))
    started = time.perf_counter()
    of_columns = _for_columns(settings, quasi)
    make = _full_domain if settings.recoding == "full_domain" else _local
    made = make(quasi, sensitive, of_columns, subjects, tick)
    made.report["seconds"] = round(time.perf_counter() - started, 6)
    return made


def _for_columns(settings: KAnonymitySettings, quasi: Iterable[str]) -> KAnonymitySettings:
    """The settings with the hierarchies of these columns alone; suppressed rows stay. EngineError ``hierarchy_missing``."""
    hierarchies = {}
    for name in quasi:
        if name not in settings.hierarchies:
            raise EngineError("hierarchy_missing", _("Column %(column)s has no hierarchy."), column=name)
        hierarchies[name] = settings.hierarchies[name]
    return settings.model_copy(update={"hierarchies": hierarchies, "suppressed_rows": "star"})


# -- full domain -----------------------------------------------------------------------------------


def _full_domain(
    quasi: Mapping[str, EncodedColumn],
    sensitive: Mapping[str, EncodedColumn],
    settings: KAnonymitySettings,
    subjects: Subjects | None,
    tick: Tick,
) -> Release:
    names = list(quasi)
    every = [*quasi.values(), *sensitive.values()]
    tally = counted(every, subjects)
    context = Context(0, tuple(names), tally.rows, Secrets(b"", b""))
    operation = KAnonymity(settings, context)
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


def counted(columns: Sequence[EncodedColumn], subjects: Subjects | None) -> Tally:
    """The distinct combinations of these columns with their rows, and their persons where ``subjects`` says whose they are."""
    keys = TupleKeys([len(column.values) for column in columns])
    of_rows = keys.encode([column.codes for column in columns])
    persons = None
    if subjects is None:
        found, counts = np.unique(of_rows, return_counts=True)
    else:
        found, place, counts = _with_places(of_rows)
        persons = Persons.of(place, subjects, len(found))
    texts = [_texts(column) for column in columns]
    return Tally(texts, keys.decode(found), counts.astype(np.int64), persons)


def _with_places(keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.integer], NDArray[np.int64]]:
    """(the distinct keys in rising order, the place of each row's key among them, how many rows have each)."""
    if keys.dtype.names is not None or len(keys) == 0:
        found, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return found, place.reshape(-1), counts
    # Only what is distinct has to be sorted.
    class_of, counts, first = grouped(keys, np.ones(len(keys), dtype=np.int64))
    order = np.argsort(keys[first])
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return keys[first[order]], rank[class_of], counts[order]


def lattice_size(quasi: Mapping[str, EncodedColumn], settings: KAnonymitySettings) -> int:
    """How many solutions a full-domain search has to choose from."""
    settings = _for_columns(settings, quasi)
    size = 1
    for name, column in quasi.items():
        hierarchy = build(settings.hierarchies[name], _texts(column))
        lowest, highest = levels_of(settings, name, hierarchy)
        size *= highest - lowest + 1
    return size


# -- local recoding --------------------------------------------------------------------------------


def _local(
    quasi: Mapping[str, EncodedColumn],
    sensitive: Mapping[str, EncodedColumn],
    settings: KAnonymitySettings,
    subjects: Subjects | None,
    tick: Tick,
) -> Release:
    """Row by row instead of by counted combinations, which is the same work once less."""
    names = list(quasi)
    read = {name: sensitive[name] for name in settings.sensitive}
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
        demand = demanded(
            settings, [_texts(column) for column in read.values()], [column.codes for column in read.values()],
            None if subjects is None else Persons.of(np.arange(rows), subjects, rows), len(names),
        )  # fmt: skip
    except Unfit as unfit:
        raise _located(unfit, [*names, *read], [*quasi.values(), *read.values()]) from None
    codes = [column.codes for column in quasi.values()]
    started = time.thread_time()
    found = recoded(settings, names, shapes, codes, None, found_in, tick, demand)
    seconds = time.thread_time() - started
    columns = {
        name: EncodedColumn(made, dictionary)
        for name, made, dictionary in zip(names, found.codes, found.dictionaries, strict=True)
    }
    report = local_report(settings, names, shapes, found, found_in, None, demand)
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


def warm(settings: KAnonymitySettings) -> None:
    """Load the compiled code by solving a few rows in the same way, so that it does not count as search time."""
    row = np.arange(60, dtype=np.int32)
    values = pa.array([str(number) for number in range(12)], pa.string())
    table = {
        name: EncodedColumn(codes, values)
        for name, codes in {"a": row % 7, "b": row * row % 11, "c": row // 5, "s": row % 4}.items()
    }
    conditions = {"s": Conditions(distinct=2, t=0.9)} if settings.sensitive else {}
    quasi, read = {name: table[name] for name in "abc"}, {"s": table["s"]} if conditions else {}
    free = any(isinstance(one, Free) for one in settings.hierarchies.values())
    known = Free(kind="free") if free else Intervals(kind="intervals", widths=[2, 4, 8])
    for limit in (0.0, 0.2, 1.0):
        few = KAnonymitySettings(
            k=3,
            recoding=settings.recoding,
            sensitive=conditions,
            suppression_limit=limit,
            hierarchies=dict.fromkeys("abc", known),
        )
        anonymize(quasi, read, few)
    grouped(row.astype(np.int64), np.ones(len(row), np.int64))


def written(column: EncodedColumn, start: int, stop: int) -> StringArray:
    """The cells of some rows as texts, null where missing."""
    codes = column.codes[start:stop]
    return _texts(column).take(pa.array(codes, mask=codes < 0))
