"""Figures beside those of :func:`techniques.disclosure_risk.measure.measure`: other attackers, single records."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.subjects import Subjects
from techniques.disclosure_risk import attackers
from techniques.disclosure_risk.classes import CodedColumns, encode, group, group_counted, row_keys
from techniques.disclosure_risk.measure import Matched, check_subjects, matched
from techniques.disclosure_risk.persons import NOWHERE, Memberships
from techniques.disclosure_risk.population import population_uniqueness
from techniques.disclosure_risk.report import RiskReport, SuppressedRows
from techniques.disclosure_risk.sizes import THRESHOLDS
from techniques.tables.writers.formulas import neutralise_column, neutralise_name

Batches = Callable[[], Iterable[pa.RecordBatch]]
"""Opens a table anew."""


def class_sizes(report: RiskReport) -> npt.NDArray[np.int64]:
    """The size of every class that the report counts, in rising order."""
    table = np.array(report.figures.size_table, dtype=np.int64).reshape(-1, 2)
    return np.repeat(table[:, 0], table[:, 1])


def records_at_risk(report: RiskReport, thresholds: Sequence[float]) -> dict[str, int]:
    """How many records lie above each threshold."""
    return {
        attackers.threshold_key(t): report.figures.below(attackers.smallest_safe_size(t))[1]
        for t in thresholds
    }


def strict_average(report: RiskReport, cap: float) -> dict[str, Any]:
    """B.1.4.1 b, controlled sharing: the average risk, which counts only if no record is above ``cap``.

    A cap of 0.33 means that no class is smaller than 3. Where it is broken, the risk is the maximum.
    """
    holds = report.k >= attackers.smallest_class_for(cap)
    return {"cap": cap, "holds": holds, "risk": report.average_risk if holds else report.max_risk}


def with_population(
    sample: Batches,
    population: Batches,
    qi: Sequence[str],
    thresholds: Sequence[float] = THRESHOLDS,
    suppressed: SuppressedRows = "own_class",
    subjects: Subjects | None = None,
    population_subjects: Subjects | None = None,
) -> dict[str, Any]:
    """Journalist and marketer risk by a population table that holds the sample's persons too.

    ``presence`` is the greatest share of a population class that is in the sample; ``delta_min`` and ``delta_max`` bound
    the probability that a person of the population is in it (δ-presence). A suppressed row may be anybody, so the class
    of those is compared with the whole population, and whoever has no row of another class is in it with a chance that
    ``delta_max`` counts; or it is left out. Where there are any, ``by_option`` has both. ``subjects``: whose each row is, of
    the table and of the population; a person weighs one, with the risk of the smallest of its classes in the population.
    """
    found = matched(sample(), population(), qi, subjects, population_subjects)
    by_option = {option: _by_population(found, thresholds, option) for option in ("own_class", "left_out")}
    chosen = by_option[suppressed]
    return chosen | {"by_option": by_option} if found.star.any() else chosen


def _by_population(found: Matched, thresholds: Sequence[float], option: str) -> dict[str, Any]:
    anybody = int(found.f[found.star].sum())
    f, F = found.f[~found.star], found.F[~found.star]
    # Whom no class of the table fits is in it only as one of those who may be anybody.
    others = found.population - int(F.sum())
    presence = (f / np.maximum(F, 1)).tolist()
    lowest = list(presence)
    chances = list(presence)
    if option == "own_class" and anybody:
        # Who has no row of a class may have one of those.
        more = anybody / max(found.population - int(f.sum()), anybody)
        chances = [share + (1 - share) * more for share in presence] + [more] * (others > 0)
        f, F = np.append(f, anybody), np.append(F, found.population)
        presence.append(anybody / max(found.population, 1))
    if others > 0:
        lowest.append(presence[-1] if len(presence) > len(lowest) else 0.0)
    if found.members is None:
        journalist, marketer = attackers.journalist(f, F, thresholds), attackers.marketer(f, F)
    else:
        attackers.check_population(f, F)
        hidden = found.population if option == "own_class" else NOWHERE
        least = found.members.least(np.where(found.star, hidden, found.F))
        journalist, marketer = attackers.journalist_of_persons(least[least < NOWHERE], F, thresholds)
    return {
        "journalist": journalist.model_dump(),
        "marketer": marketer,
        "presence": max(presence, default=0.0),
        "delta_min": min(lowest, default=0.0),
        "delta_max": max(chances, default=0.0),
    }


def with_sampling_fraction(
    report: RiskReport,
    fraction: float,
    thresholds: Sequence[float] = THRESHOLDS,
    chances: Sequence[tuple[float, int]] = (),
) -> dict[str, Any]:
    """The same estimated where only the share of the population that was sampled is known.

    ``chances``: (chance of being drawn, how many of the sample had it) where it was not the same for all. Which class they are
    in is not known, so those of the greatest chance are taken for those of the smallest classes: nobody's risk, and no
    average, is greater. How many are unique in the population is estimated of records that all had the same chance.
    """
    f = class_sizes(report)
    by_person = report.figures.persons is not None
    if report.figures.smallest_table is None:
        F = attackers.estimated_population(f, _mean_chance(f, chances, fraction))
        journalist, marketer = attackers.journalist(f, F, thresholds), attackers.marketer(f, F)
    else:
        table = np.array(report.figures.smallest_table, dtype=np.int64).reshape(-1, 2)
        smallest = np.repeat(table[:, 0], table[:, 1])
        F = attackers.estimated_population(f, _mean_chance(f, chances, fraction))
        of_each = _mean_chance(np.ones_like(smallest), chances, fraction)
        least = attackers.estimated_population(smallest, of_each)
        journalist, marketer = attackers.journalist_of_persons(least, F, thresholds)
    uniques = {"sample_uniques": int((f == 1).sum())}
    if not (by_person or chances):
        uniques = population_uniqueness(f, fraction).model_dump()
    unequal = {"chances": [list(one) for one in chances]} if chances else {}
    return {
        "journalist": journalist.model_dump(),
        "marketer": marketer,
        "population_uniqueness": uniques,
        "estimated": True,
        **unequal,
    }


def _mean_chance(
    sizes: npt.NDArray[np.int64], chances: Sequence[tuple[float, int]], fraction: float
) -> npt.NDArray[np.float64]:
    """The mean chance of those in each class of ``sizes`` (in rising order), dealt out from the greatest on."""
    if not chances or not len(sizes):
        return np.full(len(sizes), fraction)
    total = int(sizes.sum())
    given, number = (
        np.array([one[0] for one in chances]),
        np.array([one[1] for one in chances], dtype=np.int64),
    )
    # Classes may hold somebody more than once, and what is not known of is as likely as the likeliest.
    number[0] += max(0, total - int(number.sum()))
    begin = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    dealt = np.repeat(given, number)[:total]
    found: npt.NDArray[np.float64] = np.add.reduceat(dealt, begin) / sizes
    return found


def write_record_risks(
    batches: Iterable[pa.RecordBatch],
    qi: Sequence[str],
    target: TextIO,
    suppressed: SuppressedRows = "own_class",
    subjects: Subjects | None = None,
) -> None:
    """One line per record, from 1 in the order of the table: its class size (persons, where ``subjects`` says whose each row
    is) and the risk 1/f; no values.

    Both are empty for suppressed rows where those are left out.
    """
    coded = encode(batches, qi)
    keys = row_keys(coded.codes, coded.cardinality, coded.rows)
    _, inverse, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    if subjects is not None:
        check_subjects(subjects, coded.rows)
        sizes = Memberships.of(inverse.reshape(-1), subjects, len(sizes)).sizes
    writer = csv.writer(target)
    writer.writerow(["row", "class_size", "risk"])
    of_row = sizes[inverse]
    sizes_of_rows, risks = of_row.tolist(), np.round(1 / of_row, 9).tolist()
    if suppressed == "left_out":
        for row in np.flatnonzero(coded.suppressed_rows()).tolist():
            sizes_of_rows[row] = risks[row] = ""
    writer.writerows(zip(range(1, len(of_row) + 1), sizes_of_rows, risks, strict=True))


@dataclass(frozen=True)
class ListedClasses:
    """Classes, the smallest first and then by their values: ``sizes``, ``values`` by quasi-identifier ("" for missing), and where
    ``sizes`` are persons the ``rows`` of each. ``total`` counts those that are left out too."""

    sizes: list[int]
    rows: list[int] | None
    values: list[pa.Array]
    total: int


def list_classes(
    coded: CodedColumns,
    suppressed: SuppressedRows = "own_class",
    subjects: Subjects | None = None,
    counts: npt.NDArray[np.integer] | None = None,
    *,
    most: int | None = None,
) -> ListedClasses:
    """The classes of a table by its ``coded`` quasi-identifiers (T/ISC 0078 C.3 c), at most the ``most`` smallest.

    Sizes are in persons where ``subjects`` says whose each row is, else in rows; the least of all is k. ``counts`` says how many rows
    each coded row stands for. Suppressed rows are a class, or not there where they are left out.
    """
    keys = row_keys(coded.codes, coded.cardinality, coded.rows)
    if subjects is not None:
        check_subjects(subjects, coded.rows)
        first, members = Memberships.of_keys(keys, subjects, counts)
        sizes, rows = members.sizes, members.rows
    else:
        first, rows = group(keys) if counts is None else group_counted(keys, counts)
        sizes = rows
    # Code 0 is the missing value.
    dictionaries = [pa.concat_arrays([pa.array([""], texts.type), texts]) for texts in coded.texts]
    of_class = coded.codes[:, first]
    ranks = [
        np.argsort(pc.array_sort_indices(texts).to_numpy())[codes]
        for texts, codes in zip(dictionaries, of_class, strict=True)
    ]
    order = np.lexsort((*reversed(ranks), sizes))
    if suppressed == "left_out":
        order = order[~coded.suppressed_rows()[first][order]]
    kept = order[:most]
    return ListedClasses(
        sizes=sizes[kept].tolist(),
        rows=None if subjects is None else rows[kept].tolist(),
        values=[
            texts.take(pa.array(codes[kept])) for texts, codes in zip(dictionaries, of_class, strict=True)
        ],
        total=len(order),
    )


def write_classes(
    batches: Iterable[pa.RecordBatch],
    qi: Sequence[str],
    target: TextIO,
    suppressed: SuppressedRows = "own_class",
    subjects: Subjects | None = None,
    counts: npt.NDArray[np.integer] | None = None,
) -> None:
    """Every class of :func:`list_classes`: ``class_size``, with ``subjects`` also ``class_rows``, and its value of each column of
    ``qi``. A value that a spreadsheet would run as a formula has an apostrophe before it."""
    found = list_classes(encode(batches, qi), suppressed, subjects, counts)
    figures = {"class_size": found.sizes}
    if found.rows is not None:
        figures["class_rows"] = found.rows
    values = [neutralise_column(column).to_pylist() for column in found.values]
    writer = csv.writer(target)
    writer.writerow([*figures, *map(neutralise_name, qi)])
    writer.writerows(zip(*figures.values(), *values, strict=True))
