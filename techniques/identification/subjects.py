"""Whether a table has several rows of one person (GB/T 37964 chapter 1: microdata has one), and what tells whose they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel

from techniques.core.kinds import kind_of
from techniques.core.messages import EngineError, _
from techniques.core.subjects import Subjects, persons
from techniques.core.tuples import distinct_keys
from techniques.identification.metadata.lookup import lookup
from techniques.identification.reports import ScanReport
from techniques.identification.rules import scan
from techniques.identification.scanner import ColumnScanner
from techniques.identification.verdict import suggest
from techniques.tables.dictionary import MISSING, EncodedColumn, encode_columns

_FEWEST = 10
"""Different values below which a column tells groups and not persons."""
_CODE = "^[0-9A-Za-z_-]{3,64}$"
_LEAST_ROWS, _LEAST_KEYS, _LEAST_SHARE = 3, 3, 0.98
"""Rows of one value from which it can tell something, values that have to tell what most rows do not, and the share that tells."""
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


def subject_hints(
    columns: Mapping[str, EncodedColumn], describing: Mapping[str, EncodedColumn] | None = None
) -> list[SubjectHint]:
    """The columns by which persons seem to have several rows, what tells persons best first.

    Looked for are direct identifiers and keys, by name and by all values, with values that occur again in more rows than
    chance or a slip makes them (:attr:`techniques.core.kinds.Kind.repeats`); and codes of any kind, be they ever so few, that
    say of each row the sex, birth date or name that stands in ``columns`` or in those ``describing`` persons, which are no key.
    """
    repeated = {name: column for name, column in columns.items() if _repeats(column) > 0}
    both = {**columns, **(describing or {})}
    kinds = _kinds(both)
    witnesses = [column for name, column in both.items() if kind_of(kinds[name]).of_person]
    hints = []
    for name, column in repeated.items():
        kind = kind_of(kinds[name])
        if kind.repeats is not None and _repeats(column) > kind.repeats:
            made = rows_of_persons(column.codes)
            hints.append(
                (kind.repeats, made.unknown, SubjectHint(columns=(name,), kind=kind.code, **dict(made)))
            )
        elif not kind.of_person and any(_tells(column, one) for one in witnesses):
            made = rows_of_persons(column.codes)
            hints.append((1.0, made.unknown, SubjectHint(columns=(name,), kind="record_key", **dict(made))))
    return [hint for _repeat, _unknown, hint in sorted(hints, key=lambda one: one[:2])]


def _kinds(columns: Mapping[str, EncodedColumn]) -> dict[str, str]:
    """What each column seems to be, by name and by all values."""
    scans = {}
    for name, column in columns.items():
        scanner = ColumnScanner(name)
        cells = pa.array(column.codes, mask=column.codes == MISSING)
        scanner.feed(pa.DictionaryArray.from_arrays(cells, column.values.cast(pa.string())))
        scans[name] = scanner.result()
    rows = max((len(column) for column in columns.values()), default=0)
    report = ScanReport(rows=rows, coverage=1.0, columns=scans)
    found = suggest(list(columns), lookup(list(columns)), report)
    return {name: found[name].kind for name in columns}


def _tells(key: EncodedColumn, about: EncodedColumn) -> bool:
    """Whether codes ``key`` say of each row what it is ``about`` a person, as nobody would by chance.

    So do a few persons with many rows each, whose codes alone look like those of places or goods.
    """
    present = (key.codes != MISSING) & (about.codes != MISSING)
    if not pc.all(pc.match_substring_regex(key.values.cast(pa.string()), _CODE)).as_py():
        return False
    width = len(about.values)
    pairs = np.divmod(
        distinct_keys(key.codes[present].astype(np.int64) * width + about.codes[present]), width
    )
    said = np.bincount(about.codes[present], minlength=1)
    of_key = np.bincount(pairs[0], minlength=1)
    rows = np.bincount(key.codes[present], minlength=1)
    enough = rows >= _LEAST_ROWS
    single = enough & (of_key == 1)
    if enough.sum() < _FEWEST or single.sum() < _LEAST_SHARE * enough.sum():
        return False
    # A value that nearly all rows have is told by any key.
    unusual = pairs[1] != int(said.argmax()) if len(said) else np.zeros(0, bool)
    return int((single[pairs[0]] & unusual).sum()) >= _LEAST_KEYS


def find_subjects(
    batches: Callable[[], Iterable[pa.RecordBatch]], names: Sequence[str], describing: Sequence[str] = ()
) -> list[SubjectHint]:
    """:func:`subject_hints` of the columns ``names`` of a table too large to be held: it is read once, and once more for
    what may be a key and for what describes persons there or in the columns ``describing``."""
    if not names:
        return []
    both = list(dict.fromkeys([*names, *describing]))
    report = scan((batch.select(both) for batch in batches()), both)
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
    read = encode_columns(batches(), list(dict.fromkeys([*wanted, *about])))
    return subject_hints({name: read[name] for name in wanted}, {name: read[name] for name in about})


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
