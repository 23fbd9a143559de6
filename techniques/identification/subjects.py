"""Whether a table has several rows of one person (GB/T 37964 chapter 1: microdata has one), and what tells whose they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pydantic import BaseModel

from techniques.core.kinds import kind_of
from techniques.core.messages import EngineError, _
from techniques.core.subjects import Subjects, persons
from techniques.core.tuples import distinct_keys
from techniques.identification.metadata.lookup import lookup
from techniques.identification.reports import ScanReport
from techniques.identification.rules import ScannedColumns, scanned
from techniques.identification.scanner import ColumnScanner
from techniques.identification.verdict import suggest
from techniques.tables.dictionary import (
    MISSING,
    CountedValues,
    EncodedColumn,
    encode_columns,
)
from techniques.tables.rows import columns_of, counts_of

_FEWEST = 10
"""Different values below which a column tells groups and not persons."""
_CODE = "^[0-9A-Za-z_-]{3,64}$"
_LEAST_ROWS, _LEAST_KEYS, _LEAST_SHARE = 3, 3, 0.98
"""Rows of one value from which it can tell something, values that have to tell what most rows do not, and the share that tells."""
_MARKS = 1 << 24
"""Pairs of values that are marked as they occur, be the rows ever so few; of more pairs those that occur are sorted."""
_FIRST_BATCHES = 16
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
    return _by_rows(np.bincount(who, minlength=number), len(subjects) - len(known))


def _by_rows(counts: NDArray[np.int64], unknown: int) -> RowsOfPersons:
    """Of persons who have so many rows each, at least one, beside rows whose person is ``unknown``."""
    rows = int(counts.sum())
    ends = [*(low - 1 for low in _BARS[1:]), None]
    bars = [
        (low, high, int(((counts >= low) & (counts <= (high or rows))).sum()))
        for low, high in zip(_BARS, ends, strict=True)
    ]
    return RowsOfPersons(
        rows=rows, unknown=unknown, persons=len(counts), most=int(counts.max(initial=0)),
        histogram=tuple(bar for bar in bars if bar[2]),
    )  # fmt: skip


def subject_hints(
    columns: Mapping[str, EncodedColumn],
    describing: Mapping[str, EncodedColumn] | None = None,
    scanned_columns: ScannedColumns | None = None,
) -> list[SubjectHint]:
    """The columns by which persons seem to have several rows, what tells persons best first.

    Looked for are direct identifiers and keys, by name and by all values, with values that occur again in more rows than
    chance or a slip makes them (:attr:`techniques.core.kinds.Kind.repeats`); and codes of any kind, be they ever so few, that
    say of each row the sex, birth date or name that stands in ``columns`` or in those ``describing`` persons, which are no key.
    What was found in ``scanned_columns`` of both, without forms of values of one's own, is not searched for again.
    """
    both = {**columns, **(describing or {})}
    counted = {
        name: CountedValues(column.values, column.counts(), len(column)) for name, column in both.items()
    }
    return _hints(
        list(columns),
        counted,
        lambda key, about: any(_tells(both[key], both[name]) for name in about),
        scanned_columns,
    )


def _hints(
    names: Sequence[str],
    both: Mapping[str, CountedValues],
    tells: Callable[[str, Sequence[str]], bool],
    scanned_columns: ScannedColumns | None,
) -> list[SubjectHint]:
    """See :func:`subject_hints`, of the columns ``names`` among ``both``: ``tells`` says whether codes tell one of the columns that
    describe persons."""
    kinds = _kinds(both, scanned_columns)
    about = [name for name in both if kind_of(kinds[name]).of_person]
    hints = []
    for name in names:
        cells = both[name]
        if not (repeats := _repeats(cells)):
            continue
        kind = kind_of(kinds[name])
        if kind.repeats is not None and repeats > kind.repeats:
            seems = (kind.repeats, kind.code)
        elif not kind.of_person and tells(name, about):
            seems = (1.0, "record_key")
        else:
            continue
        made = _by_rows(cells.counts[cells.counts > 0], cells.missing)
        hints.append((seems[0], made.unknown, SubjectHint(columns=(name,), kind=seems[1], **dict(made))))
    return [hint for _repeat, _unknown, hint in sorted(hints, key=lambda one: one[:2])]


def _kinds(columns: Mapping[str, CountedValues], scanned_columns: ScannedColumns | None) -> dict[str, str]:
    """What each column seems to be, by name and by all values."""
    scans = {}
    for name, cells in columns.items():
        if scanned_columns is not None:
            scans[name] = scanned_columns.scanners[name].whole(cells)
            continue
        scanner = ColumnScanner(name)
        scanner.feed_counted(cells)
        scans[name] = scanner.result()
    rows = max((cells.rows for cells in columns.values()), default=0)
    report = ScanReport(rows=rows, coverage=1.0, columns=scans)
    found = suggest(list(columns), lookup(list(columns)), report)
    return {name: found[name].kind for name in columns}


def _tells(key: EncodedColumn, about: EncodedColumn) -> bool:
    """Whether codes ``key`` say of each row what it is ``about`` a person, as nobody would by chance.

    So do a few persons with many rows each, whose codes alone look like those of places or goods.
    """
    if not _are_codes(key.values):
        return False
    pairs, rows, said = _met(key, about)
    of_key = np.bincount(pairs[0], minlength=1)
    enough = rows >= _LEAST_ROWS
    single = enough & (of_key == 1)
    if enough.sum() < _FEWEST or single.sum() < _LEAST_SHARE * enough.sum():
        return False
    # A value that nearly all rows have is told by any key.
    unusual = pairs[1] != int(said.argmax()) if len(said) else np.zeros(0, bool)
    return int((single[pairs[0]] & unusual).sum()) >= _LEAST_KEYS


def _are_codes(values: pa.Array) -> bool:
    """Whether all of a column's values are written as codes are."""
    texts = values if pa.types.is_large_string(values.type) else values.cast(pa.string())
    return bool(pc.all(pc.match_substring_regex(texts, _CODE)).as_py())


