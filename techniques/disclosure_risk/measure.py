"""Measuring re-identification risk on the rows of a table (GB/T 37964 B.1.4.1, 5.5.2 b)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from techniques.core.messages import EngineError, _
from techniques.disclosure_risk.classes import CodedColumns, encode, group, group_counted, row_keys
from techniques.disclosure_risk.missing import matching_anything
from techniques.disclosure_risk.persons import NOWHERE, Memberships
from techniques.disclosure_risk.report import DropOne, Figures, RiskReport, SuppressedRows
from techniques.disclosure_risk.sizes import THRESHOLDS

LADDER = (2, 3, 5, 10, 14, 20)
"""Class sizes for which a report says how many records would be below, one column left out."""


def measure(
    batches: Iterable[pa.RecordBatch],
    qi: Sequence[str],
    *,
    suppressed: SuppressedRows = "own_class",
    thresholds: Sequence[float] = THRESHOLDS,
    contributions: bool = True,
    bounds: Collection[int] = (),
    subjects: npt.NDArray[np.integer] | None = None,
    counts: npt.NDArray[np.integer] | None = None,
    emptied: Collection[str] | None = None,
    tick: Callable[[int], None] | None = None,
) -> RiskReport:
    """Class sizes and risks of a table by its quasi-identifiers ``qi``.

    ``subjects`` says whose each row is (:mod:`techniques.core.subjects`): classes then count persons; None: one row is one
    person. ``counts`` says how many rows of the table each row of ``batches`` stands for, one where its person is unknown; None:
    one each.

    ``emptied`` are the columns in which a missing value may be anything by the looser reading; None: all.

    ``batches`` hold at least those columns (text, null for missing). ``suppressed`` chooses how rows
    count whose quasi-identifiers are all ``*``; both ways are in the report. ``contributions`` also
    measures, over the classes, what each column adds, below the class sizes ``bounds`` too. Raises :class:`EngineError` for a missing
    column, an empty ``qi`` or a table without rows.
    """
    if len(set(qi)) != len(qi):
        raise EngineError("column_twice", _("A quasi-identifier is named twice."))
    return measure_coded(
        encode(batches, qi, tick), suppressed=suppressed, thresholds=thresholds, contributions=contributions,
        bounds=bounds, subjects=subjects, counts=counts, emptied=emptied,
    )  # fmt: skip


def measure_coded(
    coded: CodedColumns,
    *,
    suppressed: SuppressedRows = "own_class",
    thresholds: Sequence[float] = THRESHOLDS,
    contributions: bool = True,
    bounds: Collection[int] = (),
    subjects: npt.NDArray[np.integer] | None = None,
    counts: npt.NDArray[np.integer] | None = None,
    emptied: Collection[str] | None = None,
) -> RiskReport:
    """The same of quasi-identifiers that are coded already. Raises :class:`EngineError` for a table without rows."""
    if coded.rows == 0:
        raise EngineError("no_rows", _("The table has no rows, so there is no risk to measure."))
    qi = coded.columns
    taus = tuple(thresholds)
    keys = row_keys(coded.codes, coded.cardinality, coded.rows)
    members = None
    if subjects is not None:
        check_subjects(subjects, coded.rows)
        first, members = Memberships.of_keys(keys, subjects, counts)
        sizes = members.rows
    elif counts is not None:
        first, sizes = group_counted(keys, counts)
    else:
        first, sizes = group(keys)
    star = coded.suppressed_rows()[first]
    counted = ~star if suppressed == "left_out" else np.ones(len(first), dtype=bool)
    ladder = sorted({*LADDER, *bounds})
    missing = None
    if members is None:
        # A value of its own is one more value: code 0 is left to the columns that may be anything.
        own = [int(emptied is not None and column not in emptied) for column in coded.columns]
        missing = matching_anything(
            coded.codes[:, first[counted]] + np.array(own, dtype=np.int32)[:, None],
            [size + more for size, more in zip(coded.cardinality, own, strict=True)],
            sizes[counted],
            taus,
        )
    return RiskReport(
        columns=qi,
        suppressed_rows=int(sizes[star].sum()),
        suppressed_option=suppressed,
        own_class=_figures(sizes, members, np.ones(len(first), dtype=bool), taus),
        left_out=_figures(sizes, members, ~star, taus),
        distinct_values={
            column: int(np.count_nonzero(np.bincount(coded.codes[place])))
            for place, column in enumerate(coded.columns)
        },
        drop_one=_drop_one(coded, first, sizes, members, ladder) if contributions and len(qi) > 1 else {},
        missing=missing,
    )


def check_subjects(subjects: npt.NDArray[np.integer], rows: int) -> None:
    """Refuse subjects that are not those of this table."""
    if len(subjects) != rows:
        text = _("It is known of %(known)d rows whose they are, but the table has %(rows)d.")
        raise EngineError("subjects_differ", text, known=len(subjects), rows=rows)


def _figures(
    sizes: npt.NDArray[np.int64],
    members: Memberships | None,
    counted: npt.NDArray[np.bool_],
    thresholds: tuple[float, ...],
) -> Figures:
    """The figures of the classes that are ``counted``."""
    if members is None:
        return Figures.of(sizes[counted], thresholds)
    smallest = members.smallest(counted)
    return Figures.of_persons(
        members.sizes[counted], smallest[smallest < NOWHERE], int(sizes[counted].sum()), members.unique(counted),
        thresholds,
    )  # fmt: skip


def _drop_one(
    coded: CodedColumns,
    first: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    members: Memberships | None,
    ladder: Sequence[int],
) -> dict[str, DropOne]:
    """Classes without one column each: the classes are merged, the rows need not be read again."""
    of_classes = coded.codes[:, first]
    result = {}
    for place, column in enumerate(coded.columns):
        others = [c for c in range(len(coded.columns)) if c != place]
        keys = row_keys([of_classes[c] for c in others], [coded.cardinality[c] for c in others], len(first))
        _distinct, inverse = np.unique(keys, return_inverse=True)
        if members is None:
            merged = np.bincount(inverse, weights=sizes).astype(np.int64)
            below = {k: int(merged[merged < k].sum()) for k in ladder}
        else:
            merged, smallest = members.merged(inverse, len(_distinct))
            below = {k: int((smallest < k).sum()) for k in ladder}
        result[column] = DropOne(classes=len(merged), k=int(merged.min()), records_below=below)
    return result


@dataclass(frozen=True)
class Matched:
    """Classes of a table with those of the population that read the same: sizes ``f`` and ``F``.

    ``star`` marks the class of rows that are suppressed. ``population`` are all rows, or persons, of the population, ``unmatched``
    those of classes that the table has no record of. ``members`` are the table's persons where those are counted, ``f`` then
    has persons too.
    """

    f: npt.NDArray[np.int64]
    F: npt.NDArray[np.int64]
    star: npt.NDArray[np.bool_]
    population: int
    unmatched: int
    members: Memberships | None = None


def matched(
    sample: Iterable[pa.RecordBatch],
    population: Iterable[pa.RecordBatch],
    qi: Sequence[str],
    subjects: npt.NDArray[np.integer] | None = None,
    population_subjects: npt.NDArray[np.integer] | None = None,
) -> Matched:
    """The classes of ``sample`` in ``population``, which holds the sample's persons too; what it lacks has F = 0.

    ``subjects`` says whose each row of the sample is, ``population_subjects`` the same of the population, in which without
    them one row is one person.
    """
    counted = 0

    def one_after_the_other() -> Iterable[pa.RecordBatch]:
        nonlocal counted
        for batch in sample:
            counted += batch.num_rows
            yield batch.select(list(qi))
        for batch in population:
            yield batch.select(list(qi))

    coded = encode(one_after_the_other(), qi)
    keys = row_keys(coded.codes, coded.cardinality, coded.rows)
    distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    f = np.bincount(inverse[:counted], minlength=len(distinct)).astype(np.int64)
    F = np.bincount(inverse[counted:], minlength=len(distinct)).astype(np.int64)
    here = f > 0
    members = None
    if subjects is not None:
        check_subjects(subjects, counted)
        number = np.cumsum(here) - 1
        members = Memberships.of(number[inverse.reshape(-1)[:counted]], subjects, int(here.sum()))
        f[here] = members.sizes
    persons = coded.rows - counted
    if population_subjects is not None:
        check_subjects(population_subjects, persons)
        everybody = Memberships.of(inverse.reshape(-1)[counted:], population_subjects, len(distinct))
        F, persons = everybody.sizes, int((everybody.smallest() < NOWHERE).sum())
    star = coded.suppressed_rows()[first][here]
    return Matched(f[here], F[here], star, persons, int(F[~here].sum()), members)
