"""Whether a table has several rows of one person (GB/T 37964 chapter 1: microdata has one), and what tells whose they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
from pydantic import BaseModel

from techniques.core.kinds import kind_of
from techniques.core.messages import EngineError, _
from techniques.core.subjects import Subjects, persons
from techniques.identification.metadata.lookup import lookup
from techniques.identification.reports import ScanReport
from techniques.identification.rules import scan
from techniques.identification.scanner import ColumnScanner
from techniques.identification.verdict import suggest
from techniques.tables.dictionary import MISSING, EncodedColumn, encode_columns

_FEWEST = 10
"""Different values below which a column tells groups and not persons."""
_BARS = (1, 2, 3, 4, 5, 6, 10, 20, 50, 100)


class RowsOfPersons(BaseModel, frozen=True):
    """How many rows persons have: ``histogram`` has (from so many rows, to so many or None, persons).

    ``rows`` are those whose person is known, ``unknown`` those that count as a person each.
    """

    rows: int
    unknown: int
    persons: int
    most: int
    histogram: tuple[tuple[int, int | None, int], ...]


class SubjectHint(RowsOfPersons, frozen=True):
    """A key by which the table has several rows of one person, and the kind of identifier that it seems to be."""

    columns: tuple[str, ...]
    kind: str


def rows_of_persons(subjects: Subjects) -> RowsOfPersons:
    """Count the rows of each person; ``subjects`` are codes, one a row, -1 where the person is unknown."""
    known = subjects[subjects >= 0]
    who, number = persons(known)
    counts = np.bincount(who, minlength=number)
    ends = [*(low - 1 for low in _BARS[1:]), None]
    bars = [
        (low, high, int(((counts >= low) & (counts <= (high or len(known)))).sum()))
        for low, high in zip(_BARS, ends, strict=True)
    ]
    return RowsOfPersons(
        rows=len(known), unknown=len(subjects) - len(known), persons=number,
        most=int(counts.max(initial=0)), histogram=tuple(bar for bar in bars if bar[2]),
    )  # fmt: skip


def subject_hints(columns: Mapping[str, EncodedColumn]) -> list[SubjectHint]:
    """The columns by which persons seem to have several rows, what tells persons best first.

    Looked for are direct identifiers and keys, by name and by all values, with values that occur again in more rows than
    chance or a slip makes them (:attr:`techniques.core.kinds.Kind.repeats`).
    """
    repeated = {name: column for name, column in columns.items() if _repeats(column) > 0}
    scans = {}
    for name, column in repeated.items():
        scanner = ColumnScanner(name)
        cells = pa.array(column.codes, mask=column.codes == MISSING)
        scanner.feed(pa.DictionaryArray.from_arrays(cells, column.values.cast(pa.string())))
        scans[name] = scanner.result()
    rows = max((len(column) for column in columns.values()), default=0)
    found = suggest(
        list(repeated), lookup(list(repeated)), ScanReport(rows=rows, coverage=1.0, columns=scans)
    )
    hints = []
    for name, column in repeated.items():
        kind = kind_of(found[name].kind)
        if kind.repeats is not None and _repeats(column) > kind.repeats:
            made = rows_of_persons(column.codes)
            hints.append(
                (kind.repeats, made.unknown, SubjectHint(columns=(name,), kind=kind.code, **dict(made)))
            )
    return [hint for _repeat, _unknown, hint in sorted(hints, key=lambda one: one[:2])]


def find_subjects(batches: Callable[[], Iterable[pa.RecordBatch]], names: Sequence[str]) -> list[SubjectHint]:
    """:func:`subject_hints` of the columns ``names`` of a table too large to be held: it is read once, and once more for
    what may be a key."""
    if not names:
        return []
    report = scan((batch.select(list(names)) for batch in batches()), names)
    found = suggest(list(names), lookup(list(names)), report)
    likely = [
        name
        for name, one in report.columns.items()
        if (least := kind_of(found[name].kind).repeats) is not None
        and one.rows - one.missing - one.distinct > least * (one.rows - one.missing) / 2
    ]
    return subject_hints(encode_columns(batches(), likely)) if likely else []


def _repeats(column: EncodedColumn) -> float:
    """The share of the present cells whose value has occurred before; 0 for columns of few values."""
    present = len(column) - column.missing
    distinct = int(np.count_nonzero(column.counts()))
    return (present - distinct) / present if distinct >= _FEWEST else 0.0


def ask_whose(hints: Sequence[SubjectHint]) -> None:
    """Raise EngineError ``subject_unsaid``, which says what was seen and what there is to choose, where there is a hint."""
    if not hints:
        return
    hint = hints[0]
    text = _(
        "Column %(column)s has %(persons)d different values in %(rows)d rows, so persons seem to have several rows, up to "
        "%(most)d. Say whose the rows are: by the columns of a key (--subject %(column)s), so that classes count persons; or "
        "that one row is one person (--subject rows). Or make one row of each person first: keep one, or put its rows "
        "together."
    )
    raise EngineError(
        "subject_unsaid", text, column=hint.columns[0], persons=hint.persons, rows=hint.rows, most=hint.most
    )