def _met(
    key: EncodedColumn, about: EncodedColumn
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Of the rows in which both columns have a value: (the pairs that occur (2, n) in rising order, the rows of each value of the key,
    those of each other value)."""
    present = (key.codes != MISSING) & (about.codes != MISSING)
    keys, others = key.codes[present], about.codes[present]
    width = max(len(about.values), 1)
    numbers = keys.astype(np.int64) * width + others
    if len(key.values) * width <= max(_MARKS, 4 * len(numbers)):
        marks = np.zeros(len(key.values) * width, np.bool_)
        marks[numbers] = True
        numbers = np.flatnonzero(marks)
    else:
        numbers = distinct_keys(numbers)
    pairs = np.stack(np.divmod(numbers, width))
    return pairs, np.bincount(keys, minlength=1), np.bincount(others, minlength=1)


def find_subjects(
    batches: Callable[[], Iterable[pa.RecordBatch]],
    names: Sequence[str],
    describing: Sequence[str] = (),
    scanned_columns: ScannedColumns | None = None,
) -> list[SubjectHint]:
    """:func:`subject_hints` of the columns ``names`` of a table too large to be held: it is read once, unless the columns of both kinds
    are ``scanned_columns``, and once more for what may be a key and for what describes persons there or in the columns
    ``describing``."""
    if not names:
        return []
    both = list(dict.fromkeys([*names, *describing]))
    if scanned_columns is None:
        scanned_columns = scanned(columns_of(batches, both), both)
    report = scanned_columns.report()
    found = suggest(both, lookup(both), report)
    kinds = {name: found[name].kind for name in both}
    likely = [
        name
        for name in names
        if (least := kind_of(kinds[name]).repeats) is not None
        and (one := report.columns[name]).rows - one.missing - one.distinct
        > least * (one.rows - one.missing) / 2
    ]
    about = describers(report, kinds)
    codes = codes_of_persons(report, names) if about else []
    wanted = list(dict.fromkeys([*likely, *codes]))
    if not wanted:
        return []
    read = list(dict.fromkeys([*wanted, *about]))
    counted = counts_of(batches, read)
    return _hints(wanted, counted, _Telling(batches, counted), scanned_columns)


class _Telling:
    """Says whether codes of a table too large to be held tell one of the columns that describe persons. Its first rows are tried
    first: where values of a key meet different persons there, they do in the whole table."""

    def __init__(
        self, batches: Callable[[], Iterable[pa.RecordBatch]], counted: Mapping[str, CountedValues]
    ) -> None:
        self._batches = batches
        self._counted = counted
        self._first: dict[str, EncodedColumn] = {}

    def __call__(self, key: str, about: Sequence[str]) -> bool:
        values = self._counted[key].values
        if len(values) < _FEWEST or not _are_codes(values):
            return False
        if not self._first:
            names = list(self._counted)
            first = islice(columns_of(self._batches, names), _FIRST_BATCHES)
            self._first = encode_columns(first, names)
        left = [name for name in about if not self._is_refuted(key, name)]
        if not left:
            return False
        read = encode_columns(columns_of(self._batches, [key, *left]), [key, *left])
        return any(_tells(read[key], read[name]) for name in left)

    def _is_refuted(self, key: str, about: str) -> bool:
        pairs, rows, _others = _met(self._first[key], self._first[about])
        several = (rows >= _LEAST_ROWS) & (np.bincount(pairs[0], minlength=1) > 1)
        # A margin beyond the share that has to tell, so that no rounding matters.
        return int(several.sum()) > 1.5 * (1 - _LEAST_SHARE) * len(self._counted[key].values)


def describers(report: ScanReport, kinds: Mapping[str, str]) -> list[str]:
    """The scanned columns that say what a person is, by their ``kinds``."""
    return [
        name for name, one in report.columns.items() if kind_of(kinds[name]).of_person and one.distinct > 1
    ]


def codes_of_persons(report: ScanReport, names: Iterable[str]) -> list[str]:
    """Those of ``names`` with enough values, each in enough rows, to be looked at whether they tell who a row is about."""
    return [
        name
        for name in names
        if (one := report.columns[name]).distinct >= _FEWEST
        and one.rows - one.missing >= _LEAST_ROWS * one.distinct
    ]


def _repeats(cells: CountedValues) -> float:
    """The share of the present cells whose value has occurred before; 0 for columns of few values."""
    present = cells.rows - cells.missing
    distinct = int(np.count_nonzero(cells.counts))
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
